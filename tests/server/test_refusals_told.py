"""What is refused is told with its key, over HTTP and over the socket; coarse words are veiled or refused."""

from __future__ import annotations

from tests.server.service import Running, seated


def test_refusals_carry_their_key_over_http_and_over_the_socket(running: Running) -> None:
    with seated(running) as (people, (me, _)):
        table = me.table["id"]
        late = running.person().http.post(f"/tables/{table}/sit", json={})
        assert (late.status_code, late.json()["code"], late.json()["n"]) == (409, "begun", None)
        name = people[0].http.post("/me", json={"name": "x" * 30})
        assert (name.status_code, name.json()["code"], name.json()["n"]) == (400, "name_long", 24)
        me.send({"t": "pause", "agree": None})
        trouble = me.wait("trouble")
        assert (trouble["reason"], trouble["code"]) == ("there is no clock to pause at this table", "no_clock")
        me.send({"t": "say", "text": "x" * 300})
        trouble = me.wait("trouble")
        assert (trouble["code"], trouble["n"]) == ("chat_long", 200)
        assert me.undo()["code"] == "known"
        nowhere = people[0].http.get("/maps/atlantis")
        assert nowhere.json()["code"] == "no_map"
        me.send("{")
        assert me.wait("trouble")["code"] == ""


def test_in_talk_the_word_is_veiled_for_all_and_for_who_comes_later(running: Running) -> None:
    with seated(running) as ((ada, _), (me, other)):
        me.send({"t": "say", "text": "that bastard tunnel"})
        assert [stream.wait("chat")["chat"]["text"] for stream in (me, other)] == ["that b****** tunnel"] * 2
        with ada.live(me.table["id"]) as late:
            assert late.next()["chat"][-1]["text"] == "that b****** tunnel"


def test_a_coarse_name_is_refused_with_a_reason(running: Running) -> None:
    ada = running.person("Ada")
    status, told = ada.refused("/me", {"name": "Old Bastard"})
    assert (status, "coarse" in told) == (400, True)
    assert ada.get("/me")["name"] == "Ada"
    assert ada.post("/me", {"name": "Bastardo"})["name"] == "Bastardo"
