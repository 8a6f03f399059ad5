"""Cheapest paths, dead ends and loans: the one place that knows them, held against the kernel and against itself."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from branchline import BuildStation, DrawTickets, Game, KeepTickets
from branchline.actions import Action
from branchline.bots import make_bot
from branchline.bots.composed import Plan
from branchline.graph.advice import Network, by_tracks, chain_of
from branchline.graph.chains import NOWHERE, find_chain, find_tracks, trace_chain
from branchline.graph.ring import FAR, RING, find_path
from branchline.graph.search import Net, Road, first_shortest
from branchline.kernel.board import make_board
from branchline.maps import load_map, shipped_maps
from branchline.mechanics import composed as k
from branchline.mechanics.composed import Board
from branchline.training.record import Paths
from branchline.view import View, imagine
from tests.table import table

A, B, C, D, E = range(5)
TRACKS = ((A, B, 2), (B, C, 2), (A, C, 5), (C, D, 1), (B, E, 1), (E, D, 1), (A, D, 9))


def net(*, dead_ends: tuple[int, ...] = (), free: tuple[int, ...] = (), gone: tuple[int, ...] = ()) -> Net:
    made = Net(5, dead_ends)
    for t, (a, b, length) in enumerate(TRACKS):
        if t not in gone:
            made.add(a, b, t, 0 if t in free else length)
    return made


def way(made: Net, starts: list[int], goals: list[int]) -> list[int] | None:
    steps = made.cheapest(starts, goals)
    return None if steps is None else [step.track for step in steps]


# ---------------------------------------------------------------- any net


def test_spaces_count_and_not_tracks() -> None:
    assert way(net(), [A], [C]) == [0, 1]


def test_what_is_free_is_used_and_what_is_gone_is_not() -> None:
    assert way(net(free=(2,)), [A], [D]) == [2, 3]
    assert way(net(gone=(0,)), [A], [C]) == [2]
    assert way(net(gone=(0, 2, 6)), [A], [C]) is None


def test_the_nearest_of_several_places_is_taken() -> None:
    assert way(net(), [A], [C, E]) == [0, 4]
    assert way(net(), [A, D], [C]) == [3]


def test_a_dead_end_begins_and_ends_a_way_and_is_never_passed() -> None:
    assert way(net(dead_ends=(B,)), [A], [C]) == [2]
    assert way(net(dead_ends=(B,)), [B], [D]) == [4, 5]
    assert way(net(dead_ends=(B,)), [A], [B]) == [0]


def test_each_lender_lends_one_track_on_a_way() -> None:
    made = Net(4, ())
    made.add(0, 1, 0, 1, (0,))
    made.add(1, 2, 1, 1, (0, 1))
    made.add(2, 3, 2, 1, (1,))
    steps = made.cheapest([0], [2])
    assert steps is not None and [step.lender for step in steps] == [0, 1]
    assert made.cheapest([0], [3]) is None
    assert made.distances([0]) == {0: 0, 1: 1, 2: 2}


# ---------------------------------------------------------------- the bots' search and the people's


def price_chains(view: View, plan: Plan, seat: int) -> None:
    """Price the tracks for the bots' search as the terminal prices them, without the steps."""
    s, b = view.position, make_board(view.map)
    find_tracks(s, b, plan, seat)
    for word in range(k.TRACK_WORDS):
        own = s.owned[k.TRACK_WORDS * seat + word]
        shut = s.shut[k.TRACK_WORDS * seat + word]
        plan.usable[word] = own | ((1 << k.BITS) - 1) & ~shut
        for t in range(word * k.BITS, min((word + 1) * k.BITS, b.n_tracks)):
            plan.price[t] = 0 if own >> t % k.BITS & 1 else b.length[t]


@pytest.mark.parametrize("name", ["usa", "europe", "africa"])
def test_the_search_of_the_bots_and_that_of_people_find_the_same_prices(name: str) -> None:
    game, plan = Game.new(name, 3, seed=7), Plan()
    bots = [make_bot("path", seed=seat) for seat in range(3)]
    b, played = make_board(game.map), 0
    while not game.is_over:
        seat = game.to_act[0]
        game.play(bots[seat].choose(game.view(seat), game.legal_actions(seat)), seat)
        played += 1
        if played % 40 == 0:
            view = game.view(seat)
            price_chains(view, plan, seat)
            network = Network(view, by_tracks, borrows=False)
            for t, ticket in enumerate(game.map.tickets):
                price = find_chain(b, plan, b.ticket_a[t], b.ticket_b[t], NOWHERE)
                assert network.trains(ticket.id) == (None if price == NOWHERE else price)
                if price < NOWHERE:
                    trace_chain(b, plan, b.ticket_a[t])
                    assert sum(plan.price[t] for t in plan.chain[: plan.chain_n]) == price


@pytest.mark.parametrize("name", shipped_maps())
def test_the_search_of_networks_finds_what_that_of_the_bots_finds(name: str) -> None:
    """On boards half open, with prices up to the most that a track costs: what a ticket costs, and a way that does."""
    b, plan, paths, chance = make_board(load_map(name)), Plan(), Paths(), random.Random(name)
    found = set()
    for _ in range(6):
        for t in range(b.n_tracks):
            plan.price[t] = paths.cost[t] = chance.choice((0, 0, *range(RING)))
        for word in range(k.TRACK_WORDS):
            plan.usable[word] = paths.open[word] = chance.getrandbits(k.BITS) | chance.getrandbits(k.BITS)
        for ticket in range(b.n_tickets):
            start, goal = b.ticket_a[ticket], b.ticket_b[ticket]
            price, cost = find_chain(b, plan, start, goal, NOWHERE), find_path(b, paths, start, goal)
            assert (cost == FAR) == (price == NOWHERE)
            if cost != FAR:
                assert cost == price == sum(paths.cost[t] for t in way_back(b, paths, start))
            found.add(cost)
    assert len(found) > 10


def way_back(b: Board, paths: Paths, start: int) -> Iterator[int]:
    """The tracks of the path found last, which may pass no dead end."""
    p, passed = paths.goal, 0
    while not start >> p & 1:
        t = paths.via[p]
        yield t
        p = b.track_a[t] + b.track_b[t] - p
        passed |= 1 << p
    assert not passed & b.dead_ends & ~start


@pytest.mark.parametrize("name", shipped_maps())
def test_the_shortest_way_found_first_is_as_long_as_the_cheapest(name: str) -> None:
    b = make_board(load_map(name))
    dead_ends = [p for p in range(b.n_places) if b.dead_ends >> p & 1]
    made = Net(b.n_places, dead_ends)
    roads = [Road(b.track_a[t], b.track_b[t], b.length[t]) for t in range(b.n_tracks)]
    for t, road in enumerate(roads):
        made.add(road.a, road.b, t, road.length)
    for ends in zip(b.ticket_a[: b.n_tickets], b.ticket_b[: b.n_tickets], strict=True):
        starts, goals = ([p for p in range(b.n_places) if places >> p & 1] for places in ends)
        steps = made.cheapest(starts, goals)
        assert steps is not None
        assert sum(step.price for step in steps) == sum(
            roads[t].length for t in first_shortest(roads, dead_ends, starts, goals)
        )
    assert first_shortest(roads[:1], dead_ends, [roads[0].a], [roads[-1].b]) == []


# ---------------------------------------------------------------- a reader's board


def test_the_colour_in_hand_decides_between_tracks_alike() -> None:
    for colour in ("red", "yellow"):
        game = table("usa", hands=[f"{colour} {colour}"])
        path = Network(game.view(0)).path("boston-miami")
        assert path is not None
        track = next(t for t in game.map.tracks if t.colour == colour and {t.a, t.b} == {"boston", "new_york"})
        assert track.id in path.tracks
        assert path.trains == 12


def test_cards_missing() -> None:
    data = load_map("europe")
    colours = {(t.colour, t.length, t.ferry): i for i, t in enumerate(data.tracks)}
    network = Network(Game.new("europe", 2, seed=1).view(0))
    network.hand = {"red": 1, "loco": 1}
    red = next(i for (colour, length, _), i in colours.items() if (colour, length) == ("red", 3))
    assert network.missing_cards([red]) == {"red": 1}
    assert network.missing_cards([]) == {}
    ferry = next(i for (_, length, locos), i in colours.items() if locos == 1 and length == 2)
    network.hand = {"blue": 1}
    assert network.missing_cards([ferry]) == {"loco": 1}


def test_tickets_share_the_tracks_they_have_in_common() -> None:
    view = Game.new("usa", 2, seed=3).view(0)
    network = Network(view)
    tickets = [ticket.id for ticket in view.map.tickets[:4]]
    alone = [network.path(ticket) for ticket in tickets]
    together = network.together(tickets)
    assert together is not None
    assert together.trains <= sum(path.trains for path in alone if path)
    assert together.trains == sum(t.length for t in view.map.tracks if t.id in together.tracks)


def test_a_claim_helps_as_much_as_it_brings_a_ticket_nearer() -> None:
    game = Game.new("africa", 2, seed=5)
    network = Network(game.view(0))
    tickets = [ticket.id for ticket in game.map.tickets[:10]]
    for track in network.open:
        helps = {help.ticket: help for help in network.helps(track, tickets)}
        for ticket in tickets:
            before, after = network.trains(ticket), network.trains(ticket, {track})
            assert (ticket in helps) == (before is None or (after is not None and after < before))
            if ticket in helps:
                assert (helps[ticket].before, helps[ticket].after) == (before, after)


def test_a_score_line_shows_the_fewest_tracks() -> None:
    data = load_map("usa")
    ticket = next(t for t in data.tickets if t.id == "denver-el_paso")
    assert len(chain_of(data, ticket, {t.id for t in data.tracks})) == 2
    assert chain_of(data, ticket, set()) == ()


# ---------------------------------------------------------------- loans, against the kernel


def choice(game: Game, seat: int, bots: list[object], chance: random.Random) -> Action:
    """A bot that likes tickets and stations."""
    actions, view = game.legal_actions(seat), game.view(seat)
    more = [a for a in actions if isinstance(a, DrawTickets)]
    if more and chance.random() < 0.06:
        return more[0]
    keeps = [a for a in actions if isinstance(a, KeepTickets)]
    if keeps:
        return max(keeps, key=lambda action: len(action.tickets))
    sites = [a for a in actions if isinstance(a, BuildStation)]
    if sites and len(view.owners) > 20 and chance.random() < 0.3:
        helped = Network(view)
        todo = [t for t in view.me.tickets if t not in view.completed_tickets(seat)]
        places = {p.id: i for i, p in enumerate(view.map.places)}
        return max(sites, key=lambda a: (helped.one_more_loan(places[a.place], todo) is not None, chance.random()))
    bot = bots[seat]
    chosen: Action = bot.choose(view, actions)  # type: ignore[attr-defined]
    return chosen


def with_station(view: View, place: str) -> View:
    """The same view with one more station of the reader's."""
    s, seat = view.position, view.reader
    assert seat is not None
    n = len(view.me.stations)
    s.stations[seat * k.STATIONS + n] = 1 + next(i for i, p in enumerate(view.map.places) if p.id == place)
    return View(view.map, s, seat)


def check_one_more(view: View, network: Network) -> int:
    """One more station promises no more than the kernel gives for it; how many complete a ticket."""
    points = {ticket.id: ticket.points for ticket in view.map.tickets}
    now = sum(points[t] for t in view.lending().tickets)
    todo = [t for t in view.me.tickets if network.trains(t) != 0]
    found = 0
    for place in network.sites:
        help = network.one_more_loan(place, todo)
        gained = sum(points[one.ticket] for one in help.helps if one.after == 0) if help else 0
        found += gained > 0
        then = sum(points[t] for t in with_station(view, view.map.places[place].id).lending().tickets)
        assert gained <= then - now
    return found


def test_a_ticket_misses_no_train_exactly_where_the_kernel_counts_it() -> None:
    lent = found = 0
    for seed in range(3):
        chance, game = random.Random(seed), Game.new("europe", 4, seed=seed)
        bots: list[object] = [make_bot("path", seed=seat) for seat in range(4)]
        while not game.is_over:
            seat = game.to_act[0]
            game.play(choice(game, seat, bots, chance), seat)
            view = game.view(seat)
            if view.me.stations and chance.random() < 0.1:
                network, lending = Network(view), view.lending()
                done = {t for t in view.me.tickets if network.trains(t) == 0}
                assert done == {*view.completed_tickets(seat), *lending.tickets}
                made = {loan.place: loan.track for loan in lending.loans}
                for ticket in view.me.tickets:
                    path = network.path(ticket)
                    for loan in path.loans if path else ():
                        assert made[loan.place] in (None, loan.track)
                lent += len(lending.tickets)
                found += check_one_more(view, network)
                world = imagine(view, random.Random(9))
                assert [Network(world.view(seat)).path(t) for t in view.me.tickets] == [
                    network.path(t) for t in view.me.tickets
                ]
    assert lent
    assert found
