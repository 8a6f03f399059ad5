"""What holds after every move of any game, on every map: played at random, by players of different tempers."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from branchline import (
    Action,
    BuildStation,
    ClaimTrack,
    Decline,
    DoublePoints,
    DrawDeck,
    DrawDisplay,
    DrawTerrain,
    DrawTickets,
    Game,
    IllegalAction,
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
    write_action,
)
from branchline.codec import action_of, code_of, names_of
from branchline.kernel.board import make_board
from branchline.kernel.turn import fill_menu, is_legal, play, write_menu
from branchline.maps.model import CARDS, LOCO, MapData, TicketDeal, TicketDraft
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Position, Work
from tests.table import table, train_cards

HERE = Path(__file__).parent
CLAUSES = set(
    re.findall(r"^- \*\*([A-Z]+-\d+)\*\*", (HERE.parent / "branchline" / "rules.md").read_text("utf-8"), re.MULTILINE)
)
FAN_MAPS = ("tiny", "a_plateau")
MAPS = ("usa", "europe", "iberia", "africa", "carpathians", *FAN_MAPS)

TABLES = [(map, players) for map in MAPS for players in range(2, 4 if map in FAN_MAPS else 6)]

every_table = pytest.mark.parametrize("of", TABLES, ids=[f"{map}-{players}" for map, players in TABLES])
one_table_a_map = pytest.mark.parametrize(
    "of",
    [("usa", 2), ("europe", 3), ("iberia", 4), ("africa", 5), ("carpathians", 3), ("tiny", 2), ("a_plateau", 3)],
    ids=MAPS,
)
seeds = st.integers(0, 2**63 - 1)
tempers = st.sampled_from([0.9, 0.0, 0.97, 0.6])
bounded = settings(
    max_examples=2,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate],  # a seed has no simpler seeds to look for
    suppress_health_check=list(HealthCheck),
)

Table = tuple[str, int]


@cache
def the_map(name: str) -> MapData:
    return load_map(str(HERE / "data" / "maps" / f"{name}.json") if name in FAN_MAPS else name)


# ---------------------------------------------------------------- random games


def choose(actions: tuple[Action, ...], rng: random.Random, hoarding: float) -> Action:
    """An action at random; a hoarder rather draws than claims, so that decks run out and drafts come up."""
    if rng.random() < hoarding:
        saving = [action for action in actions if not isinstance(action, ClaimTrack | BuildStation | DrawTickets)]
        return rng.choice(saving or actions)
    return rng.choice(actions)


def played(game: Game, hoarding: float) -> Iterator[tuple[int, Action]]:
    """Play a game to its end: before each move the seat and the action that come next."""
    rng = random.Random(game.deal.seed)
    while not game.is_over:
        seat = rng.choice(game.to_act)
        action = choose(game.legal_actions(seat), rng, hoarding)
        yield seat, action
        game.play(action, seat)


def new_game(of: Table, seed: int) -> Game:
    map, players = of
    return Game.new(the_map(map), players, seed=seed)


# ---------------------------------------------------------------- cards and trains


def all_train_cards(data: MapData) -> dict[str, int]:
    return {card: data.locomotives if card == LOCO else data.cards_per_colour for card in CARDS}


def festival_cards(game: Game) -> list[int]:
    """Festival cards by group, wherever they are: deck, cities, piles."""
    s = game.position
    groups = len(game.map.festivals.groups) if game.map.festivals else 0
    found = [s.deck[: s.deck_n].count(k.FESTIVAL + g) + s.pool[g] for g in range(groups)]
    for seat in range(s.players):
        pile = s.pile[seat * k.GROUPS : (seat + 1) * k.GROUPS]
        assert sum(pile) == s.pile_n[seat]
        found = [n + pile[g] for g, n in enumerate(found)]
    return found


def terrain_cards(game: Game) -> list[int]:
    """Terrain cards by type, wherever they are: deck, face up, discards, before the players."""
    s = game.position
    types = len(game.map.terrain.types) if game.map.terrain else 0
    found = []
    for kind in range(types):
        before = sum(s.terrain[seat * k.TERRAINS + kind] for seat in range(s.players))
        lying = s.terrain_deck[: s.terrain_n].count(kind) + s.terrain_up.count(kind) + s.terrain_discard[kind]
        found.append(before + lying)
    return found


def mail_bags(game: Game) -> list[int]:
    """The labels of all mail bags, wherever they are: lying, carried or delivered."""
    s = game.position
    found = [label - 1 for label in (*s.bag, *s.carried) if label]
    return found + [place for labels in s.delivered for place in range(k.BITS) if labels >> place & 1]


def check_cards(game: Game) -> None:
    """No train, festival, second-draft or terrain card is made or lost, and no mail bag."""
    s, data = game.position, game.map
    assert sorted(mail_bags(game)) == [p for p, place in enumerate(data.places) if place.mail]
    assert train_cards(game) == all_train_cards(data)
    assert festival_cards(game) == [group.cards for group in (data.festivals.groups if data.festivals else ())]
    assert terrain_cards(game) == [kind.cards for kind in (data.terrain.types if data.terrain else ())]
    waits = isinstance(data.first_tickets, TicketDraft) and s.draft < 2 and not s.draft_due
    assert s.deck[: s.deck_n].count(k.DRAFT_CARD) == waits
    for seat in range(s.players):
        assert s.hand[seat * k.HAND + k.UNKNOWN] == 0
        for card in range(k.CARDS):  # what all have seen in a hand is there
            assert 0 <= s.seen[seat * k.CARDS + card] <= s.hand[seat * k.HAND + card]


def ticket_places(game: Game) -> Counter[int]:
    """Every ticket of the deck, of hands, of offers and of packs, with how often it is there."""
    s = game.position
    found = Counter(s.ticket_deck[(s.ticket_top + i) % len(s.ticket_deck)] for i in range(s.ticket_n))
    for seat in range(s.players):
        at = seat * k.OFFER
        found.update(t for t, where in enumerate(s.ticket_at[: len(game.map.tickets)]) if where == k.HELD + seat)
        found.update(s.offer[at : at + s.offer_n[seat]])
        found.update(
            t for t, gone in zip(s.pack[at : at + s.pack_n], s.taken[at : at + s.pack_n], strict=True) if not gone
        )
    return found


def check_tickets(game: Game) -> None:
    """Every ticket is in one place; out of the game are only those EUR-02 takes out."""
    s, data = game.position, game.map
    places = ticket_places(game)
    assert set(places) <= set(range(len(data.tickets)))
    assert set(places.values()) <= {1}
    out = len(data.tickets) - len(places)
    if not (isinstance(data.first_tickets, TicketDeal) and data.first_tickets.unkept == "removed"):
        assert out == 0
    for seat in range(s.players):
        assert s.ticket_at.count(k.HELD + seat) == s.ticket_count[seat]


def check_scores(game: Game) -> None:
    """The running score is what the board is worth, and no train is made or lost (C-23, C-35, C-38)."""
    s, data = game.position, game.map
    taken: list[int] = []
    for seat in range(s.players):
        owned = tracks_in(s.owned[k.TRACK_WORDS * seat : k.TRACK_WORDS * (seat + 1)])
        doubled = owned & tracks_in(s.doubled)
        points = {t: data.track_points[data.tracks[t].length] for t in owned}
        assert s.score[seat] == sum(points.values()) + sum(points[t] for t in doubled)
        assert s.trains[seat] == data.trains - sum(data.tracks[t].length for t in owned)
        assert s.trains[seat] >= 0
        taken += owned
    assert len(taken) == len(set(taken))  # no track has two owners


def tracks_in(words: list[int]) -> set[int]:
    """The numbers of the tracks in a set of bits."""
    return {word * k.BITS + i for word, bits in enumerate(words) for i in range(k.BITS) if bits >> i & 1}


def check_score_sheet(game: Game) -> None:
    """The score sheet finds on the board what the running score says."""
    assert [sheet.tracks for sheet in game.scores()] == game.position.score[: game.players]


@every_table
@bounded
@given(seed=seeds, hoarding=tempers)
def test_after_every_move_cards_tickets_trains_and_points_are_all_there(of: Table, seed: int, hoarding: float) -> None:
    game = new_game(of, seed)
    board: list[int] = []
    for _ in played(game, hoarding):
        check_cards(game)
        check_tickets(game)
        check_scores(game)
        if board != game.position.owned:
            board = game.position.owned
            check_score_sheet(game)
    check_cards(game)
    check_tickets(game)
    check_scores(game)
    check_score_sheet(game)


# ---------------------------------------------------------------- one door

OUTSIDE = (-1, -64, -(2**31), k.CODES, k.CODES + 1, 2**15, 2**31, 2**62)


def menu(game: Game, seat: int) -> set[int]:
    """The codes of a seat's legal actions, from the menu."""
    w = Work()
    fill_menu(game.position, make_board(game.map), w, seat)
    codes = w.codes[: write_menu(w)]
    assert codes == sorted(set(codes))
    return set(codes)


def check_door(game: Game, seat: int) -> None:
    """Of all codes there are, those of the menu open the door and no other; a refused one changes nothing."""
    s, board, w = game.position, make_board(game.map), Work()
    before, codes = s.to_bytes(), menu(game, seat)
    assert {code for code in range(k.CODES) if is_legal(s, board, w, seat, code)} == codes
    for code in (*range(k.CODES), *OUTSIDE):
        if code not in codes:
            assert play(s, board, w, seat, code) == 0
    assert s.to_bytes() == before
    for code in codes:
        world = s.copy()
        assert play(world, board, w, seat, code) == 1
        assert world.to_bytes() != before
    assert [code_of(action, s, names_of(game.map), seat) for action in game.legal_actions(seat)] == sorted(codes)
    assert {action_of(code, s, names_of(game.map), seat) for code in codes} == set(game.legal_actions(seat))


@one_table_a_map
@bounded
@given(seed=seeds, hoarding=tempers)
def test_the_menu_and_the_door_agree_on_every_code(of: Table, seed: int, hoarding: float) -> None:
    game = new_game(of, seed)
    met: set[str] = set()
    for seat, _ in played(game, hoarding):
        if game.phase not in met or len(game.history) % 97 == 0:  # each kind of decision once, and some again
            met.add(game.phase)
            check_door(game, seat)
            check_door(game, (seat + 1) % game.players)
    assert "turn" in met


@pytest.mark.parametrize("map", MAPS)
def test_a_hand_of_all_the_cards_has_no_more_choices_than_fit(map: str) -> None:
    game = table(the_map(map), rest="last hand", seat=1)
    check_door(game, 1)
    assert len(game.legal_actions()) > (800 if map == "europe" else 200 if map not in FAN_MAPS else 20)


def test_the_door_is_right_where_only_festival_cards_came_up() -> None:
    game = table("iberia", display="loco red - - -", rest="last hand", deck="festival:leon")
    game.play("draw deck")
    assert game.phase == "draw_first"  # the draw is not used up (IBE-07)
    check_door(game, 0)
    check_door(game, 1)


@pytest.mark.parametrize("seat", [-1, 2, 5, 64])
def test_a_seat_that_is_not_at_the_table_opens_nothing(seat: int) -> None:
    game = Game.new("usa", 2, seed=1)
    s, board = game.position, make_board(game.map)
    assert not any(is_legal(s, board, Work(), seat, code) for code in range(k.CODES))
    with pytest.raises(ValueError, match="no seat"):
        game.play("draw deck", seat=seat)


def every_action(game: Game, seat: int) -> Iterator[Action]:
    """Every action that has a name on this map, possible or not, and some that have none."""
    data, offer = game.map, game.view(seat).offered_tickets
    tickets = [t.id for t in data.tickets]
    yield from (DrawDisplay(n) for n in range(8))
    yield from (TakeTerrain(n) for n in range(5))
    yield from (DrawDeck(), DrawTerrain(), DrawTickets(), SinglePoints(), Decline(), Pass())
    yield from (PlayLocos(n) for n in range(16))
    yield from (DoublePoints(n) for n in range(20))
    yield from (ClaimTrack(track.id, card) for track in data.tracks for card in CARDS)
    yield from (BuildStation(place.id, card) for place in data.places for card in CARDS)
    yield from (TakeFestivals(place.id) for place in data.places)
    yield LeaveBags()
    yield from (TakeBag(place.id) for place in data.places)
    yield from (SwapBag(place.id, laid) for place in data.places for laid in range(5))
    yield from (PickTicket(t) for t in tickets)
    yield from (ReturnTicket(t) for t in tickets)
    for chosen in range(1 << len(offer)):
        yield KeepTickets(tuple(t for i, t in enumerate(offer) if chosen >> i & 1))
    yield from (KeepTickets((t,)) for t in tickets)
    yield from (
        ClaimTrack("nowhere", "red"),
        ClaimTrack(data.tracks[0].id, "pink"),
        ReturnTicket("none"),
        PlayLocos(-1),
    )
    yield KeepTickets(offer[:1] * 2)


@one_table_a_map
@bounded
@given(seed=seeds, hoarding=tempers)
def test_the_face_refuses_what_is_not_legal_and_says_which_clause(of: Table, seed: int, hoarding: float) -> None:
    game = new_game(of, seed)
    met: set[str] = set()
    for seat, _ in played(game, hoarding):
        if game.phase in met:
            continue
        met.add(game.phase)
        legal, before, history = set(game.legal_actions(seat)), game.position.to_bytes(), len(game.history)
        tried = set(every_action(game, seat))
        assert legal <= tried
        for action in tried - legal:
            with pytest.raises(IllegalAction) as refusal:
                game.play(action, seat)
            assert refusal.value.clause in CLAUSES
            assert refusal.value.reason
        for action in legal:
            game.copy().play(action, seat)
        assert (game.position.to_bytes(), len(game.history)) == (before, history)


@one_table_a_map
@bounded
@given(seed=seeds, hoarding=tempers)
def test_nobody_plays_for_another_seat(of: Table, seed: int, hoarding: float) -> None:
    game = new_game(of, seed)
    for _, action in played(game, hoarding):
        before = game.position.to_bytes()
        for other in set(range(game.players)) - set(game.to_act):
            assert game.legal_actions(other) == ()
            with pytest.raises(IllegalAction):
                game.play(action, other)
        assert game.position.to_bytes() == before
    for seat in range(game.players):
        assert game.legal_actions(seat) == ()
        with pytest.raises(IllegalAction):
            game.play("draw deck", seat)


# ---------------------------------------------------------------- values and lines


@one_table_a_map
@bounded
@given(seed=seeds, hoarding=tempers)
def test_every_legal_action_has_a_line_that_reads_back(of: Table, seed: int, hoarding: float) -> None:
    game = new_game(of, seed)
    for seat, action in played(game, hoarding):
        actions = game.legal_actions(seat)
        if len(actions) > 50 and len(game.history) % 10:  # every kind of decision, but not every long list
            continue
        assert len({write_action(one) for one in actions}) == len(actions)
        for one in actions:
            assert read_action(write_action(one), game.map) == one
        said, meant = game.copy(), game.copy()
        assert said.play(write_action(action), seat) == meant.play(action, seat)
        assert said == meant


@one_table_a_map
@bounded
@given(seed=seeds, hoarding=tempers)
def test_a_copy_shares_nothing_with_its_original(of: Table, seed: int, hoarding: float) -> None:
    game = new_game(of, seed)
    for seat, action in played(game, hoarding):
        before, history = game.position.to_bytes(), list(game.history)
        twin = game.copy()
        assert twin == game
        assert twin.play(action, seat) is not None
        assert twin != game
        assert (game.position.to_bytes(), game.history) == (before, history)
        assert game.copy().play(action, seat) is not None
        position = game.position  # this is a copy too: writing into it changes no game
        position.hand[0] += 1
        position.seat += 1
        assert game.position.to_bytes() == before


@one_table_a_map
@bounded
@given(seed=seeds, hoarding=tempers)
def test_a_position_reads_back_from_its_bytes(of: Table, seed: int, hoarding: float) -> None:
    game = new_game(of, seed)
    for _ in played(game, hoarding):
        s = game.position
        twin = Position.from_bytes(s.to_bytes())
        assert twin == s
        assert hash(twin) == hash(s)
        assert len(s.to_bytes()) == Position.SIZE
        assert Game.at(game.map, twin) == game


@pytest.mark.parametrize("shuffles", [100, 127, 255, 1000])
def test_a_position_counts_many_reshuffles(shuffles: int) -> None:
    """When nearly all cards are in hands, one display after the other is swept and shuffled again."""
    s = table(rest="discards").position
    s.shuffles = shuffles
    game = Game.at("usa", s)
    game.play("draw deck")
    assert game.position.shuffles == shuffles + 1
    assert Position.from_bytes(game.position.to_bytes()) == game.position


@one_table_a_map
@bounded
@given(seed=seeds, hoarding=tempers)
def test_the_same_seed_and_the_same_moves_make_the_same_game(of: Table, seed: int, hoarding: float) -> None:
    game = new_game(of, seed)
    again = Game.new(game.map, game.players, seed=game.deal.seed)
    assert again == game
    for seat, action in played(game, hoarding):
        events = game.copy().play(action, seat)
        assert again.play(action, seat) == events
    assert again == game
    assert again.scores() == game.scores()
    assert again.end_reason == game.end_reason is not None


@one_table_a_map
@bounded
@given(seed=seeds, hoarding=tempers)
def test_asking_changes_nothing(of: Table, seed: int, hoarding: float) -> None:
    game = new_game(of, seed)
    for _ in played(game, hoarding):
        before = game.position.to_bytes()
        if len(game.history) % 10 == 0:
            game.scores()
        for reader in (*range(game.players), None):
            game.view(reader).legal_actions()
        assert game.position.to_bytes() == before


# ---------------------------------------------------------------- the checks above can fail


@pytest.mark.parametrize(("field", "at", "by"), [
    ("hand", 0, 1), ("discard", 3, 1), ("pool", 0, 1), ("deck_n", None, -1), ("seen", 0, 20),
])  # fmt: skip
def test_a_card_too_many_or_too_few_is_noticed(field: str, at: int | None, by: int) -> None:
    s = Game.new("iberia", 2, seed=1).position
    if at is None:
        setattr(s, field, getattr(s, field) + by)
    else:
        getattr(s, field)[at] += by
    with pytest.raises(AssertionError):
        check_cards(Game.at("iberia", s))


def test_a_terrain_card_too_many_a_ticket_twice_and_a_false_score_are_noticed() -> None:
    s = Game.new("africa", 2, seed=1).position
    s.terrain[0] += 1
    with pytest.raises(AssertionError):
        check_cards(Game.at("africa", s))
    s = Game.new("africa", 2, seed=1).position
    s.ticket_deck[s.ticket_top] = s.ticket_deck[s.ticket_top + 1]
    with pytest.raises(AssertionError):
        check_tickets(Game.at("africa", s))
    for field in ("score", "trains"):
        s = Game.new("africa", 2, seed=1).position
        getattr(s, field)[1] += 1
        with pytest.raises(AssertionError):
            check_scores(Game.at("africa", s))
