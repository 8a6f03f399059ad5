"""For every command a moment at which it changes something. A command without one fails the suite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from branchline.server.people.carries import Carries
from branchline.server.people.people import People
from branchline.server.tables import commands
from branchline.server.tables.course import Course
from branchline.server.thinking import jobs
from branchline.server.wire.facts import map_of
from branchline.server.wire.views import offers_of
from tests.server.service import Person, eventually
from tests.server.transactions.laying import SEED, before_a_claim, lay, whole_game
from tests.server.transactions.stage import Reply, Scene, Stage

Maker: TypeAlias = Callable[[Stage], Scene]
SCENES: Final[dict[str, Maker]] = {}
OF: Final[dict[str, set[str]]] = {}  # the scenes of a command, by its name

LIVE: Final = {"kind": "live", "pool": 600, "increment": 5}


def scene(of: str) -> Callable[[Maker], Maker]:
    """Register a scene of a command, or of a method of People."""

    def register(maker: Maker) -> Maker:
        SCENES[maker.__name__] = maker
        OF.setdefault(of, set()).add(maker.__name__)
        return maker

    return register


def _of(command: type[commands.Command]) -> Callable[[Maker], Maker]:
    return scene(command.__name__)


def _people(method: Callable[..., Any]) -> Callable[[Maker], Maker]:
    return scene(method.__qualname__)


# ---------------------------------------------------------------- before the game


@scene("create")
def create(stage: Stage) -> Scene:
    body = {"map": "usa", "seats": [{"kind": "me"}, {"kind": "open"}], "order": "fixed"}
    return Scene(stage.post(stage.ada, "/tables", body))


@scene("create")
def create_with_a_promise(stage: Stage) -> Scene:
    promise = stage.ada.get("/promise")["ticket"]
    body = {"map": "usa", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "conductor"}], "order": "fixed"}
    return Scene(stage.post(stage.ada, "/tables", {**body, "promise": promise, "browser_seed": "ab" * 16}))


@scene("create")
def create_for_one_device(stage: Stage) -> Scene:
    seats = [{"kind": "here", "name": "Ana"}, {"kind": "here", "name": "Ben"}]
    return Scene(stage.post(stage.ada, "/tables", {"map": "usa", "seats": seats, "order": "fixed"}))


@_people(People.own_name)
def create_as_a_newcomer(stage: Stage) -> Scene:
    newcomer = stage.running.person()
    body = {"map": "usa", "seats": [{"kind": "me"}, {"kind": "open"}], "order": "fixed"}
    return Scene(stage.post(newcomer, "/tables", body), newcomer=newcomer.get("/me")["name"])


@_of(commands.Sit)
def sit(stage: Stage) -> Scene:
    table = stage.table()
    return Scene(stage.post(stage.bo, f"/tables/{table}/sit"), stage.readers(table, stage.ada, stage.bo), table)


@_of(commands.Sit)
def sit_at_a_table_whose_host_is_called(stage: Stage) -> Scene:
    """The notice is written with what it tells of."""
    table = stage.table()
    stage.ada.post("/me/calls", {"push": ["friend"], "mail": [], "quiet": None})
    return Scene(stage.post(stage.bo, f"/tables/{table}/sit"), stage.readers(table, stage.bo), table)


@_of(commands.Leave)
def leave(stage: Stage) -> Scene:
    table = stage.full()
    return Scene(stage.post(stage.bo, f"/tables/{table}/leave"), stage.readers(table, stage.ada, stage.bo), table)


@_of(commands.Leave)
def leave_as_the_host(stage: Stage) -> Scene:
    table = stage.full()
    return Scene(stage.post(stage.ada, f"/tables/{table}/leave"), stage.readers(table, stage.ada, stage.bo), table)


@_of(commands.Leave)
def leave_as_the_last(stage: Stage) -> Scene:
    table = stage.table()
    return Scene(stage.post(stage.ada, f"/tables/{table}/leave"), stage.readers(table, stage.ada), table)


@_of(commands.SetChair)
def set_chair(stage: Stage) -> Scene:
    table = stage.table()
    ask = stage.post(stage.ada, f"/tables/{table}/seats", {"chair": 1, "kind": "bot", "bot": "conductor"})
    return Scene(ask, stage.readers(table, stage.ada), table)


@_of(commands.ChooseColour)
def choose_colour(stage: Stage) -> Scene:
    table = stage.full()
    ask = stage.post(stage.bo, f"/tables/{table}/colour", {"colour": 4})
    return Scene(ask, stage.readers(table, stage.ada, stage.bo), table)


@_of(commands.Remove)
def remove(stage: Stage) -> Scene:
    table = stage.full()
    ask = stage.post(stage.ada, f"/tables/{table}/remove", {"chair": 1})
    return Scene(ask, stage.readers(table, stage.ada, stage.bo), table)


@_of(commands.Start)
def start(stage: Stage) -> Scene:
    table = stage.full(clock=LIVE)
    return Scene(stage.post(stage.ada, f"/tables/{table}/start"), stage.readers(table, stage.ada, stage.bo), table)


# ---------------------------------------------------------------- the game


@_of(commands.Move)
def move(stage: Stage) -> Scene:
    table = stage.game(clock=LIVE)
    readers = stage.readers(table, stage.ada, stage.bo)
    return Scene(stage.move(readers[0], lines=readers[0].offers[:1]), readers, table)


@_of(commands.Move)
def move_over_http(stage: Stage) -> Scene:
    table = stage.game(clock=LIVE)
    readers = stage.readers(table, stage.ada, stage.bo)
    body = {"seq": readers[1].update["asked"], "cid": "key", "lines": readers[1].offers[:1]}
    return Scene(stage.post(stage.bo, f"/tables/{table}/moves", body), readers, table)


@_of(commands.Undo)
def undo(stage: Stage) -> Scene:
    log, line = before_a_claim()
    table = lay(stage, log)
    readers = stage.readers(table, stage.ada, stage.bo)
    mover = next(reader for reader in readers if line in reader.offers)
    assert mover.move(line)["t"] == "ack"
    return Scene(stage.move(mover, t="undo"), readers, table)


@_of(commands.SetPlan)
def set_plan(stage: Stage) -> Scene:
    table, readers = _ready_to_plan(stage)
    body = {"turns": [[{"do": "draw", "first": "blind", "then": ["blind"]}]]}
    ask = stage.post(stage.bo, f"/tables/{table}/plan", body)
    return Scene(ask, readers, table, look=lambda: stage.ada.get("/me/tables"))


@_of(commands.SetPlan)
def drop_a_plan(stage: Stage) -> Scene:
    before = set_plan(stage)
    stage.bo.post(f"/tables/{before.table}/plan", {"turns": [[{"do": "draw", "first": "blind"}]]})
    ask = stage.post(stage.bo, f"/tables/{before.table}/plan", {"turns": []})
    return Scene(ask, _settled(before.readers[1:2], "table") and before.readers, before.table)


@_of(commands.Move)
def move_into_a_plan(stage: Stage) -> Scene:
    """Two people's moves in one change: Ada's, and what Bo planned."""
    table, readers = _ready_to_plan(stage)
    stage.bo.post(f"/tables/{table}/plan", {"turns": [[{"do": "draw", "first": "blind", "then": ["blind"]}]]})
    _settled(readers[1:2], "table")
    return Scene(stage.move(readers[0], lines=["draw deck", "draw deck"]), readers, table)


def _ready_to_plan(stage: Stage) -> tuple[str, list[Any]]:
    """All have their tickets, and Ada has to begin."""
    log, course = [], Course.begin(map_of("usa"), 2, SEED)
    while course.game.phase != "turn":
        seat = course.game.to_act[0]
        log.append(course.play(seat, offers_of(course.game.view(seat))[0], "player").entry)
    table = lay(stage, log)
    return table, stage.readers(table, stage.ada, stage.bo)


@_of(commands.BotMove)
def bot_move(stage: Stage) -> Scene:
    table = stage.game()
    readers = stage.readers(table, stage.ada)
    stage.hold_bots_back(table)
    stage.bo.post(f"/tables/{table}/leave")
    course = Course.begin(map_of("usa"), 2, SEED)
    line = offers_of(course.game.view(1))[0]
    command = commands.BotMove(seat=1, seq=course.asked[1], line=line, fault=False)
    return Scene(stage.do(table, command), readers, table, ours=True)


@_of(commands.End)
def end(stage: Stage) -> Scene:
    *log, last = whole_game()
    table = lay(stage, log)
    readers = stage.readers(table, stage.ada, stage.bo)
    stage.hold_bots_back(table)
    assert readers[last.seat].move(last.line)["t"] == "ack"
    position = stage.live(table).table.course.game.position.to_bytes()  # type: ignore[union-attr]
    return Scene(stage.do(table, commands.End(result=jobs.finale("usa", position))), readers, table, ours=True)


# ---------------------------------------------------------------- agreeing


@_of(commands.AskBack)
def ask_back(stage: Stage) -> Scene:
    table = stage.game()
    readers = stage.readers(table, stage.ada, stage.bo)
    assert readers[0].move(readers[0].offers[0])["t"] == "ack"
    return Scene(stage.message(readers[0], t="takeback"), readers, table)


@_of(commands.Answer)
def agree_to_take_back(stage: Stage) -> Scene:
    table = stage.game()
    readers = stage.readers(table, stage.ada, stage.bo)
    assert readers[0].move(readers[0].offers[0])["t"] == "ack"
    readers[0].send({"t": "takeback"})
    return Scene(stage.message(readers[1], t="takeback", agree=True), _settled(readers, "vote"), table)


@_of(commands.Answer)
def refuse_a_pause(stage: Stage) -> Scene:
    table = stage.game(clock=LIVE)
    readers = stage.readers(table, stage.ada, stage.bo)
    readers[0].send({"t": "pause"})
    return Scene(stage.message(readers[1], t="pause", agree=False), _settled(readers, "vote"), table)


@_of(commands.Answer)
def agree_to_a_pause(stage: Stage) -> Scene:
    table = stage.game(clock=LIVE)
    readers = stage.readers(table, stage.ada, stage.bo)
    readers[0].send({"t": "pause"})
    return Scene(stage.message(readers[1], t="pause", agree=True), _settled(readers, "vote"), table)


@_of(commands.AskPause)
def ask_pause(stage: Stage) -> Scene:
    table = stage.game(clock=LIVE)
    readers = stage.readers(table, stage.ada, stage.bo)
    return Scene(stage.message(readers[0], t="pause"), readers, table)


@_of(commands.Resume)
def resume(stage: Stage) -> Scene:
    table = stage.game(clock=LIVE)
    readers = stage.readers(table, stage.ada, stage.bo)
    readers[0].send({"t": "pause"})
    _settled(readers, "vote")
    readers[1].send({"t": "pause", "agree": True})
    return Scene(stage.message(readers[0], t="pause", resume=True), _settled(readers, "table"), table)


def _settled(readers: list[Any], kind: str) -> list[Any]:
    """All have heard of it."""
    for reader in readers:
        reader.wait(kind)
    return readers


# ---------------------------------------------------------------- coming and going


@_of(commands.Leave)
def leave_a_game(stage: Stage) -> Scene:
    table = stage.game(clock=LIVE)
    readers = stage.readers(table, stage.ada, stage.bo)
    stage.hold_bots_back(table)
    return Scene(stage.post(stage.bo, f"/tables/{table}/leave"), readers, table)


@_of(commands.Come)
def come(stage: Stage) -> Scene:
    before = leave_a_game(stage)
    stage.bo.post(f"/tables/{before.table}/leave")
    command = commands.Come(user=stage.bo.id)
    return Scene(stage.do(before.table, command), before.readers, before.table, ours=True)


@_of(commands.TakeSeat)
def take_seat(stage: Stage) -> Scene:
    before = leave_a_game(stage)
    stage.bo.post(f"/tables/{before.table}/leave")
    return Scene(stage.post(stage.bo, f"/tables/{before.table}/back"), before.readers, before.table)


@_of(commands.Gone)
def gone(stage: Stage) -> Scene:
    """A vote that waited for somebody waits no longer."""
    table = stage.game()
    readers = stage.readers(table, stage.ada)
    assert readers[0].move(readers[0].offers[0])["t"] == "ack"
    readers[0].send({"t": "takeback"})
    readers = _settled(readers, "vote")
    stage.let_pass(61.0)
    return Scene(stage.do(table, commands.Gone(seat=1)), readers, table, ours=True)


@_of(commands.AskBot)
def ask_bot(stage: Stage) -> Scene:
    table = stage.game()
    readers = _bo_is_missed(stage, table, stage.ada)
    stage.hold_bots_back(table)
    return Scene(stage.message(readers[0], t="bot", seat=1), readers, table)


@_of(commands.AskBot)
def ask_bot_of_others(stage: Stage) -> Scene:
    """Cy has to agree."""
    table = _three(stage)
    readers = _bo_is_missed(stage, table, stage.ada, stage.cy)
    return Scene(stage.message(readers[0], t="bot", seat=1), readers, table)


@_of(commands.Answer)
def agree_to_a_bot(stage: Stage) -> Scene:
    table = _three(stage)
    readers = _bo_is_missed(stage, table, stage.ada, stage.cy)
    stage.hold_bots_back(table)
    readers[0].send({"t": "bot", "seat": 1})
    return Scene(stage.message(readers[1], t="bot", agree=True), _settled(readers, "vote"), table)


@_of(commands.Answer)
def refuse_a_bot(stage: Stage) -> Scene:
    table = _three(stage)
    readers = _bo_is_missed(stage, table, stage.ada, stage.cy)
    readers[0].send({"t": "bot", "seat": 1})
    return Scene(stage.message(readers[1], t="bot", agree=False), _settled(readers, "vote"), table)


def _bo_is_missed(stage: Stage, table: str, *people: Person) -> list[Any]:
    """Bo has been away for so long that the others, who are here, have been told."""
    stage.let_pass(61.0)
    readers = stage.readers(table, *people)
    live = stage.live(table)
    eventually(lambda: not stage.running.call(lambda: live.attendance.awaits or live.lock.locked()))
    for reader in readers:
        reader.told()
    return readers


def _three(stage: Stage) -> str:
    """Ada, Bo and Cy play."""
    table: str = stage.ada.table("open", "open", seed=1900)["id"]
    for person in (stage.bo, stage.cy):
        person.post(f"/tables/{table}/sit")
    stage.ada.post(f"/tables/{table}/start")
    return table


@_of(commands.Nudge)
def nudge(stage: Stage) -> Scene:
    table = stage.game()
    stage.let_pass(31.0)
    readers = stage.readers(table, stage.ada, stage.bo)
    return Scene(stage.message(readers[0], t="nudge", seat=1), readers, table)


@_of(commands.TimeOut)
def time_out(stage: Stage) -> Scene:
    table = stage.game(clock=LIVE)
    readers = stage.readers(table, stage.ada, stage.bo)
    stage.hold_bots_back(table)
    ask = stage.do(table, commands.TimeOut())
    return Scene(ask, readers, table, passes=700.0, ours=True)


@_of(commands.Close)
def close_what_nobody_started(stage: Stage) -> Scene:
    table = stage.full()
    return Scene(stage.do(table, commands.Close()), stage.readers(table, stage.ada, stage.bo), table, ours=True)


@_of(commands.Close)
def close_an_abandoned_game(stage: Stage) -> Scene:
    table = stage.game()
    return Scene(stage.do(table, commands.Close()), stage.readers(table, stage.ada, stage.bo), table, ours=True)


@_of(commands.Renamed)
def renamed(stage: Stage) -> Scene:
    """A table writes nothing of a name: it stands with the person."""
    table = stage.full()
    command = commands.Renamed(user=stage.bo.id, name="Bea")
    return Scene(stage.do(table, command), stage.readers(table, stage.ada, stage.bo), table, ours=True)


# ---------------------------------------------------------------- around


@_of(commands.Say)
def say(stage: Stage) -> Scene:
    table = stage.full()
    readers = stage.readers(table, stage.ada, stage.bo)
    return Scene(stage.message(readers[0], t="say", text="good day"), readers, table)


@_of(commands.Say)
def say_as_a_spectator(stage: Stage) -> Scene:
    table = stage.game()
    readers = stage.readers(table, stage.ada)
    return Scene(stage.message(readers[-1], t="say", text="good day"), readers, table)


@_of(commands.Report)
def report(stage: Stage) -> Scene:
    table = stage.full()
    ask = stage.post(stage.ada, f"/tables/{table}/report", {"seat": 1, "reason": "chat", "text": "he swears"})
    return Scene(ask, stage.readers(table, stage.ada, stage.bo), table)


@_of(commands.Rematch)
def rematch(stage: Stage) -> Scene:
    table = lay(stage, whole_game(), over=True)
    return Scene(stage.post(stage.ada, f"/tables/{table}/rematch"), stage.readers(table, stage.ada, stage.bo), table)


@_of(commands.Rematch)
def rematch_as_the_second(stage: Stage) -> Scene:
    table = lay(stage, whole_game(), over=True)
    again = stage.ada.post(f"/tables/{table}/rematch")["id"]
    stage.ada.post(f"/tables/{again}/leave")  # else the game would begin, and its deal is drawn: other in every run
    return Scene(stage.post(stage.bo, f"/tables/{table}/rematch"), stage.readers(again, stage.ada, stage.bo), again)


@_of(commands.Sit)
def come_to_a_rematch(stage: Stage) -> Scene:
    table = lay(stage, whole_game(), over=True)
    again = stage.ada.post(f"/tables/{table}/rematch")["id"]
    stage.ada.post(f"/tables/{again}/leave")  # else the game would begin, and its deal is drawn: other in every run
    ask = stage.post(stage.bo, f"/tables/{again}/sit", {"browser_seed": "cd" * 16})
    return Scene(ask, stage.readers(again, stage.ada, stage.bo), again)


# ---------------------------------------------------------------- people


@_people(People.change)
def change_a_person(stage: Stage) -> Scene:
    table = stage.full(clock={"kind": "days", "days": 2})
    ask = stage.post(stage.bo, "/me", {"name": "Bea", "lang": "ro", "holiday": "2026-11-30"}, key="")
    return Scene(ask, stage.readers(table, stage.ada, stage.bo), table, look=lambda: stage.bo.get("/me"), person=True)


@_people(People.set_calls)
def choose_calls(stage: Stage) -> Scene:
    table = stage.full()
    ask = stage.post(stage.bo, "/me/calls", {"push": ["turn"], "mail": ["over"], "quiet": None}, key="")
    readers = stage.readers(table, stage.ada, stage.bo)
    return Scene(ask, readers, table, look=lambda: stage.bo.get("/me/calls"), person=True)


@_people(People.set_block)
def block(stage: Stage) -> Scene:
    table = stage.full()
    ask = stage.post(stage.ada, f"/tables/{table}/block", {"seat": 1, "blocked": True}, key="")
    return Scene(
        ask, stage.readers(table, stage.ada, stage.bo), table, look=lambda: stage.ada.get("/me/blocks"), person=True
    )


@_people(People.unblock)
def unblock(stage: Stage) -> Scene:
    table = stage.full()
    stage.ada.post(f"/tables/{table}/block", {"seat": 1, "blocked": True})
    (blocked,) = stage.ada.get("/me/blocks")

    def ask() -> Reply:
        reply = stage.ada.http.delete(f"/me/blocks/{blocked['handle']}")
        told = reply.json()
        if isinstance(told, list):
            return Reply(True, "", told)
        done = told["code"] == "not_blocked"  # any more: the same request came before
        return Reply(done, told["code"], stage.ada.get("/me/blocks") if done else told)

    stage.calm()
    return Scene(
        ask, stage.readers(table, stage.ada, stage.bo), table, look=lambda: stage.ada.get("/me/blocks"), person=True
    )


@scene(Carries.make.__qualname__)
def make_a_carry(stage: Stage) -> Scene:
    """A second one: the first is good no more."""
    stage.ada.post("/me/carry")
    return Scene(stage.post(stage.ada, "/me/carry", key=""))


@scene(Carries.use.__qualname__)
def use_a_carry(stage: Stage) -> Scene:
    made = stage.ada.post("/me/carry")
    return Scene(stage.post(stage.bo, "/carry", {"secret": made["words"]}))


def _seen_by_ada(stage: Stage, ask: Callable[[], Reply], table: str) -> Scene:
    readers = stage.readers(table, stage.ada, stage.bo)
    return Scene(ask, readers, table, look=lambda: stage.ada.get("/me/blocks"), person=True)
