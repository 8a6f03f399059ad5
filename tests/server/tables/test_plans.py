"""Plans: what is written for a turn is played when it comes, as far as it is written and no further."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from branchline.game import Game
from branchline.server import wire
from branchline.server.tables import commands
from branchline.server.tables.course import Course
from branchline.server.tables.outcome import Moved, Outcome, PlanChanged
from branchline.server.tables.state import Playing
from branchline.server.tables.telling import Audience, moved_text, steps_of, table_wire, update_text
from branchline.server.wire import ClaimWish, DrawWish, StationWish
from branchline.server.wire.prices import price
from branchline.server.wire.sentences import code_of
from branchline.server.wire.views import offers_of
from tests.server.tables.scene import ADA, BO, CY, DAYS, LIVE, PIP, Scene, played_out, playing, waiting

BLIND = DrawWish("blind", ["blind"])
NOBODY = Audience(frozenset(), 0, frozenset(), 1000.0)


def begun(*people: str, **options: Any) -> Scene:
    """A game of days in which Ada has to begin a turn."""
    scene = playing(*(people or (ADA, BO)), **{"clock": DAYS, **options}).keep_tickets()
    while scene.game.phase != "turn":  # tickets go back in an order of one's own
        scene.do(scene.move(str(scene.table.chairs[scene.game.to_act[0]].user), cid=f"{len(scene.log)}"))
    return scene


def plan(scene: Scene, user: str, *turns: list[wire.Wish]) -> Outcome:
    return scene.do(commands.SetPlan(user=user, turns=list(turns)))


def draws(scene: Scene, user: str = ADA) -> Outcome:
    """A whole turn of somebody: two cards from the deck."""
    return scene.do(scene.move(user, "draw deck", "draw deck", cid=f"d{len(scene.log)}"))


def own_plan(scene: Scene, user: str) -> wire.PlanWire | None:
    return table_wire(scene.table, user, NOBODY).plan


def result(scene: Scene, user: str = BO) -> str:
    told = own_plan(scene, user)
    return told.result.kind if told is not None and told.result is not None else ""


def by(scene: Scene, last: int) -> list[tuple[int, str, str]]:
    return [(row.seat, row.line, row.by) for row in scene.log[-last:]]


def at(scene: Scene, game: Game) -> Scene:
    """The scene with another game on its table; its rows know nothing of that, so it is only tried."""
    course = Course(game, 50, [50] * (game.players + 1), [50] * game.players, [])
    return _Tried(scene, course)


class _Tried(Scene):
    """A table with a game of the test's own, which no log tells."""

    def __init__(self, scene: Scene, course: Course) -> None:
        super().__init__(scene.table)
        self.table = replace(scene.playing, course=course)

    def _reads_back(self) -> None:
        pass


def test_the_first_wish_that_is_possible_is_played_with_the_move_that_brings_the_turn() -> None:
    scene = begun()
    taken = next(t for t in scene.game.map.tracks if t.length == 6)  # nobody has six cards of a colour yet
    plan(scene, BO, [ClaimWish(taken.id, taken.colour if taken.colour != "gray" else "red"), BLIND])
    outcome = draws(scene)
    assert by(scene, 4) == [
        (0, "draw deck", "player"),
        (0, "draw deck", "player"),
        (1, "draw deck", "plan"),
        (1, "draw deck", "plan"),
    ]
    assert scene.game.to_act == (0,) and result(scene) == "played"
    assert [type(piece) for piece in outcome.news] == [Moved, PlanChanged]
    assert outcome.change is not None and len(outcome.change.log) == 4
    assert scene.playing.clock is not None and scene.playing.clock.running == {0}


def test_where_nothing_is_possible_nothing_is_played_and_the_person_is_asked() -> None:
    scene = begun()
    track = next(t for t in scene.game.map.tracks if t.length == 6 and t.colour != "gray")
    plan(scene, BO, [ClaimWish(track.id, track.colour)], [BLIND])
    draws(scene)
    assert scene.game.to_act == (1,) and len(scene.log) == 4 and result(scene) == "none"
    told = own_plan(scene, BO)
    assert told is not None and told.turns == [], "what was wished for the turn after it is over too"


def test_a_second_card_is_drawn_only_if_it_is_written() -> None:
    scene = begun()
    plan(scene, BO, [DrawWish("blind")], [BLIND])
    draws(scene)
    assert by(scene, 1) == [(1, "draw deck", "plan")]
    assert scene.game.to_act == (1,) and scene.game.phase == "draw_second" and result(scene) == "stopped"
    scene.do(scene.move(BO, "draw deck", cid="by hand"))
    draws(scene)
    assert scene.game.to_act == (1,) and scene.game.view(1).phase == "turn", "the rest of the plan is over"


def test_a_colour_is_taken_from_the_display_and_the_dearest_second_card_there_is() -> None:
    scene = begun()
    shown = scene.game.view(None).display
    first = next(card for card in shown if card != "loco" and card is not None)
    missing = next(c for c in ("purple", "blue", "orange", "white", "green", "yellow", "black") if c not in shown)
    assert first is not None
    trial = begun()
    draws(trial)
    assert trial.game.view(None).display == shown
    plan(scene, BO, [DrawWish(missing, ["blind"]), DrawWish(first, [missing, "blind"])])
    draws(scene)
    place = shown.index(first) + 1
    line = by(scene, 2)
    assert line[0] == (1, f"draw {place}", "plan") and line[1][2] == "plan" and result(scene) == "played"


def test_each_turn_of_a_plan_is_used_once() -> None:
    scene = begun()
    plan(scene, BO, [BLIND], [BLIND])
    for left in (1, 0):
        draws(scene)
        assert scene.game.to_act == (0,)
        told = own_plan(scene, BO)
        assert told is not None and len(told.turns) == left
    draws(scene)
    assert scene.game.to_act == (1,) and scene.log[-1].seat == 0


def test_plans_of_several_are_played_one_after_the_other_in_one_change() -> None:
    scene = begun(ADA, BO, CY)
    plan(scene, BO, [BLIND])
    plan(scene, CY, [BLIND])
    outcome = draws(scene)
    assert outcome.change is not None and [row.seat for row in outcome.change.log] == [0, 0, 1, 1, 2, 2]
    assert [type(piece) for piece in outcome.news] == [Moved, PlanChanged]
    moves = outcome.news[0]
    assert isinstance(moves, Moved) and len(moves.dones) == 6 and scene.game.to_act == (0,)
    assert len({row.cid for row in outcome.change.log if row.cid}) == 3


def test_a_plan_follows_a_bot_too() -> None:
    scene = begun(PIP, ADA)
    plan(scene, ADA, [BLIND])
    scene.do(scene.bot_move(0))
    if scene.game.to_act == (0,):
        scene.do(scene.bot_move(0))
    assert scene.log[-1].by == "plan" and result(scene, ADA) == "played"


# ---------------------------------------------------------------- what is written, and no more


def rich(map: str, seed: int, wanted: Any) -> tuple[Game, int]:
    """A game of two in which the seat after the one to draw can do what is wanted; that one draws first."""
    game, rng = Game.new(map, 2, seed=seed), random.Random(seed)
    for _ in range(2000):
        if game.phase == "turn":
            waits = 1 - game.to_act[0]
            after = game.copy()
            mover = game.to_act[0]
            if "draw deck" in offers_of(game.view(mover)):
                after.play("draw deck", mover)
                if after.phase == "draw_second" and "draw deck" in offers_of(after.view(mover)):
                    after.play("draw deck", mover)
                    if after.view(mover).phase == "turn" and wanted(after, waits):
                        return game, waits
        seat = game.to_act[0]
        lines = offers_of(game.view(seat))
        cards = [line for line in lines if line.startswith(("draw", "terrain"))]
        game.play(rng.choice(cards or lines), seat)
    raise AssertionError("never")


def after_the_draw(map: str, game: Game, waits: int, wish: wire.Wish) -> Scene:
    users = (ADA, BO)
    scene = at(playing(*users, map=map), game)
    scene.table = scene.do(commands.SetPlan(user=users[waits], turns=[[wish]])).table
    scene.do(scene.move(users[1 - waits], "draw deck", "draw deck"))
    return scene


def test_no_more_locomotives_are_played_than_allowed() -> None:
    def wanted(game: Game, seat: int) -> Any:
        ways = [price(game, seat, "", t.id).payments for t in game.map.tracks]
        return [p for found in ways for p in found if p.locos and min(w.locos for w in found) == p.locos]

    game, waits = rich("usa", 3, wanted)
    after = game.copy()
    after.play("draw deck", 1 - waits)
    after.play("draw deck", 1 - waits)
    paid = wanted(after, waits)[0]
    _, track, colour = paid.lines[0].split()
    poor = after_the_draw("usa", game, waits, ClaimWish(track, colour, paid.locos - 1))
    assert result(poor, (ADA, BO)[waits]) == "none" and track not in poor.game.view(None).owners
    scene = after_the_draw("usa", game, waits, ClaimWish(track, colour, 14))
    assert result(scene, (ADA, BO)[waits]) == "played" and scene.game.view(None).owners[track] == waits
    assert scene.game.view(None).discards.get("loco", 0) - game.view(None).discards.get("loco", 0) == paid.locos


def tunnelled(extra: int) -> tuple[Scene, int]:
    """A plan to claim a tunnel that turns out to cost one card more, and can be paid."""

    def claims(game: Game, seat: int) -> list[str]:
        found = []
        for track in (t for t in game.map.tracks if t.tunnel):
            for payment in price(game, seat, "", track.id).payments:
                trial = game.copy()
                for line in payment.lines:
                    trial.play(line, seat)
                dearer = trial.phase == "tunnel" and trial.view(seat).tunnel_extra == 1
                if dearer and len(trial.legal_actions(seat)) > 1:
                    found.append(payment.lines[0])
        return found

    for seed in range(1, 40):
        try:
            game, waits = rich("europe", seed, claims)
        except AssertionError:
            continue
        break
    after = game.copy()
    after.play("draw deck", 1 - waits)
    after.play("draw deck", 1 - waits)
    _, track, colour = claims(after, waits)[0].split()
    return after_the_draw("europe", game, waits, ClaimWish(track, colour, 14, extra)), waits


def test_a_tunnel_that_costs_more_than_written_is_asked() -> None:
    scene, waits = tunnelled(0)
    assert scene.game.phase == "tunnel" and scene.game.to_act == (waits,)
    assert result(scene, (ADA, BO)[waits]) == "stopped"


def test_a_tunnel_that_costs_what_is_written_is_paid() -> None:
    scene, waits = tunnelled(1)
    assert scene.game.to_act == (1 - waits,) and result(scene, (ADA, BO)[waits]) == "played"


@pytest.mark.parametrize(
    ("map", "phase", "answers"),
    [
        ("africa", "double", {"double": True}),
        ("africa", "double", {"double": False}),
        ("iberia", "festival", {"festival": "one"}),
    ],
)
def test_what_a_claim_asks_is_answered_only_if_it_is_written(map: str, phase: str, answers: dict[str, Any]) -> None:
    def asks(game: Game, seat: int) -> list[str]:
        found = []
        for track in game.map.tracks:
            for payment in price(game, seat, "", track.id).payments:
                trial = game.copy()
                for line in payment.lines:
                    trial.play(line, seat)
                if trial.phase == phase:
                    found.append(payment.lines[0])
        return found

    game, waits = rich(map, 5, asks)
    after = game.copy()
    after.play("draw deck", 1 - waits)
    after.play("draw deck", 1 - waits)
    _, track, colour = asks(after, waits)[0].split()
    user = (ADA, BO)[waits]
    silent = after_the_draw(map, game, waits, ClaimWish(track, colour, 14))
    assert silent.game.phase == phase and result(silent, user) == "stopped"
    if "festival" in answers:
        answers = {"festival": next(t.b for t in game.map.tracks if t.id == track)}
    scene = after_the_draw(map, game, waits, ClaimWish(track, colour, 14, **answers))
    assert result(scene, user) == "played" and scene.game.to_act == (1 - waits,)
    assert (track in scene.game.view(None).doubled) == bool(answers.get("double"))


def test_a_station_is_built() -> None:
    scene = begun(map="europe")
    hand = scene.game.view(1).me.hand
    colour = max(hand, key=lambda card: hand[card] if card != "loco" else -1)
    plan(scene, BO, [StationWish("paris", colour)])
    draws(scene)
    assert scene.game.view(None).players[1].stations == ("paris",) and result(scene) == "played"


# ---------------------------------------------------------------- dropped


def test_a_plan_is_dropped_when_its_owner_says_so() -> None:
    scene = begun()
    plan(scene, BO, [BLIND])
    outcome = plan(scene, BO)
    assert own_plan(scene, BO) is None and outcome.news == (PlanChanged(frozenset({1})),)
    draws(scene)
    assert scene.game.to_act == (1,)


def test_a_plan_is_dropped_when_a_bot_takes_the_seat_or_the_game_is_closed() -> None:
    scene = begun()
    plan(scene, BO, [BLIND])
    scene.do(commands.Leave(user=BO))
    assert scene.playing.plans == () and all(row.body is None for row in scene.plans.values())
    late = begun()
    plan(late, BO, [BLIND])
    late.do(commands.Close())
    assert all(row.body is None for row in late.plans.values())


def test_a_plan_is_dropped_when_its_owner_begins_the_turn_by_hand() -> None:
    """That comes of a turn taken back: nothing is played by itself then."""
    scene = begun()
    draws(scene)
    to = len(scene.log) - 2
    plan(scene, ADA, [BLIND])
    scene.do(commands.AskBack(user=ADA), turn=scene.last_turn(to))
    scene.do(commands.Answer(user=BO, kind="back", agree=True))
    assert scene.game.to_act == (0,) and scene.log[-1].line.startswith("back")
    plan_before = own_plan(scene, ADA)
    assert plan_before is not None and plan_before.turns
    draws(scene)
    assert own_plan(scene, ADA) is None


def test_no_plan_outlives_its_game() -> None:
    scene = played_out(ADA, BO)
    plan(scene, ADA, [BLIND])
    scene.do(commands.End(result=b"[]"))
    assert list(scene.plans) == [0] and all(row.body is None for row in scene.plans.values())


# ---------------------------------------------------------------- refused


@pytest.mark.parametrize(
    ("turns", "code"),
    [
        ([[BLIND]] * 4, "plan_turns"),
        ([[BLIND] * 9], "plan_wishes"),
        ([[BLIND], []], "plan_empty"),
        ([[ClaimWish("nowhere", "red")]], "plan_track"),
        ([[ClaimWish("TRACK", "pink")]], "plan_payment"),
        ([[ClaimWish("TRACK", "COLOUR", 15)]], "plan_payment"),
        ([[ClaimWish("TRACK", "COLOUR", -1)]], "plan_payment"),
        ([[ClaimWish("TRACK", "OTHER")]], "plan_colour"),
        ([[ClaimWish("GRAY", "loco", 0)]], "plan_locos"),
        ([[ClaimWish("TRACK", "COLOUR", 0, 1)]], "plan_extra"),
        ([[ClaimWish("TRACK", "COLOUR", double=True)]], "plan_double"),
        ([[ClaimWish("TRACK", "COLOUR", festival="x")]], "plan_festival"),
        ([[StationWish("chicago", "red")]], "plan_station"),
        ([[DrawWish("pink")]], "plan_cards"),
        ([[DrawWish("terrain")]], "plan_cards"),
        ([[DrawWish("blind", ["red"] * 10)]], "plan_cards"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(turns: list[list[wire.Wish]], code: str) -> None:
    scene = begun()
    track = next(t for t in scene.game.map.tracks if t.colour not in ("gray", "red"))
    gray = next(t for t in scene.game.map.tracks if t.colour == "gray")
    named = {"TRACK": track.id, "COLOUR": track.colour, "OTHER": "red", "GRAY": gray.id}

    def real(wish: wire.Wish) -> wire.Wish:
        if not isinstance(wish, ClaimWish):
            return wish
        track, colour = named.get(wish.track, wish.track), named.get(wish.colour, wish.colour)
        return ClaimWish(track, colour, wish.locos, wish.extra, wish.double, wish.festival)

    asked = commands.SetPlan(user=BO, turns=[[real(wish) for wish in wishes] for wishes in turns])
    assert code_of(scene.refused(asked).reason)[0] == code


def test_a_plan_is_for_who_waits_in_a_game_without_a_clock_of_minutes() -> None:
    scene = begun()
    assert code_of(scene.refused(commands.SetPlan(user=ADA, turns=[[BLIND]])).reason)[0] == "plan_asked"
    assert code_of(scene.refused(commands.SetPlan(user=CY, turns=[[BLIND]])).reason)[0] == "not_seated"
    live = begun(clock=LIVE)
    assert code_of(live.refused(commands.SetPlan(user=BO, turns=[[BLIND]])).reason)[0] == "plan_live"
    scene.do(commands.Leave(user=BO))
    assert code_of(scene.refused(commands.SetPlan(user=BO, turns=[[BLIND]])).reason)[0] == "plan_proxied"
    assert code_of(waiting(ADA, BO).refused(commands.SetPlan(user=BO, turns=[])).reason)[0] == "no_game"


# ---------------------------------------------------------------- known to nobody else


def test_nobody_else_learns_of_a_plan() -> None:
    """With a plan and without: the same to all others, whatever they are told, up to the moment it acts; and then it
    is the player's move."""
    with_plan, without = begun(ADA, BO, CY), begun(ADA, BO, CY)
    with_plan.now = without.now = 2000.0
    outcome = plan(with_plan, BO, [BLIND])
    assert outcome.news == (PlanChanged(frozenset({1})),)
    assert outcome.change is not None and outcome.change.log == ()
    one, two = with_plan._row, without._row
    assert (one.updated, one.to_act, one.state) == (two.updated, two.to_act, two.state)
    for user, seat in ((ADA, 0), (CY, 2), (None, None)):
        assert table_wire(with_plan.table, user, NOBODY) == table_wire(without.table, user, NOBODY)
        assert update_text(with_plan.playing, seat, NOBODY) == update_text(without.playing, seat, NOBODY)
    by_plan = draws(with_plan)
    draws(without)
    by_hand = without.do(without.move(BO, "draw deck", "draw deck", cid="by hand"))
    for user, seat in ((ADA, 0), (CY, 2), (None, None)):
        assert table_wire(with_plan.table, user, NOBODY) == table_wire(without.table, user, NOBODY)
        assert update_text(with_plan.playing, seat, NOBODY) == update_text(without.playing, seat, NOBODY)
        told = [steps_of(piece.dones, seat) for piece in by_plan.news if isinstance(piece, Moved)]
        hand = [steps_of(piece.dones, seat) for piece in by_hand.news if isinstance(piece, Moved)]
        assert told[0][2:] == hand[0] and {step.by for step in told[0]} == {"player"}
    moves = by_plan.news[0]
    assert isinstance(moves, Moved) and moved_text(with_plan.playing, moves, 0, NOBODY)
    assert [step.by for step in steps_of(moves.dones, 1)] == ["player", "player", "plan", "plan"]


def test_a_plan_cannot_be_read_where_another_sits() -> None:
    scene = begun()
    plan(scene, BO, [BLIND])
    assert isinstance(scene.table, Playing)
    assert table_wire(scene.table, ADA, NOBODY).plan is None and table_wire(scene.table, None, NOBODY).plan is None
    assert own_plan(scene, BO) == wire.PlanWire([[BLIND]], None)
