"""Every action has one line of text, and the line reads back; what is no action is refused with what would be one."""

from __future__ import annotations

import random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from branchline import (
    Action,
    BadNotation,
    BuildStation,
    ClaimTrack,
    Decline,
    DoublePoints,
    DrawDeck,
    DrawDisplay,
    DrawTerrain,
    DrawTickets,
    Game,
    KeepTickets,
    LeaveBags,
    Pass,
    PickTicket,
    PlayLocos,
    ReturnTicket,
    SinglePoints,
    SwapBag,
    TakeBag,
    TakeFestivals,
    TakeTerrain,
    load_map,
    read_action,
    shipped_maps,
    write_action,
)
from branchline.maps.model import CARDS
from tests.table import table

LINES: dict[str, Action] = {
    "draw 3": DrawDisplay(3),
    "draw deck": DrawDeck(),
    "terrain 2": TakeTerrain(2),
    "terrain deck": DrawTerrain(),
    "tickets": DrawTickets(),
    "claim paris-zurich-1 loco": ClaimTrack("paris-zurich-1", "loco"),
    "station paris red": BuildStation("paris", "red"),
    "locos 0": PlayLocos(0),
    "double 1": DoublePoints(1),
    "single": SinglePoints(),
    "festival sevilla": TakeFestivals("sevilla"),
    "decline": Decline(),
    "keep brest-marseille paris-wien": KeepTickets(("brest-marseille", "paris-wien")),
    "return paris-wien": ReturnTicket("paris-wien"),
    "take paris-wien": PickTicket("paris-wien"),
    "leave bags": LeaveBags(),
    "take bag brasov": TakeBag("brasov"),
    "take bag brasov for 2": SwapBag("brasov", 2),
    "pass": Pass(),
}
MUTANTS = 5000


def test_every_kind_of_action_has_a_line() -> None:
    assert {type(action) for action in LINES.values()} == set(get_args(Action))


@pytest.mark.parametrize(("line", "action"), LINES.items())
def test_lines_and_actions(line: str, action: Action) -> None:
    assert write_action(action) == line
    assert read_action(line) == action
    assert read_action(f"  {line.replace(' ', '   ')}\t") == action


@pytest.mark.parametrize("name", shipped_maps())
def test_whatever_is_legal_in_a_game_reads_back(name: str) -> None:
    data, rng = load_map(name), random.Random(name)
    game = Game.new(name, players=4, seed=11)
    while not game.is_over:
        legal = game.legal_actions()
        for action in legal:
            assert read_action(write_action(action), data) == action
        assert len({write_action(action) for action in legal}) == len(legal)
        game.play(write_action(rng.choice(legal)))


@pytest.mark.parametrize("name", shipped_maps())
def test_the_longest_list_of_actions_reads_back(name: str) -> None:
    """A hand with plenty of everything: on the map with stations that makes more than 700 lines."""
    legal = table(name, hands=[[card for card in CARDS for _ in range(8)]]).legal_actions()
    assert [read_action(write_action(action), load_map(name)) for action in legal] == list(legal)
    assert len(legal) > (700 if name == "europe" else 100)


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "no action begins with"),
        ("   ", "no action begins with"),
        ("clam paris-zurich-1 red", 'no action begins with "clam" (did you mean "claim"?)'),
        ("Draw 1", '(did you mean "draw"?)'),
        ("draw", "write draw 1"),
        ("draw one", "write draw 1"),
        ("draw -1", "write draw 1"),
        ("draw 01", "write draw 1"),
        ("draw 100", "write draw 1"),
        ("draw ١", "write draw 1"),
        ("draw 1 2", "write draw 1"),
        ("terrain", "write terrain 1"),
        ("claim paris-zurich-1", "write claim TRACK COLOUR"),
        ("claim paris-zurich-1 red 2", "write claim TRACK COLOUR"),
        ("station paris", "write station CITY COLOUR"),
        ("locos", "write locos NUMBER"),
        ("locos x", "write locos NUMBER"),
        ("double", "write double NUMBER"),
        ("keep", "write keep TICKET"),
        ("return", "write return TICKET"),
        ("take a b", "write take TICKET"),
        ("pass now", "write pass"),
        ("tickets 3", "write tickets"),
        ("festival", "write festival CITY"),
    ],
)
def test_a_line_of_the_wrong_form_is_refused(line: str, told: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        read_action(line)
    assert told in str(refusal.value)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("claim paris-zurch-1 red", 'no track "paris-zurch-1" on this map (did you mean "paris-zurich-1"?)'),
        ("claim paris-zurich-1 rde", 'no colour "rde" on this map (did you mean "red"?)'),
        ("claim paris-zurich-1 gray", 'no colour "gray"'),
        ("station pariss red", 'no place "pariss" on this map (did you mean "paris"?)'),
        ("festival pariss", '(did you mean "paris"?)'),
        ("keep paris-wien paris-vien", 'no ticket "paris-vien" on this map (did you mean "paris-wien"?)'),
        ("return paris-vien", '(did you mean "paris-wien"?)'),
        ("take paris-vien", '(did you mean "paris-wien"?)'),
        ("take " + "x" * 500, 'no ticket "xxx'),
    ],
)
def test_a_name_that_is_not_on_the_map_is_refused_with_the_nearest(line: str, told: str) -> None:
    read_action(line)  # without a map nobody can know
    with pytest.raises(BadNotation) as refusal:
        read_action(line, load_map("europe"))
    assert told in str(refusal.value)


def test_what_is_no_text_or_too_long_is_refused() -> None:
    with pytest.raises(BadNotation, match="not bytes"):
        read_action(b"pass")  # type: ignore[arg-type]
    with pytest.raises(BadNotation, match="1000 at the most"):
        read_action("keep " + "a " * 1000)


# ---------------------------------------------------------------- fuzz


def reads_or_is_refused(line: str) -> bool:
    """True if it reads, and then it reads the same for ever; False if it is refused in a few words."""
    for data in (None, load_map("europe")):
        refusal = ""
        try:
            action = read_action(line, data)
        except BadNotation as error:
            refusal = str(error) or "nothing told"
        if refusal:
            assert refusal != "nothing told"
            assert len(refusal) < 400
            return False
        assert read_action(write_action(action), data) == action
    return True


def mutated(line: str, rng: random.Random) -> str:
    words = line.split(" ")
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.randrange(len(words))
        match rng.randrange(7):
            case 0:
                words[at] = words[at][: rng.randrange(len(words[at]) + 1)]
            case 1:
                words.insert(at, rng.choice(["red", "paris", "9", "-", "", "deck", "\x00", "\u2028", "é", "١"]))
            case 2:
                words.insert(at, words[at])
            case 3:
                words[at] += rng.choice(["s", "1", "\n", "\x1b[2J", "\ud800", "é" * 30])
            case 4:
                words[at] = words[at].upper()
            case 5:
                rng.shuffle(words)
            case _:
                words[at] = words[at][::-1]
    return rng.choice([" ", " ", "\t", "", "\u00a0"]).join(words)


def test_changed_lines_are_read_or_refused() -> None:
    rng = random.Random("lines")
    lines = [mutated(rng.choice(list(LINES)), rng) for _ in range(MUTANTS)]
    read = [reads_or_is_refused(line) for line in lines]
    assert 0 < sum(read) < MUTANTS


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(line: str) -> None:
    reads_or_is_refused(line)
