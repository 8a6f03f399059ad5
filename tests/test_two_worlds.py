"""Two worlds that a reader cannot tell apart (I-01 .. I-06): deal again what the reader may not know, and compare.

All along random games each seat and a spectator imagine a world. It must look the same to them, it must be a world that
can be, and it must not be the true one all the time.
"""

from __future__ import annotations

import gc
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import pytest

from branchline import (
    Action,
    BuildStation,
    ClaimTrack,
    Decline,
    Game,
    IllegalAction,
    PlayerView,
    PlayLocos,
    View,
    imagine,
    write_action,
)
from branchline.codec import action_of, code_of, names_of
from branchline.events import (
    BagDelivered,
    BagSeen,
    DeckReshuffled,
    DisplayFilled,
    DisplaySwept,
    DraftBegan,
    DrewBlind,
    DrewTerrain,
    Event,
    FestivalLaid,
    PacksPassed,
    Reader,
    SecondDraftCardUp,
    TerrainFilled,
    TerrainReshuffled,
    TicketPicked,
    TicketsKept,
    TicketsOffered,
    TrackClaimed,
    TunnelCardsTurned,
)
from branchline.kernel.board import make_board
from branchline.kernel.turn import is_legal
from branchline.maps.model import MapData, TicketDeal, TicketDraft
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Position, Work
from branchline.mechanics.drafts.rules import pack_at
from tests.test_properties import (
    FAN_MAPS,
    TABLES,
    Table,
    check_cards,
    check_tickets,
    new_game,
    played,
    ticket_places,
)


def at_tables(of: list[Table]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("of", of, ids=[f"{map}-{players}" for map, players in of])


every_table = at_tables(TABLES)
small_and_large = at_tables([of for of in TABLES if of[1] in (2, 5) or of[0] in FAN_MAPS])
shipped_tables = at_tables([of for of in TABLES if of[0] not in FAN_MAPS])


def readers(game: Game) -> tuple[Reader, ...]:
    return (*range(game.players), None)


def moments(of: Table, seed: int, hoarding: float, every: int) -> Iterator[tuple[Game, int, Action]]:
    """Moments of a random game with the move that comes next: now and then a turn, and most of the rarer decisions."""
    game = new_game(of, seed)
    met: Counter[str] = Counter()
    for seat, action in played(game, hoarding):
        met[game.phase] += 1
        often = game.phase in ("turn", "draw_second")
        if met[game.phase] < 4 or met[game.phase] % (every if often else 5) == 0:
            yield game, seat, action
    yield game, 0, action


# ---------------------------------------------------------------- a world that can be


def check_world(world: Game) -> None:
    """Everything is somewhere it could have come to by the rules."""
    s = world.position
    check_cards(world)
    check_tickets(world)
    check_ticket_kinds(world)
    assert k.HIDDEN not in s.deck[: s.deck_n] + s.terrain_deck[: s.terrain_n]
    if s.pack_n:
        check_packs(s)
    if isinstance(world.map.first_tickets, TicketDraft) and s.draft < 2 and not s.draft_due:
        check_second_draft_card(s, world.map)
    check_choices(world)


def check_ticket_kinds(world: Game) -> None:
    """Long tickets are dealt one to a player and are in no deck; only first tickets leave the game (EUR-02)."""
    s, data = world.position, world.map
    if not (isinstance(data.first_tickets, TicketDeal) and data.first_tickets.long):
        return
    long = {t for t, ticket in enumerate(data.tickets) if ticket.long}
    deck = {s.ticket_deck[(s.ticket_top + i) % len(s.ticket_deck)] for i in range(s.ticket_n)}
    assert not deck & long
    for seat in range(s.players):
        held = {t for t in long if s.ticket_at[t] == k.HELD + seat}
        offer = s.offer[seat * k.OFFER : seat * k.OFFER + s.offer_n[seat]]
        assert len(held) <= data.first_tickets.long
        assert len(long & set(offer)) == (data.first_tickets.long if s.phase == k.FIRST_TICKETS else 0)
    out = set(range(len(data.tickets))) - set(ticket_places(world))
    unkept = s.players * (data.first_tickets.long + data.first_tickets.normal - data.first_tickets.keep_at_least)
    assert len(out - long) <= (0 if s.phase == k.FIRST_TICKETS else unkept)


def check_packs(s: Position) -> None:
    """In a draft each taken ticket went at one step, and lies before the seat that held the pack at that step."""
    for pack in range(s.players):
        at = pack * k.OFFER
        taken = {s.taken[at + i]: s.pack[at + i] for i in range(s.pack_n) if s.taken[at + i]}
        holder = next(seat for seat in range(s.players) if pack_at(s, seat, s.draft_step) == pack)
        chosen = s.phase == k.DRAFT_KEEP or not s.awaited >> holder & 1
        assert sorted(taken) == list(range(1, s.draft_step + chosen))
        assert sum(1 for i in range(s.pack_n) if s.taken[at + i]) == len(taken)
        if s.phase == k.DRAFT_PICK:
            for step, ticket in taken.items():
                seat = next(seat for seat in range(s.players) if pack_at(s, seat, step) == pack)
                assert s.offer[seat * k.OFFER + step - 1] == ticket


def check_second_draft_card(s: Position, data: MapData) -> None:
    """The second-draft card lies where the set-up may have put it (IBE-03)."""
    assert isinstance(data.first_tickets, TicketDraft)
    depth = dict(data.first_tickets.second_depth)[s.players]
    above = s.deck_n - 1 - s.deck.index(k.DRAFT_CARD)
    drawn = s.mixed_n + 1 - s.deck_n
    assert abs(above + drawn - int(s.mixed_n * depth)) <= data.first_tickets.second_jitter


def check_choices(world: Game) -> None:
    """Who has chosen tickets has chosen as many as the map allows; who has not, has not."""
    s, board = world.position, make_board(world.map)
    for seat in range(s.players):
        done = not s.awaited >> seat & 1
        if s.phase == k.DRAFT_KEEP:
            assert s.kept_n[seat] == (board.draft_keep if done else 0)
        if s.phase == k.FIRST_TICKETS and done:
            assert board.keep_first <= s.kept_n[seat] <= s.offer_n[seat]


def check_goes_on(world: Game, rng: random.Random) -> None:
    """An imagined world can be played."""
    for _ in range(12):
        if world.is_over:
            return
        seat = rng.choice(world.to_act)
        world.play(rng.choice(world.legal_actions(seat)), seat)
    check_cards(world)
    check_tickets(world)


@every_table
@pytest.mark.parametrize("hoarding", [0.0, 0.93])
def test_an_imagined_world_looks_the_same_and_can_be(of: Table, hoarding: float) -> None:
    rng = random.Random(f"{of} {hoarding}")
    for game, _, _ in moments(of, seed=rng.getrandbits(40), hoarding=hoarding, every=13):
        check_world(game)  # the check holds for the truth, so it asks no more than the rules give
        for reader in readers(game):
            view = game.view(reader)
            world = imagine(view, rng)
            assert world.view(reader).to_bytes() == view.to_bytes()
            assert world.view(reader).legal_actions() == view.legal_actions()
            check_world(world)
            if rng.random() < 0.1:
                check_goes_on(world, rng)


@small_and_large
def test_what_a_seat_may_do_is_known_from_its_view_alone(of: Table) -> None:
    for game, _, _ in moments(of, seed=5, hoarding=0.5, every=7):
        for seat in range(game.players):
            assert game.view(seat).legal_actions() == game.legal_actions(seat)
        assert game.view(None).legal_actions() == ()


# ---------------------------------------------------------------- not the true one

HIDDEN_FIELDS = {"deck", "hand", "ticket_deck", "ticket_at"}


def differences(world: Game, game: Game) -> set[str]:
    """The fields in which two positions differ, but for the seed."""
    one, two = world.position, game.position
    return {field.name for field in one.FIELDS if getattr(one, field.name) != getattr(two, field.name)} - {"seed"}


@shipped_tables
def test_imagined_worlds_differ_from_the_truth_and_from_each_other(of: Table) -> None:
    rng = random.Random(3)
    from_truth: set[str] = set()
    from_each_other: set[str] = set()
    for game, _, _ in moments(of, seed=11, hoarding=0.4, every=25):
        if game.phase != "turn":
            continue
        for reader in readers(game):
            one, other = imagine(game.view(reader), rng), imagine(game.view(reader), rng)
            assert differences(one, game)
            assert differences(other, game)
            assert differences(one, other)
            from_truth |= differences(one, game)
            from_each_other |= differences(one, other)
    data = game.map
    expected = HIDDEN_FIELDS | ({"terrain_deck"} if data.terrain else set()) | ({"pile"} if data.festivals else set())
    expected |= {"bag", "carried"} if data.mail else set()
    assert expected <= from_truth & from_each_other


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_packs_picks_and_choices_of_a_draft_are_imagined_anew(players: int) -> None:
    rng = random.Random(8)
    apart: set[str] = set()
    for game, _, _ in moments(("iberia", players), seed=21, hoarding=0.0, every=50):
        if game.phase in ("draft", "keep_drafted"):
            apart |= differences(imagine(game.view(0), rng), game)
    assert {"pack", "taken", "offer"} <= apart


@pytest.mark.parametrize("map", ["usa", "europe", "africa"])
def test_first_tickets_and_offers_are_imagined_anew(map: str) -> None:
    rng = random.Random(8)
    apart: set[str] = set()
    for game, _, _ in moments((map, 3), seed=21, hoarding=0.0, every=50):
        if game.phase in ("first_tickets", "keep_tickets"):
            apart |= differences(imagine(game.view(None), rng), game)
    assert {"offer", "kept_n"} <= apart


def test_every_card_a_player_may_hold_is_imagined() -> None:
    """One unknown card is dealt as any of the nine, sooner or later."""
    game = new_game(("usa", 2), 4)
    game.play(game.legal_actions(0)[-1], 0)
    game.play(game.legal_actions(1)[-1], 1)
    rng = random.Random(1)
    held: Counter[str] = Counter()
    for _ in range(60):
        held.update(imagine(game.view(0), rng).view(1).me.hand)
    assert len(held) == 9


# ---------------------------------------------------------------- the same action in both worlds

# What these tell comes from a deck: from there on the worlds may differ for everybody. A sweep may tell it too: whether
# three locomotives stay in the display depends on what is left in the deck (C-16).
CHANCE = (
    DisplayFilled, DisplaySwept, DeckReshuffled, FestivalLaid, SecondDraftCardUp, TerrainFilled, TerrainReshuffled,
    TunnelCardsTurned, DraftBegan, PacksPassed,
)  # fmt: skip


def is_news(event: Event, reader: Reader, actor: int) -> bool:
    """Whether an event tells this reader what a deck held, or what others had chosen in secret before, or known."""
    match event:
        case BagDelivered():
            return True
        case DrewBlind(seat) | TicketsOffered(seat) | TicketPicked(seat) | BagSeen(seat):
            return seat == reader
        case TicketsKept(seat):
            return seat != actor
        case DrewTerrain(_, place):
            return place is None
        case _:
            return isinstance(event, CHANCE)


def told(events: tuple[Event, ...], reader: Reader, actor: int) -> tuple[list[Event], bool]:
    """What a reader is told up to the first piece of news, and whether there was any."""
    found: list[Event] = []
    for event in events:
        if is_news(event, reader, actor):
            return found, True
        seen = event.seen_by(reader)
        if seen is not None:
            found.append(seen)
    return found, False


def same_in(world: Game, game: Game, action: Action, seat: int) -> Action | None:
    """The same choice in another world, by its number: a ticket nobody else sees may be another one there."""
    code = code_of(action, game.position, names_of(game.map), seat)
    there = world.position
    legal = is_legal(there, make_board(world.map), Work(), seat, code)
    return action_of(code, there, names_of(world.map), seat) if legal else None


@every_table
@pytest.mark.parametrize("hoarding", [0.0, 0.9])
def test_the_same_action_tells_a_reader_the_same_in_both_worlds(of: Table, hoarding: float) -> None:
    rng = random.Random(f"{of} {hoarding}")
    compared = without_news = 0
    for game, seat, action in moments(of, seed=rng.getrandbits(40), hoarding=hoarding, every=11):
        for reader in readers(game) if not game.is_over else ():
            world, truth = imagine(game.view(reader), rng), game.copy()
            twin = same_in(world, game, action, seat)
            if twin is None or world.phase != game.phase:  # this reader does not see the claim in the making
                continue
            here, here_news = told(truth.play(action, seat), reader, seat)
            there, there_news = told(world.play(twin, seat), reader, seat)
            if isinstance(action, ClaimTrack | BuildStation) and seat != reader and here[:1] != there[:1]:
                continue  # other cards lie in the hand and pay for it: all see that the action is another
            compared += 1
            if here_news or there_news:
                assert all(one == other for one, other in zip(here, there, strict=False))
                continue
            assert here == there
            if twin == action and not truth.is_over:  # at the end all is shown
                without_news += 1
                assert world.view(reader) == truth.view(reader)
    assert compared > 30
    assert without_news > 10


def finish_claim(game: Game, seat: int, claim: ClaimTrack, locos: int | None) -> tuple[Event, ...] | None:
    """Claim a track, single and with the festival cards of one end; with few locomotives, if no number is named."""
    events = game.play(claim, seat)
    while game.to_act == (seat,) and not any(isinstance(event, TrackClaimed) for event in events):
        actions = game.legal_actions(seat)
        action = PlayLocos(locos) if locos is not None and isinstance(actions[0], PlayLocos) else actions[0]
        if action not in actions or isinstance(action, Decline):
            return None
        events = game.play(action, seat)
    return events


@every_table
def test_a_claim_paid_in_the_same_way_tells_all_the_same_though_one_hand_had_a_choice(of: Table) -> None:
    rng = random.Random(12)
    compared = 0
    for game, seat, action in moments(of, seed=23, hoarding=0.0, every=2):
        if game.is_over or not isinstance(action, ClaimTrack):
            continue
        truth = game.copy()
        events = finish_claim(truth, seat, action, None)
        claimed = next((event for event in events or () if isinstance(event, TrackClaimed)), None)
        for reader in readers(game):
            world = imagine(game.view(reader), rng)
            if claimed is None or reader == seat or action not in world.legal_actions(seat):
                continue
            there = finish_claim(world, seat, action, claimed.locos)
            if there is None or claimed not in there or not truth.to_act:
                continue
            here_told, news = told(events or (), reader, seat)
            there_told, other_news = told(there, reader, seat)
            if not news and not other_news:
                compared += 1
                assert here_told == there_told
                assert world.view(reader) == truth.view(reader)
    assert compared > (5 if of[0] not in FAN_MAPS else 0)


@small_and_large
def test_a_refusal_says_the_same_in_both_worlds(of: Table) -> None:
    rng = random.Random(6)
    lines = ["draw 1", "draw deck", "terrain 1", "tickets", "locos 1", "double 0", "decline", "pass"]
    for game, _, _ in moments(of, seed=9, hoarding=0.7, every=17):
        for seat in range(game.players):
            world = imagine(game.view(seat), rng)
            for line in (*lines, f"claim {game.map.tracks[0].id} red", f"keep {game.map.tickets[0].id}"):
                assert refusal(game, line, seat) == refusal(world, line, seat)


def refusal(game: Game, line: str, seat: int) -> str:
    try:
        game.copy().play(line, seat)
    except IllegalAction as refused:
        return str(refused)
    return "legal"


# ---------------------------------------------------------------- what a view lets be seen


def exposed(value: object, path: str = "view") -> Iterator[tuple[str, object]]:
    """Everything that can be read off a view by name, the map apart: (path, value)."""
    if isinstance(value, View | PlayerView | Position) or is_dataclass(value):
        for name in public_names(value):
            inner = getattr(value, name)
            yield from exposed(inner, f"{path}.{name}")
    elif isinstance(value, tuple | list):
        for i, inner in enumerate(value):
            yield from exposed(inner, f"{path}[{i}]")
    else:
        yield path, value


def public_names(value: object) -> list[str]:
    if isinstance(value, Position):
        return [field.name for field in Position.FIELDS]
    if isinstance(value, View):
        names = [name for name in dir(View) if isinstance(getattr(View, name), property)]
        return [name for name in names if name != "me" or value.reader is not None]
    if isinstance(value, PlayerView):
        return ["seat", *(name for name in dir(PlayerView) if isinstance(getattr(PlayerView, name), property))]
    return [field.name for field in fields(value)] if is_dataclass(value) else []


@small_and_large
def test_everything_a_view_lets_be_read_is_the_same_in_both_worlds(of: Table) -> None:
    rng = random.Random(4)
    for game, _, _ in moments(of, seed=17, hoarding=0.8, every=41):
        for reader in readers(game):
            view = game.view(reader)
            other = imagine(view, rng).view(reader)
            assert dict(exposed(view)) == dict(exposed(other))
            assert [write_action(a) for a in view.legal_actions()] == [write_action(a) for a in other.legal_actions()]
            assert hash(view) == hash(other)


def test_a_view_holds_no_game_and_no_other_position() -> None:
    game = new_game(("europe", 3), 2)
    for reader in readers(game):
        view = game.view(reader)
        assert not hasattr(view, "__dict__")
        slots = {slot for kind in View.__mro__ for slot in getattr(kind, "__slots__", ())}
        own = [getattr(view, slot) for slot in slots - {"map", "_names"}]
        kept = [found for found in reachable(own) if isinstance(found, Game | Position)]
        assert len(kept) == 1
        assert isinstance(kept[0], Position)
        assert kept[0].to_bytes() == view.to_bytes()


def reachable(start: object) -> Iterator[object]:
    """Every object that can be reached from one, but for classes, modules and functions."""
    todo, met = [start], {id(start)}
    while todo:
        found = todo.pop()
        yield found
        for inner in gc.get_referents(found):
            if id(inner) not in met and not isinstance(inner, type) and not callable(inner):
                met.add(id(inner))
                todo.append(inner)


def test_what_a_reader_writes_into_a_view_changes_nothing() -> None:
    game = new_game(("usa", 2), 2)
    view = game.view(0)
    before = view.to_bytes(), game.position.to_bytes()
    position = view.position
    position.hand[0] += 1
    view.me.hand["red"] = 9
    view.discards["red"] = 9
    assert (view.to_bytes(), game.position.to_bytes()) == before


@pytest.mark.parametrize("map", ["usa", "europe", "iberia", "africa", "carpathians"])
def test_no_other_players_ticket_is_named_in_a_view(map: str) -> None:
    """A plain search: in what a seat can read no ticket of another seat stands by name or by number."""
    for game, _, _ in moments((map, 3), seed=13, hoarding=0.3, every=31):
        if game.is_over or "draft" in game.phase:
            continue
        for reader in readers(game):
            seen = {value for _, value in exposed(game.view(reader)) if isinstance(value, str)}
            s, shown = game.position, game.view(reader).position
            for t, where in enumerate(s.ticket_at[: len(game.map.tickets)]):
                if k.HELD <= where < k.RETURNED and where != k.HELD + (reader if reader is not None else -1):
                    assert game.map.tickets[t].id not in seen
                    assert shown.ticket_at[t] == 0


# ---------------------------------------------------------------- the checks above can fail


def test_a_view_that_told_a_secret_would_be_noticed() -> None:
    """Were a position given out as it stands, the next world would look different."""
    game = new_game(("usa", 3), 1)
    leaking = View(game.map, game.position, 0)
    world = imagine(game.view(0), random.Random(1))
    assert View(world.map, world.position, 0) != leaking
    assert dict(exposed(View(world.map, world.position, 0))) != dict(exposed(leaking))


@pytest.mark.parametrize("field", ["taken", "offer", "pack"])
def test_a_draft_that_cannot_be_is_noticed(field: str) -> None:
    game = new_game(("iberia", 3), 1)
    for seat in range(3):
        game.play(game.legal_actions(seat)[0], seat)
    s = game.position
    check_packs(s)
    at = next(i for i, n in enumerate(s.taken) if n) if field != "offer" else 0
    getattr(s, field)[at] += 1
    with pytest.raises(AssertionError):
        check_packs(s)
