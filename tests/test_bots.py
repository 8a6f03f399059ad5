"""The bots: what they may see, what they choose, and that they never get stuck."""

from __future__ import annotations

import importlib
from collections import Counter

import pytest

from branchline import (
    BuildStation,
    ClaimTrack,
    Decline,
    DoublePoints,
    DrawDeck,
    DrawDisplay,
    DrawTickets,
    Game,
    KeepTickets,
    PlayLocos,
    SinglePoints,
    TakeFestivals,
    TakeTerrain,
    load_map,
    shipped_maps,
)
from branchline.actions import Action
from branchline.bots import BOTS, Bot, make_bot
from branchline.bots.composed import Plan
from branchline.bots.games import match
from branchline.bots.games.match import NOTES, play_match
from branchline.bots.games.request import request
from branchline.bots.warm import PACKAGES, SOURCES
from branchline.kernel import primitives
from branchline.kernel.board import make_board
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Board, Position, Work
from tests.table import table

MAPS = shipped_maps()


def choice(game: Game, bot: str = "conductor") -> Action:
    seat = game.to_act[0]
    return make_bot(bot, 1).choose(game.view(seat), game.legal_actions(seat))


def play_out(game: Game, bots: list[Bot]) -> Game:
    """Play a game to its end; every choice is a legal one, or `play` raises."""
    while not game.is_over:
        seat = game.to_act[0]
        game.play(bots[seat].choose(game.view(seat), game.legal_actions(seat)), seat)
    return game


# ---------------------------------------------------------------- names


def test_the_bots_have_names() -> None:
    assert BOTS[:2] == ("random", "path")
    for name in BOTS:
        assert hasattr(make_bot(name, 0), "choose")


@pytest.mark.parametrize(("wrong", "right"), [("pth", "path"), ("rnadom", "random"), ("Path", "path")])
def test_an_unknown_bot_is_refused_with_the_nearest(wrong: str, right: str) -> None:
    with pytest.raises(ValueError, match=f'no bot "{wrong}".*did you mean "{right}"'):
        make_bot(wrong, 0)


def test_a_name_like_no_other_is_answered_with_all() -> None:
    with pytest.raises(ValueError, match="there are: random, path"):
        make_bot("zzz", 0)


def test_a_spectator_has_nothing_to_choose() -> None:
    game = table()
    with pytest.raises(ValueError, match="spectator"):
        make_bot("conductor", 0).choose(game.view(None), game.legal_actions())


# ---------------------------------------------------------------- the random bot


def test_the_random_bot_takes_every_action_as_often() -> None:
    game = table(hands=["red red", ""])
    actions = game.legal_actions()
    bot = make_bot("random", 3)
    times = 400
    counts = Counter(bot.choose(game.view(0), actions) for _ in range(times * len(actions)))
    assert set(counts) == set(actions)
    chi_square = sum((counts[a] - times) ** 2 / times for a in actions)
    assert chi_square < 2 * len(actions), "as spread out as chance makes it, at odds of a thousand to one"


def test_the_same_seed_makes_the_same_choices() -> None:
    game = Game.new("usa", 2, seed=5)
    actions = game.legal_actions()
    first, again, other = (make_bot("random", seed) for seed in (7, 7, 8))
    lines = [[bot.choose(game.view(0), actions) for _ in range(50)] for bot in (first, again, other)]
    assert lines[0] == lines[1] != lines[2]


# ---------------------------------------------------------------- the conductor plays on


@pytest.mark.parametrize("name", MAPS)
@pytest.mark.parametrize("players", [2, 5])
def test_path_bots_play_every_map_to_its_last_round(name: str, players: int) -> None:
    game = play_out(Game.new(name, players, seed=players), [make_bot("conductor", 0) for _ in range(players)])
    assert game.end_reason == "last round"
    assert min(score.total for score in game.scores()) > 0


@pytest.mark.parametrize("name", MAPS)
def test_a_bot_that_comes_in_the_middle_plays_as_the_one_before(name: str) -> None:
    game = Game.new(name, 2, seed=9)
    bots = [make_bot("conductor", seat) for seat in range(2)]
    while not game.is_over:
        seat = game.to_act[0]
        view, actions = game.view(seat), game.legal_actions(seat)
        action = bots[seat].choose(view, actions)
        assert make_bot("conductor", 99).choose(view, actions) == action
        game.play(action, seat)


def test_without_cards_to_draw_the_bot_claims_or_draws_tickets() -> None:
    game = table(display="- - - - -", hands=["red red red", ""], rest="last hand", tickets=["los_angeles-miami"])
    assert isinstance(choice(game), ClaimTrack)
    game = table(display="- - - - -", hands=["", ""], rest="last hand", tickets=["los_angeles-miami"])
    assert choice(game) == DrawTickets()


def test_an_action_that_is_not_offered_is_not_chosen() -> None:
    game = table(hands=["yellow yellow", ""], tickets=["boston-miami"])
    only = (DrawDeck(),)
    assert make_bot("conductor", 0).choose(game.view(0), only) == DrawDeck()


# ---------------------------------------------------------------- the conductor's choices


def test_the_last_track_of_a_ticket_is_claimed() -> None:
    game = table(
        hands=["blue blue blue blue blue green", ""],
        tickets=["boston-miami"],
        tracks={0: ["boston-new_york-1", "new_york-washington-1", "raleigh-washington-1", "atlanta-raleigh-1"]},
    )
    assert choice(game) == ClaimTrack("atlanta-miami-1", "blue")


def test_the_colour_that_is_lacking_is_drawn() -> None:
    game = table(
        display="red green blue white black",
        hands=["blue blue blue", ""],
        tickets=["boston-miami"],
        tracks={0: ["boston-new_york-1", "new_york-washington-1", "raleigh-washington-1", "atlanta-raleigh-1"]},
    )
    assert choice(game) == DrawDisplay(3)


def test_tracks_of_others_are_gone_round() -> None:
    """With Atlanta and Miami joined by somebody else the way leads over Charleston."""
    game = table(
        hands=["purple purple purple purple blue blue blue blue blue", ""],
        tickets=["boston-miami"],
        tracks={
            0: ["boston-new_york-1", "new_york-washington-1", "raleigh-washington-1", "charleston-raleigh-1"],
            1: ["atlanta-miami-1"],
        },
    )
    assert choice(game) == ClaimTrack("charleston-miami-1", "purple")


def test_colour_cards_are_played_before_locomotives() -> None:
    game = table(
        hands=["blue blue blue blue blue loco loco", ""],
        tickets=["boston-miami"],
        tracks={0: ["boston-new_york-1", "new_york-washington-1", "raleigh-washington-1", "atlanta-raleigh-1"]},
    )
    game.play(choice(game))
    assert choice(game) == PlayLocos(0)


def test_a_gray_track_is_paid_with_cards_that_nothing_else_needs() -> None:
    """Atlanta–Miami takes blue, so that Raleigh–Atlanta is paid with black."""
    game = table(
        hands=["blue blue blue black black", ""],
        tickets=["boston-miami"],
        tracks={0: ["boston-new_york-1", "new_york-washington-1", "raleigh-washington-1"], 1: ["charleston-miami-1"]},
    )
    action = choice(game)
    assert isinstance(action, ClaimTrack)
    assert action.track.startswith("atlanta-raleigh")
    assert action.colour == "black"


def test_of_new_tickets_those_on_the_way_are_kept() -> None:
    deck = "montreal-atlanta seattle-los_angeles portland-nashville"
    game = table(tickets=["boston-miami"], ticket_deck=deck)
    game.play(DrawTickets())
    assert choice(game) == KeepTickets(("montreal-atlanta",))


def test_a_new_ticket_that_is_joined_already_is_kept() -> None:
    east = [
        "boston-new_york-1",
        "new_york-washington-1",
        "raleigh-washington-1",
        "atlanta-raleigh-1",
        "atlanta-miami-1",
    ]
    game = table(
        hands=["", ""],
        tracks={0: east},
        ticket_deck="los_angeles-miami boston-miami seattle-new_york",
        trains=[20, 45],
    )
    game.play(DrawTickets())
    kept = choice(game)
    assert isinstance(kept, KeepTickets)
    assert kept.tickets == ("boston-miami",)


def test_the_last_turn_takes_what_scores() -> None:
    game = table(hands=["blue blue blue blue blue red", ""], trains=[20, 2], seat=1)
    game.play(DrawDeck())
    game.play(DrawDeck())
    assert game.view(0).last_round
    assert choice(game) == ClaimTrack("atlanta-miami-1", "blue")


# ---------------------------------------------------------------- Europe


BREST_MUNCHEN = ["brest-paris-1", "frankfurt-paris-1", "frankfurt-munchen-1"]


def test_no_station_is_built_while_there_is_a_way() -> None:
    game = table("europe", hands=["red red", ""], tickets=["paris-wien"], tracks={0: BREST_MUNCHEN})
    assert not isinstance(choice(game), BuildStation)


def test_a_station_is_built_where_a_ticket_is_blocked() -> None:
    """Everything round Edinburgh is taken: only a station opens it."""
    game = table(
        "europe",
        hands=["red red", ""],
        tickets=["edinburgh-paris"],
        tracks={0: ["dieppe-london-1", "dieppe-paris-1"], 1: ["edinburgh-london-1"]},
    )
    action = choice(game)
    assert isinstance(action, BuildStation)
    assert action.place in ("edinburgh", "london")
    assert action.colour == "red"


def test_a_tunnel_is_not_tried_without_a_card_to_spare() -> None:
    for cards, tried in (("blue blue blue", True), ("blue blue", False)):
        game = table("europe", hands=[cards, ""], tickets=["brest-venezia"], tracks={0: BREST_MUNCHEN})
        assert (choice(game) == ClaimTrack("munchen-venezia-1", "blue")) == tried


def test_extra_cards_are_paid_with_colour_cards_or_declined() -> None:
    game = table("europe", hands=["blue blue blue blue loco", ""], deck="blue blue red", tickets=["brest-venezia"])
    game.play("claim munchen-venezia-1 blue")
    game.play("locos 0")
    assert choice(game) == PlayLocos(0)
    game = table("europe", hands=["blue blue", ""], deck="blue blue red", tickets=["brest-venezia"])
    game.play("claim munchen-venezia-1 blue")
    assert choice(game) == Decline()


# ---------------------------------------------------------------- Africa and Iberia


def test_a_long_track_is_doubled_and_a_short_one_is_not() -> None:
    for track, colour, cards, double in [
        ("libreville-bangui-1", "green", "jungle jungle", True),
        ("douala-libreville-1", "green", "jungle jungle", False),
    ]:
        game = table("africa", hands=["green green green green", ""], terrain=[cards, "desert"])
        game.play(ClaimTrack(track, colour))
        assert choice(game) == (DoublePoints(0) if double else SinglePoints())


def test_terrain_that_doubles_a_planned_track_is_taken() -> None:
    for mine, action in (("jungle", TakeTerrain(2)), ("jungle jungle", DrawDisplay(4))):
        game = table(
            "africa",
            display="red black blue green white",
            hands=["green green green green", ""],
            terrain=[mine, ""],
            terrain_display="desert jungle",
            tickets=["addis_ababa-mombasa"],
            tracks={0: ["port_florence-mombasa-1"], 1: ["addis_ababa-junction_east-1"]},
        )
        assert choice(game) == action


def test_the_fuller_festival_is_chosen() -> None:
    data = load_map("iberia")
    assert data.festivals
    places = {place: group.id for group in data.festivals.groups for place in group.places}
    track = next(
        t for t in data.tracks if t.a in places and t.b in places and places[t.a] != places[t.b] and not t.ferry
    )
    colour = "red" if track.colour == "gray" else track.colour
    for more, less in ((track.a, track.b), (track.b, track.a)):
        game = table("iberia", hands=[[colour] * track.length, ""], festivals={places[more]: 3, places[less]: 1})
        game.play(ClaimTrack(track.id, colour))
        assert choice(game) == TakeFestivals(more)


# ---------------------------------------------------------------- inside the kernel


def test_every_choice_is_made_on_a_veiled_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    real = match.bot_action

    def spy(s: Position, b: Board, w: Work, plan: Plan, seat: int, bot: int, seed: int, i: int) -> int:
        others = [p for p in range(s.players) if p != seat]
        seen.append(s)
        assert s.seed == 0
        assert set(s.deck[: s.deck_n]) <= {k.HIDDEN}
        assert all(
            s.ticket_at[t] in (0, k.HELD + seat, k.RETURNED + seat, k.REMOVED + seat) for t in range(b.n_tickets)
        )
        assert all(s.hand[p * k.HAND + c] == s.seen[p * k.CARDS + c] for p in others for c in range(k.CARDS))
        return real(s, b, w, plan, seat, bot, seed, i)

    monkeypatch.setattr(match, "bot_action", spy)
    positions = [Position(), Position()]
    board = make_board(load_map("usa"))
    n = play_match(positions, board, Work(), Plan(), request(bots=[1, 0], players=2), 3, [0] * NOTES, 0, [])
    assert n == len(seen) > 50
    assert all(s is not positions[0] for s in seen)


def test_a_name_means_one_number_in_all_kernel_functions() -> None:
    """The compiled twins share one table of names; compiling refuses as well, but only once it is done anew."""
    for path in SOURCES:
        if path.parent.name in PACKAGES and path.stem != "__init__":
            importlib.import_module(f"branchline.bots.{path.parent.name}.{path.stem}")
    values: dict[str, tuple[object, str]] = {}
    for function in primitives.KERNEL.values():
        for name, value in function.__globals__.items():
            if isinstance(value, int) and not name.startswith("__"):
                assert values.setdefault(name, (value, function.__module__))[0] == value, (name, function.__module__)
