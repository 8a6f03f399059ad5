"""People play over real sockets: what is acknowledged, what is told to whom, and what can be taken back."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from branchline import Game
from branchline.record import read_game, verify
from branchline.server.tables.course import effective
from branchline.server.tables.loading import entries
from branchline.server.tables.state import Over
from branchline.server.wire.views import score_wire
from tests.server.service import Json, Running, Stream, choose, new_cid, play_on, seated, to_phase

MAPS = ("usa", "europe", "iberia", "africa", "carpathians")


def seat(of: Stream) -> int:
    number: int = of.table["you"]
    return number


def state(running: Running, table: str) -> tuple[int, bytes]:
    """How far the log is, and the whole position."""
    course = running.course(table)
    return course.seq, course.game.position.to_bytes()


# ---------------------------------------------------------------- whole games


@pytest.mark.parametrize("map", MAPS)
def test_a_whole_game_over_sockets(running: Running, map: str) -> None:
    """On one map the deal is drawn, on the others it is chosen, so that the same game is played each time."""
    rng = random.Random(f"whole {map}")
    with seated(running, map=map, watchers=1, seed=None if map == "usa" else 1900) as (people, streams):
        table = streams[0].table["id"]
        first = [stream.update["seq"] for stream in streams]
        assert first == [1, 1, 1]
        assert play_on(streams, rng) > 50
        for stream in streams:
            if stream.finale is None:
                stream.wait("finale")
        check_history(people, streams, table)
        check_record(running, people[0], streams, table)


def check_history(people: list[Any], streams: list[Stream], table: str) -> None:
    """What was told as it happened is what the history says afterwards, for each reader."""
    readers = [person.http for person in people] + [httpx.Client(base_url=f"{people[0].url}/api")]
    for http, stream in zip(readers, streams, strict=True):
        history = http.get(f"/tables/{table}/history").json()
        assert history[0]["by"] == "deal"
        assert history[1:] == stream.steps
        assert http.get(f"/tables/{table}/history?from=9").json() == [s for s in history if s["seq"] > 9]
        assert stream.update["seq"] == history[-1]["seq"]
        assert stream.update["view"]["phase"] == "over"


def check_record(running: Running, person: Any, streams: list[Stream], table: str) -> None:
    """The log, played again, gives the score sheets that were told; the game file says the same and is right."""
    log = entries(running.log(table))
    assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
    over = running.live(table).table
    assert isinstance(over, Over)
    again = Game.new(over.agreed.map, 2, seed=over.dealt.seed)
    for entry in effective(log):
        again.play(entry.line, entry.seat)
    assert again.is_over
    sheets = [sheet["total"] for sheet in streams[0].finale["scores"]] if streams[0].finale else []
    assert sheets == [sheet.total for sheet in score_wire(again)]
    assert streams[0].finale == streams[1].finale == streams[2].finale
    assert person.get(f"/tables/{table}/scores") == (streams[0].finale or {})["scores"]
    record = read_game(person.http.get(f"/tables/{table}/record").text)
    assert verify(record) is None
    assert (record.fair is not None) == (record.map.id == "usa")
    steps = person.get(f"/tables/{table}/replay")
    assert len(steps) == len(record.moves) + 1
    assert steps[-1]["view"]["phase"] == "over"


# ---------------------------------------------------------------- what is acknowledged


def test_the_same_move_again_gets_the_same_answer_and_changes_nothing(running: Running) -> None:
    with seated(running) as (_, streams):
        me, other = streams
        cid, line, asked = new_cid(), choose(random.Random(1), me.offers), me.update["asked"]
        ack = me.move(line, cid=cid)
        assert ack["t"] == "ack"
        other.settled()
        before = state(running, me.table["id"])
        assert me.move(line, cid=cid, seq=asked) == ack
        assert me.move("pass", cid=cid, seq=asked) == ack
        assert state(running, me.table["id"]) == before
        assert other.settled() == []


def test_a_client_id_used_twice_stands_for_the_move_it_was_used_for_first(running: Running) -> None:
    with seated(running) as (_, streams):
        me = to_phase(streams, random.Random(2))
        assert me.move("draw deck", cid="twice")["t"] == "ack"
        before = state(running, me.table["id"])
        assert me.move("draw deck", cid="twice")["t"] == "ack"
        assert state(running, me.table["id"]) == before
        assert me.move("draw deck", cid="once")["t"] == "ack"


def test_the_same_client_id_of_two_people_is_two_moves(running: Running) -> None:
    with seated(running) as (_, streams):
        for stream in streams:
            assert stream.move(stream.offers[0], cid="mine")["t"] == "ack"
        assert [entry.seat for entry in running.log(streams[0].table["id"])] == [0, 1]


def test_a_move_for_a_position_that_is_past_is_refused_and_the_present_one_is_sent(running: Running) -> None:
    rng = random.Random(3)
    with seated(running) as (_, streams):
        me = to_phase(streams, rng)
        stale = me.update["asked"] - 1
        before, known = state(running, me.table["id"]), len(me.raw)
        reply = me.move(me.offers[0], seq=stale)
        assert (reply["t"], reply["stale"], reply["clause"]) == ("refused", True, "")
        assert reply["reason"]
        assert [json.loads(text)["t"] for text in me.raw[known:]] == ["update", "refused"]
        assert me.offers
        assert state(running, me.table["id"]) == before


def test_an_illegal_line_is_refused_with_its_clause_and_nothing_changes(running: Running) -> None:
    rng = random.Random(4)
    with seated(running) as (_, streams):
        me = to_phase(streams, rng)
        other = streams[1 - seat(me)]
        before = state(running, me.table["id"])
        for stream, lines, clause in (
            (other, ["draw deck"], "C-09"),
            (me, ["locos 1"], ""),
            (me, ["claim nowhere red"], ""),
            (me, ["fly to the moon"], ""),
            (me, [""], ""),
            (me, [], ""),
            (me, ["draw 1"] * 5, ""),
        ):
            reply = stream.move(*lines)
            assert reply["t"] == "refused", lines
            assert not reply["stale"]
            assert reply["reason"]
            if clause:
                assert reply["clause"].startswith("C-")
        assert state(running, me.table["id"]) == before
        assert other.settled() == []


def test_a_move_of_several_lines_is_played_whole_or_not_at_all(running: Running) -> None:
    rng = random.Random(5)
    with seated(running) as (_, streams):
        me = to_phase(streams, rng)
        other = streams[1 - seat(me)]
        other.settled()
        before = state(running, me.table["id"])
        reply = me.move("draw deck", "draw 9")
        assert reply["t"] == "refused"
        assert state(running, me.table["id"]) == before
        assert other.settled() == []
        since = other.update["seq"]
        assert me.move("draw deck", "draw deck")["t"] == "ack"
        told = other.settled()
        assert [(update["since"], len(update["steps"])) for update in told] == [(since, 2)]
        assert state(running, me.table["id"])[0] == before[0] + 2


# ---------------------------------------------------------------- all choose at once


@pytest.mark.parametrize("map", ["usa", "iberia"])
def test_what_others_choose_at_the_same_time_does_not_make_my_answer_stale(running: Running, map: str) -> None:
    rng = random.Random(6)
    with seated(running, ("Ada", "Bo", "Cy"), map=map) as (_, streams):
        for _ in range(3):
            if not all(stream.offers for stream in streams):
                break
            questions = [(stream.update["asked"], rng.choice(stream.offers)) for stream in streams]
            for stream, (asked, line) in zip(streams, questions, strict=True):
                assert stream.move(line, seq=asked)["t"] == "ack"
            for stream in streams:
                stream.settled()


def test_what_is_chosen_at_the_same_time_is_hidden_until_all_have_chosen(running: Running) -> None:
    with seated(running, map="usa", watchers=1) as (_, (me, other, watcher)):
        assert me.move(me.offers[0])["t"] == "ack"
        for stream in (other, watcher):
            (told,) = stream.settled()
            assert [event["kind"] for step in told["steps"] for event in step["events"]] == ["ChoiceMade"]
            assert me.offers == []
            assert told["view"]["players"][0]["tickets"] == []


# ---------------------------------------------------------------- a claim in the making


def in_the_making(streams: list[Stream], rng: random.Random) -> tuple[Stream, str]:
    """Somebody who can claim a track with a choice of locomotives left, and the line; the others are settled."""
    while True:
        me = to_phase(streams, rng)
        for line in [offer for offer in me.offers if offer.startswith("claim")]:
            answer = me.ask(line.split()[1])
            ways = [p for p in answer["payments"] if p["lines"][0] == line]
            if len(ways) > 1:
                return me, line
        moves = [offer for offer in me.offers if offer.startswith("draw")] or me.offers
        assert me.move(rng.choice(moves))["t"] == "ack"
        for stream in streams:
            stream.settled()


def test_a_claim_in_the_making_is_silent_and_can_be_undone(running: Running) -> None:
    with seated(running, watchers=1) as (_, streams):
        me, line = in_the_making(streams, random.Random(7))
        others = [stream for stream in streams if stream is not me]
        asked, offers = me.update["asked"], me.offers
        assert not me.update["undo"]
        assert me.move(line)["t"] == "ack"
        assert me.update["undo"]
        assert me.update["view"]["pending"] == line.split()[1]
        assert all(offer.startswith("locos") for offer in me.offers)
        assert [stream.settled() for stream in others] == [[], []]
        assert me.undo()["t"] == "ack"
        assert me.offers == offers
        assert me.update["asked"] > asked
        assert not me.update["undo"]
        assert [stream.settled() for stream in others] == [[], []]
        assert me.move(line, me.ask(line.split()[1])["payments"][0]["lines"][1])["t"] == "ack"
        for stream in others:
            (told,) = stream.settled()
            assert told["steps"][0]["events"][0]["kind"] == "TrackClaimed"


def test_nothing_that_others_know_of_can_be_undone(running: Running) -> None:
    with seated(running) as (_, streams):
        me = to_phase(streams, random.Random(8))
        assert me.undo()["t"] == "refused"
        assert me.move("draw deck")["t"] == "ack"
        assert not me.update["undo"]
        before = state(running, me.table["id"])
        reply = me.undo()
        assert (reply["t"], reply["stale"]) == ("refused", False)
        assert state(running, me.table["id"]) == before


# ---------------------------------------------------------------- taking back what all have seen


def test_a_move_is_taken_back_when_the_others_agree(running: Running) -> None:
    with seated(running, map="usa", watchers=1) as (_, streams):
        me = to_phase(streams[:2], random.Random(9))
        other, watcher = streams[1 - seat(me)], streams[2]
        watcher.settled()
        position, history = state(running, me.table["id"])[1], len(me.steps)
        assert me.move("draw deck", "draw deck")["t"] == "ack"
        me.send({"t": "takeback", "agree": None})
        asked = {"t": "vote", "kind": "back", "seat": seat(me), "about": None, "agreed": [], "open": True}
        assert me.wait("vote") == asked
        other.wait("vote")
        other.send({"t": "takeback", "agree": True})
        while not me.restarted:
            me.next()
        for stream in streams:
            stream.settled()
        assert state(running, me.table["id"])[1] == position
        assert [stream.restarted for stream in streams] == [1, 1, 1]
        assert me.offers
        steps = httpx.get(f"{running.url}/api/tables/{me.table['id']}/history").json()
        assert [event["kind"] for event in steps[-1]["events"]] == ["TakenBack"]
        assert len(steps) == history + 2  # the deal, what was before, and that it was taken back
        assert me.move("draw deck")["t"] == "ack"
        assert len(other.settled()) == 1


def test_a_move_stays_when_somebody_refuses(running: Running) -> None:
    with seated(running, ("Ada", "Bo", "Cy")) as (_, streams):
        me = to_phase(streams, random.Random(10))
        assert me.move("draw deck", "draw deck")["t"] == "ack"
        before = state(running, me.table["id"])
        me.send({"t": "takeback", "agree": None})
        one, two = (stream for stream in streams if stream is not me)
        assert one.wait("vote")["agreed"] == []
        one.send({"t": "takeback", "agree": True})
        while one.wait("vote")["agreed"] != [seat(one)]:
            continue
        two.send({"t": "takeback", "agree": False})
        while me.wait("vote")["open"]:
            continue
        assert state(running, me.table["id"]) == before


def test_bots_agree_to_everything(running: Running) -> None:
    with seated(running, ("Ada",), bots=["random"]) as (_, (me,)):
        while "draw deck" not in me.offers:
            if me.offers:
                me.move(me.offers[0])
            else:
                me.next()
        position = state(running, me.table["id"])[1]
        assert me.move("draw deck", "draw deck")["t"] == "ack"
        while not me.offers:
            me.next()
        me.send({"t": "takeback", "agree": None})
        while not me.restarted:
            me.next()
        assert state(running, me.table["id"])[1] == position


def test_a_turn_is_taken_back_and_not_the_choice_of_tickets_before_it(running: Running) -> None:
    """Who chooses tickets last and then begins has made two moves in a row."""
    with seated(running, map="usa") as (_, (first, second)):
        assert second.move(second.offers[0])["t"] == "ack"
        first.settled()
        assert first.move(first.offers[0])["t"] == "ack"
        position = state(running, first.table["id"])[1]
        assert first.move("draw deck")["t"] == "ack"
        first.send({"t": "takeback", "agree": None})
        second.wait("vote")
        second.send({"t": "takeback", "agree": True})
        while not first.restarted:
            first.next()
        assert state(running, first.table["id"])[1] == position


def test_one_asks_at_a_time(running: Running) -> None:
    with seated(running) as (_, (one, two)):
        for stream in (one, two):
            assert stream.move(stream.offers[0])["t"] == "ack"
        one.send({"t": "takeback", "agree": None})
        two.wait("vote")
        two.send({"t": "takeback", "agree": None})
        assert "already" in two.wait("trouble")["reason"]


@pytest.mark.parametrize("agree", [True, False, None])
def test_there_is_not_always_something_to_take_back(running: Running, agree: bool | None) -> None:
    with seated(running) as (_, (me, _)):
        me.send({"t": "takeback", "agree": agree})
        assert me.wait("trouble", "vote")["t"] == "trouble"


def test_with_a_live_clock_nothing_is_taken_back(running: Running) -> None:
    clock = {"kind": "live", "pool": 600, "increment": 10}
    with seated(running, clock=clock) as (_, (me, _)):
        assert me.move(me.offers[0])["t"] == "ack"
        me.send({"t": "takeback", "agree": None})
        assert "cannot be taken back" in me.wait("trouble", "vote")["reason"]


# ---------------------------------------------------------------- what would it cost


@pytest.mark.parametrize("map", MAPS)
def test_every_payment_told_is_legal_and_every_refusal_names_its_clause(running: Running, map: str) -> None:
    rng = random.Random(f"ask {map}")
    with seated(running, map=map) as (_, streams):
        data = running.live(streams[0].table["id"]).table.agreed.map
        paid = refused = 0
        for _ in range(6):
            me = to_phase(streams, rng)
            for about in rng.sample([t.id for t in data.tracks], 12) + rng.sample([p.id for p in data.places], 4):
                answer = me.ask(about)
                check_answer(running.course(me.table["id"]).game, seat(me), answer)
                paid, refused = paid + len(answer["payments"]), refused + bool(answer["clause"])
            assert me.move(rng.choice([o for o in me.offers if o.startswith("draw")]))["t"] == "ack"
            for stream in streams:
                stream.settled()
        assert paid > 5
        assert refused > 20
        assert "no such" in me.ask("nowhere")["reason"]


def check_answer(game: Game, seat: int, answer: Json) -> None:
    for payment in answer["payments"]:
        trial = game.copy()
        for line in payment["lines"]:
            trial.play(line, seat)
        assert payment["cards"] + payment["locos"] > 0
    about = [(getattr(action, "track", ""), getattr(action, "place", "")) for action in game.legal_actions(seat)]
    claims = [names for names in about if answer["about"] in names]
    assert bool(answer["payments"]) == bool(claims)
    assert bool(answer["clause"]) == bool(answer["reason"]) == (not answer["payments"])


# ---------------------------------------------------------------- coming in amid it all


def test_who_comes_while_somebody_speaks_hears_every_line_once(running: Running) -> None:
    with seated(running) as (_, (me, other)):
        table, said = me.table["id"], [f"line {n}" for n in range(20)]

        def listen(_: int) -> list[str]:
            with running.person().live(table) as late:
                heard = [line["text"] for line in late.next()["chat"]]
                while said[-1] not in heard:
                    heard.append(late.wait("chat")["chat"]["text"])
                return heard

        with ThreadPoolExecutor(12) as together:
            listening = [together.submit(listen, n) for n in range(24)]
            for line in said:
                me.send({"t": "say", "text": line})
                other.wait("chat")
            assert all(heard.result() == said for heard in listening)


# ---------------------------------------------------------------- advice


def test_a_player_is_told_what_tickets_take_and_what_helps(running: Running) -> None:
    rng = random.Random(3)
    with seated(running, map="europe") as (_, streams):
        for stream in streams:
            stream.send({"t": "advise"})
            told = stream.wait("advice")
            offered = stream.update["view"]["offered"]
            assert told["seq"] == stream.update["seq"]
            assert set(told["paths"]) == set(offered)
            assert len(told["keeps"]) == 2 ** len(offered) - 1 - len(offered)
            assert f"keep {' '.join(told['keep'])}" in stream.offers
        mine = to_phase(streams, rng)
        mine.send({"t": "advise"})
        told = mine.wait("advice")
        me = mine.update["view"]["players"][seat(mine)]
        assert set(told["paths"]) == set(me["tickets"])
        paths = {track for path in told["paths"].values() for track in path["tracks"]}
        assert paths <= set(told["helps"]) | set(mine.update["view"]["owners"])
        assert told["keeps"] == [] and told["keep"] is None


def test_of_many_questions_for_advice_the_latest_is_answered(running: Running) -> None:
    with seated(running) as (_, (me, _)):
        for _ in range(20):
            me.send({"t": "advise"})
        assert me.move(me.offers[0])["t"] == "ack"  # nothing waits for advice
        me.send({"t": "advise"})
        while me.wait("advice")["seq"] != me.update["seq"]:
            pass
