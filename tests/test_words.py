"""Words: every event, refusal and phase can be told in every language, with the names and numbers of the map."""

from __future__ import annotations

import dataclasses
import json
import re
import typing
from pathlib import Path

import pytest

from branchline import ClaimTrack, Game, IllegalAction, load_map, shipped_maps
from branchline.mechanics.terrain.face import TooFewTerrain
from branchline.objections import KeepFirst, NotYourTurn, TooFewCards, TrackTaken
from branchline.phases import Phase
from branchline.words import LANGUAGES, Language, catalogue, map_name, plural, spoken, words_of
from branchline.words.telling import Telling
from tests.facts import FACTS, NAMES, examples, vectors
from tests.table import table

PACKAGE = Path(__file__).parent.parent / "branchline"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("prefix", "kind"), FACTS, ids=[f"{prefix}.{kind.__name__}" for prefix, kind in FACTS])
def test_every_fact_can_be_told(prefix: str, kind: type, language: Language) -> None:
    for reader in (0, 1, None):
        telling = Telling.of(load_map("europe"), NAMES, reader, language)
        for params in examples(kind):
            told = telling.tell(prefix, kind(**params))
            assert re.fullmatch(r"[^{}=]+[.?]", told), told
            assert "None" not in told and "  " not in told and " ." not in told, told


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phase_is_said_and_asked(language: Language) -> None:
    for phase in typing.get_args(Phase):
        assert words_of(language)[f"due.{phase}"] and words_of(language)[f"ask.{phase}"]


def test_the_page_is_held_to_the_sentences_told_here() -> None:
    file = PACKAGE.parent / "web" / "tests" / "telling.vectors.json"
    assert json.loads(file.read_text(encoding="utf-8")) == vectors(), "run python -m tests.facts"


def test_all_languages_have_the_same_messages_in_the_same_files() -> None:
    for folder in [PACKAGE / "words", *sorted(PACKAGE.glob("mechanics/*/words"))]:
        assert {file.stem for file in folder.glob("*.json")} - {"maps"} == set(LANGUAGES), folder
    english = catalogue("en")
    for language in LANGUAGES:
        own = catalogue(language)
        assert own.keys() == english.keys()
        for key, message in own.items():
            assert isinstance(message, str) == isinstance(english[key], str), key
            if isinstance(message, dict):
                assert {plural(language, n) for n in range(1000)} <= set(message), f"{language} {key}"


def test_every_shipped_map_has_a_name_in_every_language() -> None:
    for name in shipped_maps():
        assert all(map_name(name, language) != name for language in LANGUAGES), name
    assert map_name("somebody's own map", "ro") == "somebody's own map"


def test_no_message_is_about_a_fact_that_there_is_not() -> None:
    known = {f"{prefix}.{kind.__name__}" for prefix, kind in FACTS}
    for key in catalogue("en"):
        if key.startswith(("event.", "why.")):
            assert ".".join(key.split(".")[:2]) in known, key


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", {0: "other", 1: "one", 2: "other", 20: "other", 101: "other"}),
        ("ro", {0: "few", 1: "one", 2: "few", 19: "few", 20: "other", 100: "other", 101: "few", 119: "few"}),
        ("pt-PT", {0: "other", 1: "one", 2: "other"}),
        ("pt-BR", {0: "other", 1: "one", 2: "other"}),
    ],
)
def test_plurals_follow_unicode(language: Language, forms: dict[int, str]) -> None:
    assert {n: plural(language, n) for n in forms} == forms


@pytest.mark.parametrize(
    ("wish", "language"),
    [("pt_BR.UTF-8", "pt-BR"), ("pt", "pt-PT"), ("ro_RO", "ro"), ("C", "en"), ("", "en"), ("fr", "en")],
)
def test_the_nearest_language_is_spoken(wish: str, language: Language) -> None:
    assert spoken(wish) == language


# ---------------------------------------------------------------- refusals


def test_a_refusal_is_data_and_a_plain_sentence() -> None:
    game = Game.new("europe", 2, seed=1)
    with pytest.raises(IllegalAction) as refused:
        game.play(f"keep {game.view(0).offered_tickets[0]}")
    no = refused.value
    assert (no.clause, no.kind, no.params) == ("EUR-01", "KeepFirst", {"keep": 2, "offered": 4})
    assert no.why == KeepFirst(2, 4)
    assert str(no) == "EUR-01: Keep at least 2 of the 4 tickets you were dealt, each once."


def test_a_refusal_is_worded_with_the_numbers_and_names_of_the_map() -> None:
    told = Telling.of(load_map("europe"), NAMES, 0, "pt-BR")
    assert told.tell("why", NotYourTurn(1)) == "Ainda não é a sua vez. Agora é a vez de Rui."
    assert told.tell("why", TrackTaken(0, "paris-zurich-1")) == "A rota Paris–Zürich já é sua. Escolha uma rota livre."
    romanian = Telling.of(load_map("europe"), NAMES, 0, "ro")
    few = TooFewCards("paris-zurich-1", 3, "red", 1, 1)
    assert romanian.tell("why", few) == "Ruta Paris–Zürich cere 3 cărți, iar tu ai o carte roșie și o locomotivă."


def test_a_terrain_without_a_word_of_ours_is_called_as_its_map_calls_it() -> None:
    data = load_map("africa")
    assert data.terrain
    swamp = dataclasses.replace(data.terrain.types[0], id="swamp", name="Swamp")
    fan = dataclasses.replace(data, hash="fan", terrain=dataclasses.replace(data.terrain, types=(swamp,)))
    told = Telling.of(fan).tell("why", TooFewTerrain("swamp", 2, 1))
    assert told.startswith("Doubling takes 2 terrain cards (swamp) and you have 1.")


def test_what_is_no_name_of_the_map_is_shown_as_it_is_and_cannot_upset_the_screen() -> None:
    game = table("usa", hands=["red"])
    with pytest.raises(IllegalAction) as refused:
        game.play(ClaimTrack("no\x1b[2Jwhere", "red"))
    assert "\x1b" not in str(refused.value)


@pytest.mark.parametrize("name", shipped_maps())
def test_a_map_cites_clauses_of_the_rulebook(name: str) -> None:
    rules = (PACKAGE / "rules.md").read_text(encoding="utf-8")
    for clause in dataclasses.astuple(load_map(name).clauses):
        assert f"**{clause}**" in rules
