"""Blocking: no word of the blocked reaches who blocked them, and the two do not meet in the lobby."""

from __future__ import annotations

from tests.server.service import Json, Person, Running, Stream, seated


def said(messages: list[Json]) -> list[str]:
    return [message["chat"]["phrase"] for message in messages if message["t"] == "chat"]


def hello(person: Person, table: str) -> list[str]:
    with person.live(table) as stream:
        return [line["phrase"] for line in stream.next()["chat"]]


def say(stream: Stream, phrase: str) -> list[str]:
    stream.send({"t": "say", "phrase": phrase})
    return said([stream.wait("chat")])


def test_nothing_the_blocked_say_is_sent_to_the_blocker(running: Running) -> None:
    with seated(running, ("Ada", "Bo", "Cy"), bots=()) as ((ada, bo, cy), (at_ada, at_bo, at_cy)):
        table = at_ada.table["id"]
        assert say(at_bo, "hello") == ["hello"]
        at_ada.settled(), at_cy.settled()
        seen = ada.post(f"/tables/{table}/block", {"seat": 1, "blocked": True})
        assert [seat["blocked"] for seat in seen["seats"]] == [False, True, False]
        assert at_ada.wait("table")["table"]["seats"][1]["blocked"]
        assert at_bo.settled() == []  # the blocked are not told
        assert not any(seat["blocked"] for seat in bo.get(f"/tables/{table}")["seats"])
        assert say(at_bo, "oops") == ["oops"]
        assert (said(at_ada.settled()), said(at_cy.settled())) == ([], ["oops"])
        assert (hello(ada, table), hello(cy, table)) == ([], ["hello", "oops"])
        ada.post(f"/tables/{table}/block", {"seat": 1, "blocked": False})
        assert hello(ada, table) == ["hello", "oops"]
        say(at_bo, "bye")
        assert said(at_ada.settled()) == ["bye"]


def block(running: Running, blocker: Person, blocked: Person) -> None:
    at = f"/tables/{blocker.table('open')['id']}"
    blocked.post(f"{at}/sit")
    blocker.post(f"{at}/block", {"seat": 1, "blocked": True})


def test_nor_what_the_blocked_say_among_spectators(running: Running) -> None:
    eve, flo = running.person("Eve"), running.person("Flo")
    block(running, eve, flo)
    with seated(running) as (_, (at_ada, _)):
        table = at_ada.table["id"]
        with eve.live(table) as at_eve, flo.live(table) as at_flo:
            at_eve.begin(), at_flo.begin()
            assert say(at_flo, "wow") == ["wow"]
            assert (said(at_eve.settled()), hello(eve, table), hello(flo, table)) == ([], [], ["wow"])
            assert say(at_eve, "oops") == ["oops"]
            assert said(at_flo.settled()) == ["oops"]


def test_who_blocked_and_who_is_blocked_do_not_meet_in_the_lobby(running: Running) -> None:
    ada, bo, cy = (running.person(name) for name in ("Ada", "Bo", "Cy"))
    block(running, ada, bo)
    for host, guest in ((ada, bo), (bo, ada)):
        listed = host.table("open", "open", listed=True)["id"]
        cy.post(f"/tables/{listed}/sit")
        status, told = guest.refused(f"/tables/{listed}/sit")
        assert (status, "cannot sit" in told) == (409, True)
        assert not any(name in told for name in ("Ada", "Bo", "Cy"))
    friends = ada.table("open")["id"]  # who has the link was asked to come
    assert bo.post(f"/tables/{friends}/sit")["you"] == 1


def test_the_list_of_the_blocked_outlives_a_restart_and_is_undone_by_handle(running: Running) -> None:
    ada, bo, cy = (running.person(name) for name in ("Ada", "Bo", "Cy"))
    block(running, ada, cy)
    block(running, ada, bo)
    running.call(lambda: running.service.people.forget(ada.id))  # as after a restart: from the store
    listed = ada.get("/me/blocks")
    assert [person["name"] for person in listed] == ["Bo", "Cy"]
    assert bo.id not in str(listed)
    handle = listed[0]["handle"]
    assert cy.http.delete(f"/me/blocks/{handle}").status_code == 404  # not theirs
    assert [person["name"] for person in ada.http.delete(f"/me/blocks/{handle}").json()] == ["Cy"]
    assert ada.http.delete(f"/me/blocks/{handle}").status_code == 404
    assert bo.post(f"/tables/{ada.table('open', listed=True)['id']}/sit")["you"] == 1
    assert bo.get("/me/blocks") == []


def test_only_another_person_can_be_blocked(running: Running) -> None:
    ada = running.person("Ada")
    at = f"/tables/{ada.table('open', 'path')['id']}"
    for seat in (-1, 0, 1, 2, 3):
        assert ada.refused(f"{at}/block", {"seat": seat, "blocked": True})[0] == 400
