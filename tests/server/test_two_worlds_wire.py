"""Two worlds that a reader cannot tell apart, over the real wire (I-05): every frame is the same, byte for byte.

One table shows a reader first the true game and then a world the reader could as well be in: same table, same numbers,
other hidden cards. And the other way round: choices of others that a reader may not know of leave no trace at all.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from branchline import Game, imagine, write_action
from branchline.events import Reader
from branchline.server.live.facts import TALK_KEPT
from branchline.server.live.table import LiveTable
from branchline.server.tables import commands
from branchline.server.tables.course import Course
from branchline.server.tables.state import Chair, Dealt, Playing
from tests.server.service import Json, Person, Running, Stream, new_cid, seated, set_clock, spectator
from tests.server.test_live import in_the_making
from tests.server.test_live import seat as seat_of
from tests.test_two_worlds import moments, same_in, told


@pytest.fixture(scope="module")
def running(on_either_store: Running) -> Running:
    return on_either_store


class Booth:
    """One table of a running service in which a game can be exchanged for another."""

    def __init__(self, running: Running, map: str, players: int) -> None:
        self.running = running
        self.people = [running.person(f"P{n}") for n in range(players)]
        self.watcher = running.person()
        made = self.people[0].table(*["open"] * (players - 1), map=map)
        self.id = made["id"]
        self.agreed = running.live(self.id).table.agreed
        self.entries = 50

    def show(self, game: Game, told: list[int], asked: list[int]) -> LiveTable:
        """Put a game on the table. Its log has another length each time: no reader may notice."""
        chairs = tuple(Chair(user=person.id, name=f"P{n}", colour=n) for n, person in enumerate(self.people))
        self.entries += 7
        playing = Playing(
            agreed=self.agreed,
            owner=self.people[0].id,
            chairs=chairs,
            updated=1.0,
            dealt=Dealt(1, tuple(range(len(chairs))), 1.0),
            course=Course(game.copy(), self.entries, told.copy(), asked.copy(), []),
        )

        def put() -> LiveTable:
            live = self.running.service.tables.held.live
            before = live[self.id]
            before.close()
            live[self.id] = LiveTable(before.lease, playing, before.around)
            return live[self.id]

        return self.running.call(put)

    def person(self, reader: Reader) -> Person:
        return self.watcher if reader is None else self.people[reader]

    def play(self, live: LiveTable, seat: int, line: str) -> None:
        move = commands.Move(user=self.people[seat].id, cid=new_cid(), seq=asked_of(live, seat), lines=[line])
        self.running.run(live.do(move))


def asked_of(live: LiveTable, seat: int) -> int:
    assert isinstance(live.table, Playing)
    return live.table.course.asked[seat]


def same_public_move(game: Game, world: Game, reader: Reader) -> Iterator[tuple[int, str, str]]:
    """Moves of another seat, in both worlds, after which the reader may know the same in both."""
    for seat in game.to_act:
        if seat == reader or seat not in world.to_act:
            continue
        for action in game.legal_actions(seat):
            twin = same_in(world, game, action, seat)
            if twin is None:
                continue
            one, two = game.copy(), world.copy()
            here, news = told(one.play(action, seat), reader, seat)
            there, other_news = told(two.play(twin, seat), reader, seat)
            if not news and not other_news and here and here == there and not one.is_over and twin == action:
                yield seat, write_action(action), write_action(twin)


WIRE_TABLES = [
    ("usa", 2),
    ("usa", 4),
    ("europe", 3),
    ("iberia", 3),
    ("africa", 2),
    ("carpathians", 2),
    ("carpathians", 5),
]


@pytest.mark.parametrize(("map", "players"), WIRE_TABLES)
def test_no_frame_tells_two_worlds_apart(running: Running, map: str, players: int) -> None:
    rng = random.Random(f"wire {map} {players}")
    booth = Booth(running, map, players)
    compared = moved = differed = 0
    for game in some_moments(map, players, rng):
        for reader in (*range(players), None):
            world = imagine(game.view(reader), rng)
            differed += world != game
            ways = list(same_public_move(game, world, reader))
            seat, here, there = rng.choice(ways) if ways else (-1, "", "")
            numbers = [30 + n for n in range(players + 1)]
            shown = ((booth.show(one, numbers, numbers[:-1]), line) for one, line in ((game, here), (world, there)))
            frames = [look(booth, live, reader, seat, line) for live, line in shown]
            assert frames[0] == frames[1], f"{map} {players} reader {reader}"
            assert [len(frame) for frame in frames[0]] == [len(frame) for frame in frames[1]]
            compared += 1
            moved += bool(ways)
    assert differed == compared
    assert compared >= 3 * (players + 1)
    assert moved > players


def some_moments(map: str, players: int, rng: random.Random) -> list[Game]:
    """A few moments of a random game, the rarer decisions more often than they come."""
    found: dict[str, list[Game]] = {}
    for game, _, _ in moments((map, players), seed=rng.getrandbits(40), hoarding=0.3, every=7):
        if not game.is_over:
            found.setdefault(game.phase, []).append(game.copy())
    return [rng.choice(games) for _, games in sorted(found.items())]


def look(booth: Booth, live: LiveTable, reader: Reader, seat: int, line: str) -> list[str]:
    """Every frame a reader gets: on coming, on asking for prices and advice, after another's move, on asking again."""
    with booth.person(reader).live(booth.id) as stream:
        stream.settled()
        if reader is not None:
            for about in (booth.agreed.map.tracks[3].id, booth.agreed.map.tracks[-1].id, booth.agreed.map.places[2].id):
                stream.send({"t": "ask", "cid": "q", "about": about})
                stream.wait("answer")
            stream.send({"t": "advise"})
            stream.wait("advice")
            assert stream.move("fly", cid="m", seq=asked_of(live, reader))["t"] == "refused"
        if line:
            booth.play(live, seat, line)
            assert [message["t"] for message in stream.settled()] == ["update"]
        stream.send({"t": "resync"})
        stream.settled()
        return [text for text in stream.raw if '"t":"pong"' not in text]


def test_a_frame_with_one_hidden_card_more_would_be_noticed(running: Running) -> None:
    """The comparison can fail: a reader with the other world's seat sees another hand."""
    booth = Booth(running, "usa", 2)
    game = Game.new("usa", 2, seed=3)
    world = imagine(game.view(0), random.Random(1))
    frames = [look(booth, booth.show(one, [1, 1, 1], [1, 1]), 1, -1, "") for one in (game, world)]
    assert frames[0] != frames[1]


# ---------------------------------------------------------------- choices that leave no trace


def twin_tables(running: Running, seed: int, **options: Any) -> tuple[list[Person], list[str]]:
    """Two tables with the same people and the same chosen deal."""
    people = [running.person("Ada"), running.person("Bo")]
    tables = []
    for _ in range(2):
        made = people[0].table("open", seed=seed, **options)
        people[1].post(f"/tables/{made['id']}/sit")
        people[0].post(f"/tables/{made['id']}/start")
        tables.append(made["id"])
    return people, tables


def masked(text: str, table: Json) -> str:
    """A frame without what names the table, and the client's own ids."""
    for name in ("id", "commitment"):
        text = text.replace(table[name], f"<{name}>")
    text = re.sub(r'"cid":"c\d+"', '"cid":"c"', text)
    return text.replace(f'"created":{json.dumps(table["created"])}', '"created":0')


def readers_of(running: Running, people: list[Person], table: str) -> tuple[Stream, list[Stream]]:
    """The stream of who acts, seat 0, and those of who must not notice."""
    return people[0].live(table).begin(), [people[1].live(table).begin(), spectator(running.url, table).begin()]


def compare(running: Running, people: list[Person], tables: list[str], play: tuple[Any, Any]) -> None:
    """Play differently at two tables with the same deal; the others get the same frames, and the same history."""
    seen: list[Any] = []
    for table, acts in zip(tables, play, strict=True):
        me, others = readers_of(running, people, table)
        acts(me, others)
        for stream in (me, *others):
            stream.settled()
        frames = [[masked(raw, stream.table) for raw in stream.raw if '"t":"pong"' not in raw] for stream in others]
        histories = [people[1].http.get(f"/tables/{table}/history").content]
        histories.append(people[1].http.get(f"/tables/{table}/history", headers={"authorization": ""}).content)
        games = next(line for line in people[1].get("/me/tables") if line["id"] == table)
        seen.append((frames, histories, {**games, "id": "", "updated": 0}))
        assert frames[0]
        for stream in (me, *others):
            stream.socket.close()
    assert seen[0] == seen[1]


def chosen_tickets(which: int, then: list[str]) -> Any:
    """Seat 0 keeps one pair of its first tickets or another; then the same public moves follow."""

    def acts(me: Stream, others: list[Stream]) -> None:
        pairs = [line for line in me.offers if len(line.split()) == 3]
        assert me.move(pairs[which])["t"] == "ack"
        other = others[0]
        other.settled()
        assert other.move(other.offers[0])["t"] == "ack"
        for stream in (me, other):  # those not kept go back in an order of one's own
            while stream.offers[0].startswith("return") if stream.offers else False:
                assert stream.move(stream.offers[0])["t"] == "ack"
        for stream in (me, other):
            stream.settled()
        for n, line in enumerate(then):
            mover, idle = (me, other) if n // 2 % 2 == 0 else (other, me)
            reply = mover.move(line)
            assert reply["t"] == "ack", reply
            idle.settled()

    return acts


@pytest.mark.parametrize("map", ["usa", "europe", "africa"])
def test_which_tickets_another_keeps_leaves_no_trace(running: Running, map: str) -> None:
    people, tables = twin_tables(running, 7, map=map)
    public = ["draw deck", "draw deck"] * 4
    compare(running, people, tables, (chosen_tickets(0, public), chosen_tickets(1, public)))


def test_what_another_drafts_leaves_no_trace(running: Running) -> None:
    def acts(which: int) -> Any:
        def play(me: Stream, others: list[Stream]) -> None:
            assert me.move([offer for offer in me.offers if offer.startswith("take")][which])["t"] == "ack"

        return play

    people, tables = twin_tables(running, 7, map="iberia")
    compare(running, people, tables, (acts(0), acts(1)))


def test_a_claim_begun_and_undone_leaves_no_trace(running: Running) -> None:
    """The other claim, made at once in one world, and after a change of mind in the other."""

    def ready(me: Stream, others: list[Stream]) -> str:
        """Draw until seat 0 can claim with a choice of locomotives; the line."""
        for stream in (me, others[0]):
            stream.settled()
            assert stream.move(stream.offers[0])["t"] == "ack"
        me.settled()
        while True:
            for line in [offer for offer in me.offers if offer.startswith("claim")]:
                if sum(p["lines"][0] == line for p in me.ask(line.split()[1])["payments"]) > 1:
                    return line
            for stream in (me, others[0]):
                reply = stream.move("draw deck", "draw deck")
                assert reply["t"] == "ack", reply
                for other in (me, others[0]):
                    other.settled()

    def at_once(me: Stream, others: list[Stream]) -> None:
        line = ready(me, others)
        for _ in range(3):
            asked_again(others)
        assert me.move(line, me.ask(line.split()[1])["payments"][0]["lines"][1])["t"] == "ack"
        go_on(me, others)

    def after_a_change_of_mind(me: Stream, others: list[Stream]) -> None:
        line = ready(me, others)
        for _ in range(3):
            assert me.move(line)["t"] == "ack"
            asked_again(others)
            assert me.undo()["t"] == "ack"
        assert me.move(line)["t"] == "ack"
        assert me.move(me.offers[0])["t"] == "ack"
        go_on(me, others)

    def go_on(me: Stream, others: list[Stream]) -> None:
        others[0].settled()
        assert others[0].move("draw deck", "draw deck")["t"] == "ack"  # the ack has a number too

    people, tables = twin_tables(running, 12, map="usa")
    compare(running, people, tables, (at_once, after_a_change_of_mind))


# ---------------------------------------------------------------- what spectators say


@pytest.mark.parametrize("begun", [False, True], ids=["before the deal", "in the game"])
def test_what_spectators_say_leaves_no_trace_with_players(running: Running, begun: bool) -> None:
    """Not in what they are told, nor in what who comes again is told; who looks on late hears both kinds."""
    people = [running.person("Ada"), running.person("Bo")]
    seen = []
    for silent in (True, False):
        table = people[0].table("open", seed=7)["id"]
        people[1].post(f"/tables/{table}/sit")
        if begun:
            people[0].post(f"/tables/{table}/start")
        players = [person.live(table).begin() for person in people]
        watchers = [running.person(name).live(table).begin() for name in ("Eve", None)]
        players[0].send({"t": "say", "phrase": "good_luck"})
        for stream in (*players, *watchers):
            stream.wait("chat")
        for n in range(0 if silent else TALK_KEPT + 2):
            watchers[n % 2].send({"t": "say", "text": f"line {n}"})
            for watcher in watchers:
                told = watcher.wait("chat", "trouble")
                assert (told["t"], told["chat"]["seat"]) == ("chat", None)
        again = [person.live(table).begin() for person in people]
        if begun:
            assert players[0].move(players[0].offers[0])["t"] == "ack"
        for stream in (*players, *again):
            stream.settled()
        seen.append([as_said(stream) for stream in (*players, *again)])
        with running.person().live(table) as late:
            lines = late.next()["chat"]
        assert [line["phrase"] for line in lines if line["seat"] is not None] == ["good_luck"]
        theirs = [line["text"] for line in lines if line["seat"] is None]
        assert theirs == ([] if silent else [f"line {n}" for n in range(2, TALK_KEPT + 2)])
        assert all(line["name"] for line in lines)
        for stream in (*players, *watchers, *again):
            stream.socket.close()
    assert seen[0] == seen[1]


def as_said(stream: Stream) -> list[str]:
    """All frames of a stream, without what names the table and what depends on when it was said."""
    frames = [masked(raw, stream.table) for raw in stream.raw if '"t":"pong"' not in raw]
    return [re.sub(r'"(at|away)":[0-9.]+', r'"\1":0', frame) for frame in frames]


# ---------------------------------------------------------------- while it is being made

NUDGED = "you have nudged already; again when the game has moved on"


@pytest.mark.parametrize("clock", [{"kind": "none"}, {"kind": "days", "days": 1}], ids=["no clock", "days"])
def test_a_silent_choice_changes_nothing_that_others_can_ask_for(running: Running, clock: Json) -> None:
    """Streams, what they say when asked again, a vote, a nudge, the list of games: all as before, but for the time."""
    with seated(running, watchers=1, clock=clock) as (people, streams):
        me, line = in_the_making(streams, random.Random(13))
        others = [stream for stream in streams if stream is not me]
        other = others[0]
        other.send({"t": "takeback", "agree": None})
        running.later(3601)
        other.send({"t": "nudge", "seat": seat_of(me)})
        while not me.table["nudged"]:
            me.next()
        for stream in streams:
            stream.settled()
        if clock["kind"] == "days":  # some of the time is gone: a clock set back would be seen
            set_clock(running, me.table["id"], seat_of(me), 9000.0)
        person = people[seat_of(other)]
        table = f"/tables/{me.table['id']}"

        def seen() -> tuple[object, ...]:
            other.send({"t": "nudge", "seat": seat_of(me)})
            nudged = other.wait("trouble")
            return (
                asked_again(others),
                nudged,
                person.get("/me/tables"),
                person.get(table),
                person.get(f"{table}/history"),
            )

        before = seen()
        assert before[1] == {"t": "trouble", "reason": NUDGED, "code": "nudged", "n": None}
        assert me.move(line)["t"] == "ack"
        assert [stream.settled() for stream in others] == [[], []]
        assert seen() == before


def asked_again(streams: list[Stream]) -> list[list[Json]]:
    """What readers are told when they ask for the present state; clocks to the nearest minute."""
    found = []
    for stream in streams:
        stream.send({"t": "resync"})
        told = stream.settled()
        for message in told:
            if message.get("clock"):
                message["clock"]["left"] = [round(left / 60) for left in message["clock"]["left"]]
                message["clock"]["now"] = 0
        found.append(told)
    return found


def test_the_number_of_an_ack_says_nothing_of_silent_choices(running: Running) -> None:
    """An ack's number is the one the player sent, however many entries the log has."""
    with seated(running) as (_, streams):
        me, line = in_the_making(streams, random.Random(14))
        other = streams[1 - seat_of(me)]
        for _ in range(2):
            assert me.move(line)["t"] == "ack"
            assert me.undo()["t"] == "ack"
        assert me.move("draw deck", "draw deck")["t"] == "ack"
        other.settled()
        asked = other.update["asked"]
        ack = other.move("draw deck")
        assert ack == {"t": "ack", "cid": ack["cid"], "seq": asked}
