"""The errors that other programs for this game make: each is a test here, by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from branchline import Deal, DrawDisplay, Game, IllegalAction, Pass, imagine, load_map, shipped_maps, write_action
from branchline.events import DeckReshuffled, DisplaySwept, LastRoundBegan, TrackClaimed
from branchline.kernel.state import HIDDEN
from branchline.maps.model import CARDS, COLOURS
from tests.table import hand, table, train_cards

BLIND = ("draw deck", "draw deck")
NOTHING = "- - - - -"


def play(game: Game, *lines: str) -> None:
    for line in lines:
        game.play(line)


def offers(game: Game) -> set[str]:
    return {write_action(action) for action in game.legal_actions()}


def random_game(name: str, players: int, seed: int) -> Iterator[Game]:
    """A game played at random; the game before every action, and at the end."""
    game, rng = Game.new(name, players, seed=seed), Random(seed)
    while not game.is_over:
        yield game
        game.play(rng.choice(game.legal_actions()))
    yield game


def double_routes(name: str) -> list[list[str]]:
    """The tracks of each double route."""
    routes: dict[frozenset[str], list[str]] = {}
    for track in load_map(name).tracks:
        routes.setdefault(frozenset((track.a, track.b)), []).append(track.id)
    return [tracks for tracks in routes.values() if len(tracks) > 1]


# ---------------------------------------------------------------- double routes


def can_claim(track: str, name: str, players: int, claimed: dict[int, list[str]]) -> bool:
    """Whether seat 0, with all the cards it takes, may claim a track."""
    colour = next(t.colour for t in load_map(name).tracks if t.id == track)
    cards = ["red" if colour == "gray" else colour] * 6 + ["loco"] * 6
    game = table(name, players, display="white white yellow yellow blue", tracks=claimed, hands=[cards])
    return any(line.startswith(f"claim {track} ") for line in offers(game))


@pytest.mark.parametrize("name", shipped_maps())
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_nobody_owns_both_tracks_of_a_double(name: str, players: int) -> None:
    for first, second in double_routes(name):
        assert can_claim(first, name, players, {})
        assert not can_claim(first, name, players, {0: [second]})
        assert not can_claim(second, name, players, {0: [first]})


@pytest.mark.parametrize("name", shipped_maps())
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_other_track_is_locked_with_two_or_three_players(name: str, players: int) -> None:
    for first, second in double_routes(name):
        assert can_claim(first, name, players, {1: [second]}) == (players >= 4)
        assert can_claim(second, name, players, {1: [first]}) == (players >= 4)


# ---------------------------------------------------------------- locomotives in the display


@pytest.mark.parametrize("first", ["draw 1", "draw deck"])
def test_no_second_face_up_locomotive(first: str) -> None:
    game = table(display="red loco loco white black", deck="green green")
    game.play(first)
    assert {"draw 2", "draw 3"}.isdisjoint(offers(game))
    with pytest.raises(IllegalAction, match="C-13"):
        game.play("draw 2")


def test_a_face_up_locomotive_ends_the_turn() -> None:
    game = table(display="red loco loco white black")
    game.play("draw 2")
    assert game.to_act == (1,)
    assert hand(game, 0) == {"loco": 1}


def test_three_locomotive_sweep_happens() -> None:
    game = table(display="loco loco red blue green", deck="loco  white white black black yellow")
    assert DisplaySwept() in game.play("draw 3")
    assert game.view(None).display == ("white", "white", "black", "black", "yellow")


def test_three_locomotive_sweep_is_not_endless() -> None:
    # all locomotives are there and hardly any other card: nearly every new display has three of them
    locos = ["loco"] * 11
    for seed in range(20):
        position = table(display="loco loco loco red blue", deck=[*locos, "white"], rest="last hand").position
        position.seed = seed
        game = Game.at("usa", position)
        events = game.play("draw deck") + game.play("draw deck")
        assert events.count(DisplaySwept()) <= 10


def test_three_locomotive_sweep_with_locomotives_alone_is_not_endless() -> None:
    game = table(display="loco loco loco loco loco", deck=["loco"] * 9, rest="last hand")
    events = game.play("draw deck") + game.play("draw deck")
    assert DisplaySwept() not in events
    assert game.to_act == (1,)


def test_three_locomotive_sweep_makes_no_cards() -> None:
    game = table(
        display="loco loco red blue green",
        deck="loco  loco loco white loco black  loco loco loco yellow yellow",
        rest="last hand",
    )
    before = train_cards(game)
    assert DisplaySwept() in game.play("draw 3")
    assert train_cards(game) == before
    assert before.total() == 110


@pytest.mark.parametrize("name", shipped_maps())
def test_there_are_110_cards_after_every_action(name: str) -> None:
    deck = Counter(dict.fromkeys(COLOURS, 12)) + Counter(loco=14)
    for players in (2, 5):
        for game in random_game(name, players, seed=players):
            assert train_cards(game) == deck


# ---------------------------------------------------------------- deck and discards


def test_discards_are_shuffled_when_they_become_the_deck() -> None:
    thrown = list(COLOURS) * 6
    orders = []
    for seed in range(10):
        position = table(discards=thrown, rest="last hand").position
        position.seed = seed
        game = Game.at("usa", position)
        assert DeckReshuffled(48) in game.play("draw deck")
        orders.append([CARDS[card] for card in game.position.deck[:47]])
    assert len({tuple(order) for order in orders}) == 10
    for order in orders:
        runs = 1 + sum(a != b for a, b in pairwise(order))
        assert runs > 30  # neither sorted by colour ...
        assert sum(a == b for a, b in zip(order, thrown, strict=False)) < 24  # ... nor as they were thrown away


def test_draws_are_allowed_while_cards_lie_face_up() -> None:
    game = table(display="red - - blue loco", rest="last hand")
    draws = [action for action in game.legal_actions() if isinstance(action, DrawDisplay)]
    assert draws == [DrawDisplay(1), DrawDisplay(4), DrawDisplay(5)]
    play(game, "draw 1", "draw 4")
    assert hand(game, 0) == {"red": 1, "blue": 1}


# ---------------------------------------------------------------- a blocked game


def test_a_blocked_player_passes_and_the_game_does_not_hang() -> None:
    # all train cards are in the hand of seat 2, who has no trains for them
    game = table(players=3, display=NOTHING, rest="last hand", ticket_deck="", trains=[45, 45, 0])
    for seat in range(3):
        assert game.to_act == (seat,)
        assert game.legal_actions() == (Pass(),)
        game.play("pass")
    assert game.is_over
    assert game.end_reason == "all passed"


@pytest.mark.parametrize("name", shipped_maps())
def test_there_is_always_something_to_choose_until_the_game_is_over(name: str) -> None:
    for game in random_game(name, 3, seed=9):
        assert game.is_over or all(game.legal_actions(seat) for seat in game.to_act)
        assert game.is_over == (game.to_act == ())


def test_players_who_only_try_tunnels_and_decline_do_not_play_for_ever() -> None:
    game = table(
        "europe", display="blue green white black yellow", deck="red red red", hands=["red red"] * 2, rest="last hand"
    )
    turns = 0
    while not game.is_over:
        game.play("claim barcelona-pamplona-1 red")
        if game.phase == "pay":
            game.play("locos 0")
        game.play("decline")
        turns += 1
    assert turns == 20


# ---------------------------------------------------------------- the longest path


def test_longest_path_may_revisit_a_city() -> None:
    # a figure of eight through Denver, with a tail: Denver is passed twice and left a third time
    west = ["denver-santa_fe-1", "phoenix-santa_fe-1", "denver-phoenix-1"]  # 2 + 3 + 5
    east = ["denver-kansas_city-1", "kansas_city-omaha-1", "denver-omaha-1"]  # 4 + 1 + 4
    sheet = table(tracks={0: [*west, *east, "denver-helena-1"]}).scores()[0]
    assert sheet.longest_path == 10 + 9 + 4
    assert len(sheet.longest_path_tracks) == len(set(sheet.longest_path_tracks)) == 7


# ---------------------------------------------------------------- the last round


def turns_of_the_last_round(players: int, trigger: int) -> list[int]:
    trains = [5 if seat == trigger else 45 for seat in range(players)]
    hands = ["yellow yellow yellow" if seat == trigger else "" for seat in range(players)]
    game = table(players=players, trains=trains, hands=hands, seat=trigger)
    events = game.play("claim los_angeles-san_francisco-1 yellow")
    assert LastRoundBegan(trigger) in events
    turns = []
    while not game.is_over:
        turns.append(game.to_act[0])
        play(game, *BLIND)
    return turns


EVERY_TABLE = [(players, seat) for players in (2, 3, 4, 5) for seat in range(players)]


@pytest.mark.parametrize(("players", "trigger"), EVERY_TABLE)
def test_the_last_round_is_not_too_short(players: int, trigger: int) -> None:
    assert set(turns_of_the_last_round(players, trigger)) == set(range(players))


@pytest.mark.parametrize(("players", "trigger"), EVERY_TABLE)
def test_the_last_round_is_not_too_long(players: int, trigger: int) -> None:
    assert len(turns_of_the_last_round(players, trigger)) == players


@pytest.mark.parametrize(("players", "trigger"), EVERY_TABLE)
def test_the_last_round_is_not_without_the_player_who_triggered_it(players: int, trigger: int) -> None:
    assert turns_of_the_last_round(players, trigger)[-1] == trigger


# ---------------------------------------------------------------- Europe


@pytest.mark.parametrize("cards", ["red red red", "red red loco", "red red"])
def test_a_tunnel_is_not_paid_without_asking(cards: str) -> None:
    game = table("europe", deck="red blue blue", hands=[cards])
    game.play("claim barcelona-pamplona-1 red")
    if game.phase == "pay":
        game.play("locos 0")
    assert game.phase == "tunnel"
    assert game.view(None).tunnel_cards == ("red", "blue", "blue")
    assert "decline" in offers(game)
    events = game.play("decline")
    assert not any(isinstance(event, TrackClaimed) for event in events)
    assert hand(game, 0) == Counter(cards.split())


def test_a_station_lends_one_track_only() -> None:
    # at Berlin the other player owns tracks to Essen and to Frankfurt; either completes one ticket, not both
    game = table(
        "europe",
        tickets=[["london-berlin", "berlin-roma"]],
        tracks={
            0: [
                "amsterdam-essen-1",
                "amsterdam-london-1",
                "frankfurt-munchen-1",
                "munchen-venezia-1",
                "roma-venezia-1",
            ],
            1: ["berlin-essen-1", "berlin-frankfurt-1"],
        },
        stations={0: ["berlin"]},
    )
    sheet = game.scores()[0]
    assert sheet.completed == 1
    assert sheet.ticket_points == 9 - 7  # Berlin to Roma is worth more than London to Berlin
    assert [loan.track for loan in sheet.loans] == ["berlin-frankfurt-1"]


# ---------------------------------------------------------------- ties


def test_ties_are_broken() -> None:
    ticket = table(
        tickets=[[], ["denver-el_paso"]],
        tracks={
            0: ["atlanta-new_orleans-1", "portland-seattle-1"],  # 7 + 1 points, a path of 4
            1: ["denver-santa_fe-1", "el_paso-santa_fe-1"],  # 2 + 2 points and 4 for the ticket, a path of 4
        },
    )
    assert [(sheet.total, sheet.place) for sheet in ticket.scores()] == [(18, 2), (18, 1)]
    path = table(
        "africa",  # the longest path earns nothing here, and breaks a tie all the same
        tracks={
            0: ["pretoria-durban-1", "douala-libreville-1"],  # 2 + 1 points, apart
            1: ["bulawayo-pretoria-1", "salisbury-bulawayo-1"],  # 2 + 1 points, joined
        },
    )
    assert [(sheet.total, sheet.place) for sheet in path.scores()] == [(3, 2), (3, 1)]


# ---------------------------------------------------------------- searchers


def middle_of_a_game(name: str, seed: int = 4) -> Game:
    for game in random_game(name, 3, seed):
        if len(game.history) >= 60 and game.phase == "turn":
            return game
    raise AssertionError("the game was over too early")


@pytest.mark.parametrize("name", shipped_maps())
@pytest.mark.parametrize("reader", [0, 1, 2, None])
def test_a_view_holds_no_deck(name: str, reader: int | None) -> None:
    game = middle_of_a_game(name)
    position = game.position
    assert position.deck_n > 20
    assert set(game.view(reader).position.deck) <= {HIDDEN, 0}
    position.deck[: position.deck_n] = position.deck[: position.deck_n][::-1]
    position.seed += 1
    assert Game.at(game.map, position).view(reader).to_bytes() == game.view(reader).to_bytes()


@pytest.mark.parametrize("name", shipped_maps())
def test_a_searcher_never_sees_the_true_deck(name: str) -> None:
    game = middle_of_a_game(name)
    seat = game.to_act[0]
    rng = Random(1)
    truth = game.position.deck
    decks = [imagine(game.view(seat), rng).position.deck for _ in range(40)]
    assert truth not in decks
    assert len({tuple(deck) for deck in decks}) == 40
    tops = Counter(deck[game.position.deck_n - 1] for deck in decks)
    assert len(tops) > 3  # the next card is not settled by what the searcher holds


@pytest.mark.parametrize("name", shipped_maps())
def test_a_searcher_imagines_the_same_whatever_the_true_deck_is(name: str) -> None:
    game = middle_of_a_game(name)
    seat = game.to_act[0]
    position = game.position
    position.deck[: position.deck_n] = position.deck[: position.deck_n][::-1]
    position.seed += 1
    other = Game.at(game.map, position)
    assert imagine(game.view(seat), Random(5)) == imagine(other.view(seat), Random(5))


def test_a_searcher_does_not_know_the_reshuffles_to_come() -> None:
    game = Game.new("usa", 2, deal=Deal(seed=7, reshuffles=(("red", "red", "red"),)))
    play(game, "keep " + " ".join(game.view(0).offered_tickets), "keep " + " ".join(game.view(1).offered_tickets))
    world = imagine(game.view(0), Random(3))
    assert world.position.seed != game.position.seed
    assert world.deal.reshuffles == ()
