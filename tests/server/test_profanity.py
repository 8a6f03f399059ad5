"""Coarse words: veiled in talk, refused in a name, and nothing else is touched."""

from __future__ import annotations

import random

import pytest

from branchline.maps.loader import shipped_maps
from branchline.server.wire.facts import facts_of, map_of
from branchline.server.words.names import suggested_name
from branchline.server.words.profanity import PROFANITY, folded, has_profanity, veiled


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("what a bastard, that tunnel", "what a b******, that tunnel"),
        ("BASTARD!", "B******!"),
        ("Bástard", "B******"),
        ("ba\u0301stard", "b******"),
        ("ｂａｓｔａｒｄ", "ｂ******"),
        ("_bastard_ bastard", "_b******_ b******"),
        ("bastardise the rules", "bastardise the rules"),
        ("Mergem cu trenul", "Mergem cu trenul"),
        ("", ""),
    ],
)
def test_whole_words_are_veiled_whatever_their_accents(said: str, shown: str) -> None:
    assert veiled(said) == shown
    assert has_profanity(said) == (said != shown)


def test_the_list_is_folded_and_hits_no_word_of_the_game() -> None:
    assert {folded(word) for word in PROFANITY} == PROFANITY
    for map_id in shipped_maps():
        facts = facts_of(map_of(map_id))
        assert not [place.name for place in facts.places if has_profanity(place.name)]
    for lang in ("en", "ro", "pt-PT", "pt-BR"):
        assert not [name for seed in range(2000) if has_profanity(name := suggested_name(random.Random(seed), lang))]
