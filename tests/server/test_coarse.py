"""Coarse words: veiled in talk, refused in a name, and nothing else is touched."""

from __future__ import annotations

import random

import pytest

from branchline.maps.loader import shipped_maps
from branchline.server.coarse import COARSE, folded, is_coarse, veiled
from branchline.server.facts import facts_of, map_of
from branchline.server.guests import suggested_name
from tests.server.service import Running, seated


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
    assert is_coarse(said) == (said != shown)


def test_in_talk_the_word_is_veiled_for_all_and_for_who_comes_later(running: Running) -> None:
    with seated(running) as ((ada, _), (me, other)):
        me.send({"t": "say", "text": "that bastard tunnel"})
        assert [stream.wait("chat")["chat"]["text"] for stream in (me, other)] == ["that b****** tunnel"] * 2
        with ada.live(me.table["id"]) as late:
            assert late.next()["chat"][-1]["text"] == "that b****** tunnel"


def test_a_coarse_name_is_refused_with_a_reason(running: Running) -> None:
    ada = running.person("Ada")
    status, told = ada.refused("/me", {"name": "Old Bastard"})
    assert (status, "coarse" in told) == (400, True)
    assert ada.get("/me")["name"] == "Ada"
    assert ada.post("/me", {"name": "Bastardo"})["name"] == "Bastardo"


def test_the_list_is_folded_and_hits_no_word_of_the_game() -> None:
    assert {folded(word) for word in COARSE} == COARSE
    for map_id in shipped_maps():
        facts = facts_of(map_of(map_id))
        assert not [place.name for place in facts.places if is_coarse(place.name)]
    for lang in ("en", "ro", "pt-PT", "pt-BR"):
        assert not [name for seed in range(2000) if is_coarse(name := suggested_name(random.Random(seed), lang))]
