"""Tables: who can make them, sit at them, start them, play at them; and the deal nobody chose."""

from __future__ import annotations

import random
import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from branchline.fair import check, commitment, deal_seed, fair_deal
from branchline.record import read_game
from branchline.server.live import all_tables
from branchline.server.tables.roster import NAMES
from branchline.server.tables.state import Playing
from tests.server.service import Json, Person, Running, choose, eventually, new_cid, seated, spectator

ME, OPEN = {"kind": "me"}, {"kind": "open"}


def bot(name: str = "random") -> Json:
    return {"kind": "bot", "bot": name}


def names(table: Json) -> list[str]:
    return [seat["name"] for seat in table["seats"]]


def finished(running: Running, *people: Person, bots: tuple[str, ...] = ("random",), **options: Any) -> str:
    """A table whose game is over: everybody left it to the bots."""
    table = str(people[0].table(*["open"] * (len(people) - 1), *bots, **options)["id"])
    for person in people[1:]:
        person.post(f"/tables/{table}/sit")
    people[0].post(f"/tables/{table}/start")
    for person in people:
        person.post(f"/tables/{table}/leave")
    eventually(lambda: people[0].get(f"/tables/{table}")["state"] == "over")
    return table


# ---------------------------------------------------------------- making one

REFUSALS: list[tuple[Json, str]] = [
    ({"map": "mars"}, "no map"),
    ({"seats": [ME]}, "player"),
    ({"seats": [ME] + [OPEN] * 5}, "player"),
    ({"seats": []}, "player"),
    ({"seats": [ME, ME]}, "one chair only"),
    ({"seats": [ME, bot("genius")]}, "no bot"),
    ({"seats": [ME, {"kind": "bot"}]}, "no bot"),
    ({"seats": [ME, {"kind": "cat"}]}, "cat"),
    ({"clock": {"kind": "live", "pool": 5}}, "30 to 7200"),
    ({"clock": {"kind": "live", "pool": 60, "increment": -1}}, "increment"),
    ({"clock": {"kind": "days", "days": 99}}, "days"),
    ({"clock": {"kind": "sundial"}}, "sundial"),
    ({"seed": -1}, "chosen deal"),
    ({"seed": 1 << 53}, "chosen deal"),
    ({"seed": 7, "listed": True}, "lobby"),
    ({"browser_seed": "ab" * 32}, "GET /api/promise"),
    ({"promise": "nonsense"}, "promise"),
    ({"colour": "red"}, "colour"),
    ({"order": "random"}, "order"),
]


@pytest.mark.parametrize(("change", "reason"), REFUSALS, ids=[str(change)[:40] for change, _ in REFUSALS])
def test_a_table_that_cannot_be_is_refused_in_words(running: Running, change: Json, reason: str) -> None:
    ada = running.person()
    status, told = ada.refused("/tables", {"map": "usa", "seats": [ME, OPEN], **change})
    assert status == 400
    assert reason in told
    assert ada.get("/me/tables") == []


def test_without_a_name_there_is_no_table(running: Running) -> None:
    ada = running.person()
    reply = ada.http.post("/tables", json={"map": "usa", "seats": [ME, OPEN]}, headers={"authorization": "Bearer no"})
    assert reply.status_code == 401
    assert "/api/me" in reply.json()["reason"]


def test_a_user_has_only_so_many_tables_at_a_time(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_tables, "MOST_OPEN_TABLES", 2)
    ada = running.person()
    for _ in range(2):
        ada.table("open")
    status, told = ada.refused("/tables", {"map": "usa", "seats": [ME, OPEN]})
    assert (status, "finish or leave" in told) == (409, True)


# ---------------------------------------------------------------- chairs


def test_people_sit_down_until_it_is_full(running: Running) -> None:
    ada, bo, cy = (running.person(name) for name in ("Ada", "Ada", "Cy"))
    table = ada.table("open", "path")
    assert (table["state"], table["host"], table["you"]) == ("open", True, 0)
    assert [seat["kind"] for seat in table["seats"]] == ["person", "open", "bot"]
    at = f"/tables/{table['id']}"
    sat = bo.post(f"{at}/sit")
    assert names(sat)[:2] == ["Ada", "Ada 2"]  # nobody is taken for somebody else
    assert (sat["you"], sat["host"]) == (1, False)
    assert bo.post(f"{at}/sit")["you"] == 1  # twice is once
    assert cy.refused(f"{at}/sit") == (409, "all chairs are taken; you can watch")
    assert cy.get(at)["you"] is None


def test_the_host_can_hand_chairs_to_bots_and_open_them_again(running: Running) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    at = f"/tables/{ada.table('open', 'open', 'random')['id']}"
    bo.post(f"{at}/sit")
    for change, status in (
        ({"chair": 9, "kind": "open"}, 400),
        ({"chair": -1, "kind": "open"}, 400),
        ({"chair": 2, "kind": "bot", "bot": "nobody"}, 400),
        ({"chair": 1, "kind": "bot", "bot": "path"}, 409),
    ):
        assert ada.refused(f"{at}/seats", change)[0] == status
    assert bo.refused(f"{at}/seats", {"chair": 2, "kind": "bot", "bot": "path"})[0] == 403
    full = ada.post(f"{at}/seats", {"chair": 2, "kind": "bot", "bot": "random"})
    assert [seat["bot"] for seat in full["seats"]] == [None, None, "random", "random"]
    assert len(set(names(full))) == 4
    assert set(names(full)[2:]) <= set(NAMES["random"])
    assert ada.post(f"{at}/seats", {"chair": 3, "kind": "open"})["seats"][3]["kind"] == "open"


def test_when_the_host_leaves_another_is_host_and_the_last_closes_the_table(running: Running) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    at = f"/tables/{ada.table('open')['id']}"
    bo.post(f"{at}/sit")
    with bo.live(at.rpartition("/")[2]) as stream:
        stream.begin()
        assert ada.post(f"{at}/leave")["you"] is None
        assert stream.wait("table")["table"]["host"]
    assert bo.get(at)["host"]
    assert ada.refused(f"{at}/start")[0] == 403
    assert bo.post(f"{at}/leave")["state"] == "dropped"
    assert ada.refused(f"{at}/sit") == (409, "this table was closed")


def test_only_the_host_starts_and_only_a_full_table(running: Running) -> None:
    ada, bo = running.person(), running.person()
    at = f"/tables/{ada.table('open')['id']}"
    assert ada.refused(f"{at}/start")[0] == 409
    bo.post(f"{at}/sit")
    assert bo.refused(f"{at}/start")[0] == 403
    assert ada.post(f"{at}/start")["state"] == "playing"
    assert "already" in ada.refused(f"{at}/start")[1]
    assert ada.refused(f"{at}/seats", {"chair": 1, "kind": "open"})[0] == 409
    assert running.person().refused(f"{at}/sit") == (409, "the game has begun; you can watch")


def test_a_full_table_starts_at_once_if_asked_to(running: Running) -> None:
    ada = running.person()
    assert ada.table("random", start=True)["state"] == "playing"
    assert ada.table("open", start=True)["state"] == "open"


# ---------------------------------------------------------------- lists


def test_the_lobby_shows_listed_tables_with_an_empty_chair_and_no_others(running: Running) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    listed, private = ada.table("open", listed=True), ada.table("open")
    full = ada.table("random", listed=True)

    def shown() -> set[str]:
        return {line["id"] for line in bo.get("/tables")}

    assert listed["id"] in shown()
    assert not {private["id"], full["id"]} & shown()
    assert (listed["free_chat"], private["free_chat"]) == (False, True)
    bo.post(f"/tables/{listed['id']}/sit")
    assert listed["id"] not in shown()


def test_my_games_begin_with_those_that_wait_for_me(running: Running) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    over = finished(running, ada)
    waiting = ada.table("open")["id"]
    mine = ada.table("random", start=True)["id"]
    theirs = ada.table("open")["id"]
    bo.post(f"/tables/{theirs}/sit")
    ada.post(f"/tables/{theirs}/start")
    with ada.live(theirs) as stream:
        stream.begin()
        assert stream.move(stream.offers[0])["t"] == "ack"  # now it waits for the other
    lines = ada.get("/me/tables")
    assert [line["id"] for line in lines] == [mine, theirs, waiting, over]
    assert [line["your_turn"] for line in lines] == [True, False, False, False]
    assert [line["state"] for line in lines] == ["playing", "playing", "open", "over"]
    assert sorted(lines[-1]["places"]) in ([1, 2], [1, 1])
    assert len(lines[-1]["totals"]) == 2
    assert [line["id"] for line in bo.get("/me/tables")] == [theirs]
    assert bo.get("/me/tables")[0]["your_turn"]


# ---------------------------------------------------------------- who may do what


@pytest.mark.parametrize("table", ["x", "A" * 22, "A" * 60, "%00", "' OR 1=1 --"])
def test_a_guessed_table_is_not_there(running: Running, table: str) -> None:
    ada = running.person()
    for path in ("", "/history", "/scores", "/record", "/replay", "/fair", "/stream", "/qr.svg"):
        reply = ada.http.get(f"/tables/{table}{path}")
        assert reply.status_code == 404, path
        assert reply.json()["reason"]
    for path in ("sit", "leave", "start", "back", "rematch", "seats", "moves", "report"):
        body = {"moves": {"seq": 1, "cid": "c", "lines": ["pass"]}, "seats": {"chair": 0, "kind": "open"}}.get(path, {})
        body = {"seat": 0, "reason": "chat"} if path == "report" else body
        assert ada.http.post(f"/tables/{table}/{path}", json=body).status_code == 404, path


def test_a_guessed_table_has_no_stream(running: Running) -> None:
    assert running.person().live("A" * 22).closed() == 4404


def test_nobody_moves_for_another(running: Running) -> None:
    with seated(running) as (people, (me, other)):
        at, line, asked = f"/tables/{me.table['id']}", other.offers[0], other.update["asked"]
        stranger = running.person()
        move = {"seq": asked, "cid": "theirs", "lines": [line]}
        reply = people[0].http.post(f"{at}/moves", json=move)  # the other's tickets are not mine to keep
        assert reply.status_code == 409
        assert stranger.refused(f"{at}/moves", move) == (409, "you do not sit at this table")
        with spectator(running.url, me.table["id"]) as watcher:
            watcher.begin()
            for message in (
                {"t": "move", **move},
                {"t": "undo", "seq": asked, "cid": "u"},
                {"t": "ask", "cid": "a", "about": "x"},
                {"t": "advise"},
                {"t": "takeback"},
                {"t": "pause"},
            ):
                watcher.send(message)
                assert watcher.wait("trouble", "ack", "answer", "chat")["t"] == "trouble"
        assert running.log(me.table["id"]) == []


def test_nobody_moves_for_another_while_the_host_starts_and_seats_are_drawn(running: Running) -> None:
    """The deal is a chosen one, so that what the other seat may do is known before."""
    with seated(running, seed=21) as (_, streams):
        lines = [stream.offers[0] for stream in streams]
    ada, bo = running.person("Ada"), running.person("Bo")
    drawn = set()
    for _ in range(20):
        table = ada.table("open", seed=21, order="drawn")["id"]
        bo.post(f"/tables/{table}/sit")
        with bo.live(table) as stream, ThreadPoolExecutor(1) as host:
            stream.begin()
            started = host.submit(ada.post, f"/tables/{table}/start")
            while not started.done():
                for line in lines:
                    stream.send({"t": "move", "seq": 1, "cid": new_cid(), "lines": [line]})
                stream.settled()
            seat = started.result()["seats"].index(next(s for s in started.result()["seats"] if s["name"] == "Bo"))
            drawn.add(seat)
            assert {entry.seat for entry in running.log(table)} <= {seat}
    assert drawn == {0, 1}


def test_a_move_by_http_is_a_move(running: Running) -> None:
    with seated(running) as (people, (me, other)):
        at = f"/tables/{me.table['id']}/moves"
        move = {"seq": me.update["asked"], "cid": "by-http", "lines": [me.offers[0]]}
        done = people[0].post(at, move)
        assert done["ok"]
        assert people[0].post(at, move) == done
        assert [message["t"] for message in other.settled()] == ["update"]
        bad = people[1].http.post(at, json={"seq": other.update["asked"], "cid": "x", "lines": ["draw deck"]})
        assert bad.status_code == 409
        assert (bad.json()["ok"], bad.json()["stale"], bool(bad.json()["clause"])) == (False, False, True)
        stale = people[1].http.post(at, json={"seq": 99, "cid": "y", "lines": [other.offers[0]]}).json()
        assert (stale["ok"], stale["stale"]) == (False, True)
        assert people[0].refused(at, {**move, "cid": ""})[0] == 400
        assert people[0].refused(at, {**move, "cid": "é"})[0] == 400
        assert people[0].refused(at, {**move, "cid": "c" * 41})[0] == 400


# ---------------------------------------------------------------- the next game


def test_a_rematch_is_one_table_with_the_seats_turned_by_one(running: Running) -> None:
    people = [running.person(name) for name in ("Ada", "Bo", "Cy")]
    old = finished(running, *people, seed=3)
    seats = names(people[0].get(f"/tables/{old}"))
    with spectator(running.url, old) as watcher:
        watcher.begin()
        again = people[2].post(f"/tables/{old}/rematch")
        assert watcher.wait("table")["table"]["rematch"] == again["id"]
    assert again["host"] and [seat["expected"] for seat in again["seats"]].count(True) == 2
    turned = names(again)
    assert turned == [*seats[1:], seats[0]]
    assert people[2].refused(f"/tables/{again['id']}/start")[0] == 409  # the others have not come
    assert people[0].post(f"/tables/{old}/rematch")["id"] == again["id"]
    assert people[2].post(f"/tables/{old}/rematch")["state"] == "open"
    assert people[1].post(f"/tables/{again['id']}/sit", {"browser_seed": "cd" * 16})["state"] == "playing"  # by itself
    assert names(people[0].get(f"/tables/{again['id']}")) == turned
    assert running.person().refused(f"/tables/{old}/rematch")[0] == 403


def test_there_is_no_rematch_before_the_end_and_against_bots_it_begins_at_once(running: Running) -> None:
    ada = running.person()
    table = ada.table("random", start=True)["id"]
    assert ada.refused(f"/tables/{table}/rematch") == (409, "the game is not over")
    again = ada.post(f"/tables/{finished(running, ada)}/rematch")
    assert (again["state"], again["you"]) == ("playing", 1)


# ---------------------------------------------------------------- the fair deal


def test_a_promise_is_kept_and_every_part_of_the_deal_is_used(running: Running) -> None:
    ada, bo = running.person("Ada"), running.person("Bo")
    mine, theirs = secrets.token_hex(16), secrets.token_hex(32)
    promise = ada.get("/promise")
    body = {"map": "usa", "seats": [ME, OPEN, bot()], "promise": promise["ticket"], "browser_seed": mine}
    assert bo.refused("/tables", body)[0] == 400  # a promise is for one guest
    table = ada.post("/tables", body)
    assert (table["id"], table["commitment"]) == (promise["table"], promise["commitment"])
    assert ada.refused("/tables", body)[0] == 409  # and for one table
    at = f"/tables/{table['id']}"
    assert bo.refused(f"{at}/sit", {"browser_seed": "short"})[0] == 400
    bo.post(f"{at}/sit", {"browser_seed": theirs})
    hidden = bo.get(f"{at}/fair")
    assert [seat["seed"] for seat in hidden["seats"]] == ["", "", ""]
    ada.post(f"{at}/start")
    playing = bo.get(f"{at}/fair")
    assert (playing["server_seed"], playing["seed"], playing["checked"]) == (None, None, None)
    assert [(seat["seed"], seat["by"]) for seat in playing["seats"]] == [
        (mine, "browser"),
        (theirs, "browser"),
        ("", "server"),
    ]
    check_hidden(running, ada, table["id"])
    for person in (ada, bo):
        person.post(f"{at}/leave")
    eventually(lambda: ada.get(at)["state"] == "over")
    check_told(ada, table, mine, theirs)


def test_a_promise_used_by_many_requests_at_once_makes_one_table(running: Running) -> None:
    ada = running.person("Ada")
    for _ in range(5):
        body = {"map": "usa", "seats": [ME, OPEN], "promise": ada.get("/promise")["ticket"]}
        with ThreadPoolExecutor(6) as together:
            replies = list(together.map(lambda _, body=body: ada.http.post("/tables", json=body), range(6)))
        assert sorted(reply.status_code for reply in replies) == [200] + [409] * 5
        assert {reply.json()["code"] for reply in replies if reply.status_code == 409} == {"promise_used"}


def test_a_promise_that_was_used_makes_no_rematch_and_another_does(running: Running) -> None:
    ada = running.person("Ada")
    old, used = finished(running, ada), ada.get("/promise")
    ada.post("/tables", {"map": "usa", "seats": [ME, OPEN], "promise": used["ticket"]})
    reply = ada.http.post(f"/tables/{old}/rematch", json={"promise": used["ticket"]})
    assert (reply.status_code, reply.json()["code"]) == (409, "promise_used")
    assert ada.get(f"/tables/{old}")["rematch"] is None
    fresh = ada.get("/promise")
    assert ada.post(f"/tables/{old}/rematch", {"promise": fresh["ticket"]})["id"] == fresh["table"]


def test_two_of_the_longest_name_are_told_apart_in_the_games_file(running: Running) -> None:
    longest = "e\u0332\u0333" * 20
    people = [running.person(longest), running.person(longest)]
    assert [person.get("/me")["name"] for person in people] == [longest] * 2
    table = finished(running, *people, bots=())
    record = read_game(people[0].http.get(f"/tables/{table}/record").text)
    told = [player.name for player in record.players]
    assert told == names(people[0].get(f"/tables/{table}"))
    assert len(set(told)) == 2


def check_hidden(running: Running, person: Person, table: str) -> None:
    """While the game lasts neither seed is in anything that is told; and what tells all is refused."""
    playing = running.live(table).table
    assert isinstance(playing, Playing)
    secret = (playing.agreed.server_seed.hex(), str(playing.dealt.seed))
    for path in ("", "/fair", "/history"):
        text = person.http.get(f"/tables/{table}{path}").text
        assert not any(word in text for word in secret), path
    for path in ("scores", "replay", "record"):
        reply = person.http.get(f"/tables/{table}/{path}")
        assert (reply.status_code, "not over" in reply.json()["reason"]) == (409, True)


def check_told(person: Person, table: Json, mine: str, theirs: str) -> None:
    """After the end anybody can work the deal out again."""
    proof = person.get(f"/tables/{table['id']}/fair")
    server_seed = bytes.fromhex(proof["server_seed"])
    assert commitment(server_seed) == proof["commitment"] == table["commitment"]
    again = fair_deal(server_seed, table["id"], [mine, theirs, None])
    assert [seat["seed"] for seat in proof["seats"]] == [given.seed for given in again.seat_seeds]
    assert proof["order"] == list(again.order)
    assert int(proof["seed"]) == deal_seed(server_seed, table["id"], [given.seed for given in again.seat_seeds])
    assert proof["checked"] == ""
    record = read_game(person.http.get(f"/tables/{table['id']}/record").text)
    assert record.fair is not None
    assert record.deal.seed == again.seed
    assert check(record.fair, record.deal.seed) == ""
    seated_names = names(person.get(f"/tables/{table['id']}"))
    assert [seated_names[seat["seat"]] for seat in proof["seats"]] == [seat["name"] for seat in proof["seats"]]


def test_a_chosen_deal_says_so_and_proves_nothing(running: Running) -> None:
    ada = running.person()
    table = finished(running, ada, seed=4)
    assert ada.get(f"/tables/{table}")["fixed_deal"]
    proof = ada.get(f"/tables/{table}/fair")
    assert (proof["fixed_deal"], proof["server_seed"], proof["checked"], proof["seed"]) == (True, None, None, "4")
    record = read_game(ada.http.get(f"/tables/{table}/record").text)
    assert (record.fair, record.deal.seed) == (None, 4)


def test_the_same_chosen_deal_is_the_same_game(running: Running) -> None:
    views = []
    for _ in range(2):
        with seated(running, seed=11) as (_, streams):
            rng = random.Random(1)
            for stream in streams:
                stream.settled()
                assert stream.move(choose(rng, stream.offers))["t"] == "ack"
            streams[0].settled()
            views.append(streams[0].update["view"])
    assert views[0] == views[1]


def test_a_report_reaches_the_host(running: Running) -> None:
    with seated(running) as (people, (me, _)):
        at = f"/tables/{me.table['id']}/report"
        assert people[0].post(at, {"seat": 1, "reason": "chat", "text": "rude"}) == {"ok": True}
        assert people[0].refused(at, {"seat": 5, "reason": "chat"})[0] == 400
        assert people[0].refused(at, {"seat": 1, "reason": "chat", "text": "x" * 501})[0] == 400
        lines = [line for line in running.run(running.service.store.reports(100)) if line.table == me.table["id"]]
        assert [(line.about_seat, line.reason) for line in lines] == [(1, "chat")]


def test_a_list_says_which_tables_were_open_to_strangers(running: Running) -> None:
    ada = running.person("Ada")
    made = {ada.table("open", listed=listed)["id"]: listed for listed in (True, False)}
    assert {line["id"]: line["listed"] for line in ada.get("/me/tables")} == made
    assert [line["listed"] for line in ada.get("/tables") if line["id"] in made] == [True]
