"""Whose turn it is: counted in jobs, so that nothing here depends on a clock or a process."""

from __future__ import annotations

import random

import pytest

from branchline.server.thinking.askers import Asker, Priority, TooBusy
from branchline.server.thinking.turns import Bounds, Place, Turns

ADA, BO = Asker("ada", "198.51.100.1"), Asker("bo", "198.51.100.2")
CLEO = Asker("cleo", BO.address)
BOTS = Asker("dan", "198.51.100.3", Priority.BOTS_ONLY)
MORE_BOTS = Asker("eve", "198.51.100.4", Priority.BOTS_ONLY)


class Desk:
    """One who works through the jobs in the order in which they are called."""

    def __init__(self, at_once: int = 1, bounds: Bounds | None = None) -> None:
        self.turns = Turns(at_once, bounds)
        self.called: list[str] = []
        self.places: dict[str, Place] = {}

    def ask(self, asker: Asker, *names: str) -> None:
        for name in names:
            self.places[name] = self.turns.join(asker, lambda name=name: self.called.append(name))  # type: ignore[misc]

    def end(self, name: str) -> None:
        self.turns.leave(self.places.pop(name))

    def work_through(self) -> list[str]:
        done = 0
        while done < len(self.called):
            if self.called[done] in self.places:
                self.end(self.called[done])
            done += 1
        return self.called


# ---------------------------------------------------------------- order


def test_one_asker_is_served_first_come_first() -> None:
    desk = Desk()
    desk.ask(ADA, "a1", "a2", "a3")
    assert desk.called == ["a1"]
    assert desk.work_through() == ["a1", "a2", "a3"]


def test_a_flood_of_one_delays_another_by_one_job_and_no_more() -> None:
    desk = Desk()
    desk.ask(ADA, *(f"a{n}" for n in range(500)))
    desk.ask(BO, "b")
    desk.end("a0")
    assert desk.called == ["a0", "a1"], "whose turn it was when the other came goes on"
    desk.end("a1")
    assert desk.called[-1] == "b"


def test_addresses_take_turns_and_at_an_address_persons_do() -> None:
    desk = Desk()
    desk.ask(ADA, "a1", "a2", "a3", "a4", "a5")
    desk.ask(BO, "b1", "b2")
    desk.ask(CLEO, "c1", "c2")
    assert desk.work_through() == ["a1", "a2", "b1", "a3", "c1", "a4", "b2", "a5", "c2"]


def test_many_guests_of_one_address_get_one_address_share() -> None:
    desk = Desk()
    for n in range(100):
        desk.ask(Asker(f"guest {n}", BO.address), f"g{n}", f"h{n}")
    desk.ask(ADA, "a1", "a2", "a3")
    order = desk.work_through()
    assert [order.index(name) for name in ("a1", "a2", "a3")] == [2, 4, 6]


def test_without_an_address_a_person_takes_turns_alone() -> None:
    desk = Desk()
    desk.ask(Asker("ada"), "a1", "a2", "a3")
    desk.ask(Asker("bo"), "b1")
    assert desk.work_through() == ["a1", "a2", "b1", "a3"]


def test_who_gives_up_waiting_is_left_out() -> None:
    desk = Desk()
    desk.ask(ADA, "a1", "a2", "a3")
    desk.end("a2")
    assert desk.work_through() == ["a1", "a3"]
    assert desk.turns.asked == 0


# ---------------------------------------------------------------- bots among themselves


def test_tables_with_only_bots_come_last() -> None:
    desk = Desk()
    desk.ask(BOTS, "x1", "x2")
    desk.ask(ADA, "a1", "a2", "a3")
    desk.ask(MORE_BOTS, "y1")
    assert desk.work_through() == ["x1", "a1", "a2", "a3", "x2", "y1"]


def test_where_there_is_more_than_one_place_bots_leave_one_free_for_people() -> None:
    desk = Desk(3)
    for n in range(5):
        desk.ask(Asker(f"{n}", f"198.51.100.{n}", Priority.BOTS_ONLY), f"x{n}")
    assert desk.called == ["x0", "x1"]
    desk.ask(ADA, "a1")
    assert desk.called == ["x0", "x1", "a1"]


def test_of_one_person_or_address_one_table_with_only_bots_thinks_at_once() -> None:
    desk = Desk(10)
    desk.ask(BOTS, "x1", "x2", "x3")
    desk.ask(Asker("another guest", BOTS.address, Priority.BOTS_ONLY), "y")
    desk.ask(Asker(BOTS.person, "203.0.113.9", Priority.BOTS_ONLY), "z")
    assert desk.called == ["x1"]
    desk.end("x1")
    assert desk.called == ["x1", "x2"]
    desk.end("x2")
    assert desk.called == ["x1", "x2", "z", "y"]


# ---------------------------------------------------------------- bounds


def test_more_than_one_may_ask_for_is_refused_and_changes_nothing() -> None:
    desk = Desk(bounds=Bounds(of_person=2))
    desk.ask(ADA, "a1", "a2")
    with pytest.raises(TooBusy) as refused:
        desk.ask(ADA, "a3")
    assert refused.value.status == 429 and refused.value.retry_after >= 1
    desk.ask(BO, "b1")
    desk.end("a1")
    desk.ask(ADA, "a4")
    assert desk.work_through() == ["a1", "a2", "b1", "a4"]


def test_a_persons_bound_holds_from_several_addresses() -> None:
    desk = Desk(bounds=Bounds(of_person=1))
    desk.ask(ADA, "a1")
    with pytest.raises(TooBusy):
        desk.ask(Asker("ada", "203.0.113.9"), "a2")


def test_an_addresss_bound_holds_for_all_its_guests_and_for_nobody_else() -> None:
    desk = Desk(bounds=Bounds(of_address=2))
    desk.ask(BO, "b1")
    desk.ask(CLEO, "c1")
    with pytest.raises(TooBusy):
        desk.ask(Asker(None, BO.address), "nobody")
    desk.ask(ADA, "a1")


def test_there_is_a_bound_for_all_together() -> None:
    desk = Desk(bounds=Bounds(in_all=3))
    desk.ask(ADA, "a1")
    desk.ask(BO, "b1")
    desk.ask(BOTS, "x1")
    with pytest.raises(TooBusy):
        desk.ask(Asker("fay", "203.0.113.9"), "f1")


def test_one_does_not_take_all_places() -> None:
    desk = Desk(4, Bounds(done_of_person=1, done_of_address=2))
    desk.ask(BO, "b1", "b2")
    desk.ask(CLEO, "c1")
    desk.ask(Asker("gus", BO.address), "g1")
    assert desk.called == ["b1", "c1"]
    desk.ask(ADA, "a1")
    assert desk.called == ["b1", "c1", "a1"]
    desk.end("b1")
    assert desk.called == ["b1", "c1", "a1", "b2"]


# ---------------------------------------------------------------- counting


def test_the_crowd_is_the_jobs_before_a_new_one() -> None:
    desk = Desk()
    assert desk.turns.crowd(ADA) == 0
    desk.ask(BO, *(f"b{n}" for n in range(30)))
    assert desk.turns.crowd(ADA) == 1, "a flood of another counts as one"
    assert desk.turns.crowd(CLEO) == 1
    assert desk.turns.crowd(BO) == 30, "one's own counts in full"
    desk.ask(BOTS, "x1")
    assert desk.turns.crowd(ADA) == 1, "bots among themselves keep no people waiting"
    assert desk.turns.crowd(MORE_BOTS) == 1


def test_whatever_is_asked_and_left_nothing_is_forgotten_and_nothing_stays() -> None:
    rng = random.Random(5)
    desk = Desk(3, Bounds(in_all=40, of_person=6, of_address=9, done_of_person=2, done_of_address=2))
    askers = [
        Asker(person, address, priority)
        for person in ("p", "q", None)
        for address in ("1", "2", "")
        for priority in Priority
    ]
    for n in range(5000):
        if rng.random() < 0.55:
            try:
                desk.ask(rng.choice(askers), f"j{n}")
            except TooBusy:
                assert desk.turns.asked >= 6
        elif desk.places:
            desk.end(rng.choice(list(desk.places)))
        assert desk.turns.asked == len(desk.places) <= 40
        assert desk.turns.working == sum(place.called for place in desk.places.values()) <= 3
    for name in list(desk.places):
        desk.end(name)
    assert (desk.turns.asked, desk.turns.working, desk.turns.crowd(ADA)) == (0, 0, 0)
    assert not desk.turns._lines[Priority.PEOPLE]._places
    assert not desk.turns._asked[Priority.PEOPLE]._at and not desk.turns._asked[Priority.PEOPLE]._persons
