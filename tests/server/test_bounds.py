"""Bounds: a school behind one address plays undisturbed, a flood from one address does not get far."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import fields

import pytest

from branchline.server.bus.links import Links
from branchline.server.bus.local import LocalBus
from branchline.server.bus.shares import Shares
from branchline.server.transport.bound_settings import BoundSettings, HowMany, HowOften, Rate, read_settings
from branchline.server.transport.bounds import Bounds
from branchline.server.wire.refusals import TooMany
from branchline.server.wire.sentences import code_of

SCHOOL = "203.0.113.9"
PUPILS = [f"pupil {n}" for n in range(40)]


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Door:
    """Bounds of a service in one process, with a clock to set and a count of refusals."""

    def __init__(self, *changes: str) -> None:
        self.clock = Clock()
        self.refused: Counter[str] = Counter()
        shares = Shares(Links(LocalBus()), self.clock)
        self.bounds = Bounds(shares, read_settings(changes), self._note)

    def _note(self, kind: str) -> None:
        self.refused[kind] += 1

    def let_in(self, ask: Callable[[], object], times: int, every: float = 0.0) -> int:
        """How many of so many, one after the other, are let in."""
        return sum(self.is_let_in(ask, every) for _ in range(times))

    def is_let_in(self, ask: Callable[[], object], every: float = 0.0) -> bool:
        self.clock.now += every
        try:
            ask()
        except TooMany:
            return False
        return True


def code(ask: Callable[[], object]) -> tuple[str, int | None]:
    with pytest.raises(TooMany) as refused:
        ask()
    return code_of(refused.value.reason)


# ---------------------------------------------------------------- a school


def test_forty_pupils_behind_one_address_play_a_lesson_undisturbed() -> None:
    """All come in within a minute; each opens the page, makes a table, sits, plays and talks, and now and then reloads.

    Moves go over the live stream, which has a bound of its own for each connection.
    """
    door, rng = Door(), random.Random("school")
    bounds = door.bounds
    leave = {}
    for pupil in PUPILS:
        door.clock.now += 1.5 * rng.random()
        bounds.new_guest(SCHOOL)
        for _ in range(15):
            bounds.request(pupil, SCHOOL)
        bounds.new_table(pupil, SCHOOL, listed=True)
        bounds.sit(pupil, SCHOOL)
        leave[pupil] = [bounds.stream(pupil, SCHOOL) for _ in range(2)]
    for second in range(45 * 60):
        door.clock.now += 1.0
        for pupil in PUPILS:
            bounds.request(pupil, SCHOOL) if rng.random() < 0.5 else None
            bounds.say(pupil, SCHOOL) if rng.random() < 0.1 else None
            if (
                rng.random() < 1 / 600
            ):  # a new game every ten minutes: a table, a seat, a stream, a look at the last one
                bounds.new_table(pupil, SCHOOL)
                bounds.sit(pupil, SCHOOL)
                bounds.replay(pupil, SCHOOL)
            if rng.random() < 1 / 300:  # a reload; the old connection is noticed to be gone only later
                leave[pupil].append(_looks_on(bounds, pupil, f"table {second % 10}"))
                if len(leave[pupil]) > 6:
                    leave[pupil].pop(0)()
    assert door.refused == {}


def _looks_on(bounds: Bounds, pupil: str, table: str) -> Callable[[], None]:
    ends = bounds.stream(pupil, SCHOOL), bounds.watch(pupil, SCHOOL, table)

    def leave() -> None:
        for end in ends:
            end()

    return leave


def test_a_whole_class_opens_the_page_in_the_same_second() -> None:
    door = Door()
    for _ in range(2):  # some browsers keep no cookie at first
        for pupil in PUPILS:
            door.bounds.new_guest(SCHOOL)
            for _ in range(10):
                door.bounds.request(pupil, SCHOOL)
    for pupil in PUPILS:
        door.bounds.new_table(pupil, SCHOOL)
        _looks_on(door.bounds, pupil, "the teacher's table")
    assert door.refused == {}


# ---------------------------------------------------------------- floods


def test_one_address_makes_few_guests_and_tables_however_many_guests_it_has() -> None:
    door = Door()
    asked = 2542
    guests = door.let_in(lambda: door.bounds.new_guest(SCHOOL), asked, every=20 / asked)
    users = iter(f"guest {n % guests}" for n in range(asked))
    tables = door.let_in(lambda: door.bounds.new_table(next(users), SCHOOL), asked, every=20 / asked)
    listed = iter(f"guest {n % guests}" for n in range(asked))
    others = Door()
    in_lobby = others.let_in(lambda: others.bounds.new_table(next(listed), SCHOOL, listed=True), asked, 20 / asked)
    assert guests < 110
    assert tables < 135
    assert in_lobby < 55
    assert door.refused["guests"] == asked - guests


def test_one_person_makes_fewer_than_an_address() -> None:
    door = Door()
    bounds = door.bounds
    assert door.let_in(lambda: bounds.new_table("ada", SCHOOL), 100) == 15
    assert door.let_in(lambda: bounds.sit("ada", SCHOOL), 100) == 20  # not at eighty strangers' tables
    assert door.let_in(lambda: bounds.report("ada", SCHOOL), 100) == 5
    assert door.let_in(lambda: bounds.say("ada", SCHOOL), 100) == 5
    assert door.let_in(lambda: bounds.file("ada", SCHOOL), 100) == 5
    assert door.is_let_in(lambda: bounds.new_table("bo", SCHOOL))
    assert door.is_let_in(lambda: bounds.sit("bo", SCHOOL))


def test_what_one_is_refused_does_not_count_for_the_others() -> None:
    door = Door()
    door.let_in(lambda: door.bounds.new_table("ada", SCHOOL), 10_000)
    assert door.let_in(lambda: door.bounds.new_table("bo", SCHOOL), 15) == 15


def test_addresses_do_not_share_and_an_ipv6_household_is_one() -> None:
    door = Door()
    door.let_in(lambda: door.bounds.new_guest(SCHOOL), 1000)
    assert door.is_let_in(lambda: door.bounds.new_guest("203.0.113.10"))
    numbers = iter(range(1000))
    household = door.let_in(lambda: door.bounds.new_guest(f"2001:db8::{next(numbers):x}"), 1000)
    assert household == door.bounds.settings.guests.address.at_once  # type: ignore[union-attr]
    assert door.is_let_in(lambda: door.bounds.new_guest("2001:db8:0:1::1"))
    assert not door.is_let_in(lambda: door.bounds.new_guest(f"::ffff:{SCHOOL}"))


def test_who_waits_as_long_as_told_is_let_in() -> None:
    door = Door()
    asks: list[Callable[[], object]] = [
        lambda: door.bounds.request("ada", SCHOOL),
        lambda: door.bounds.new_guest(SCHOOL),
        lambda: door.bounds.new_table("ada", SCHOOL),
        lambda: door.bounds.report("ada", SCHOOL),
        lambda: door.bounds.replay(None, SCHOOL),
    ]
    for ask in asks:
        door.let_in(ask, 5000)
        with pytest.raises(TooMany) as refused:
            ask()
        assert refused.value.wait > 0
        assert refused.value.retry_after == code_of(refused.value.reason)[1]
        door.clock.now += refused.value.retry_after
        ask()


def test_one_address_watches_one_table_with_so_many_and_others_still_come_in() -> None:
    door = Door()
    watch, play = door.bounds.watch, door.bounds.stream
    assert door.let_in(lambda: watch(None, SCHOOL, "table"), 1500) == 100
    assert door.let_in(lambda: watch(None, SCHOOL, "another"), 1500) == 100
    assert door.is_let_in(lambda: play("ada", SCHOOL))
    numbers = iter(range(5000))
    many = door.let_in(lambda: watch(None, f"198.51.{(n := next(numbers)) // 250}.{n % 250}", "table"), 3000)
    assert many == 2000 - 100
    assert code(lambda: watch("bo", "192.0.2.1", "table")) == ("crowded", 2000)
    assert door.is_let_in(lambda: play("ada", "192.0.2.1"))  # who plays there comes in
    assert door.refused["at_table"] > 1500


def test_what_is_given_back_can_be_held_again_and_is_given_back_once() -> None:
    door = Door()
    streams = [door.bounds.stream("ada", SCHOOL) for _ in range(30)]
    assert code(lambda: door.bounds.stream("ada", SCHOOL)) == ("streams", 30)
    assert door.is_let_in(lambda: door.bounds.stream("bo", SCHOOL))
    for _ in range(3):
        streams[0]()
    streams.append(door.bounds.stream("ada", SCHOOL))
    assert not door.is_let_in(lambda: door.bounds.stream("ada", SCHOOL))


def test_a_refused_stream_leaves_nothing_counted() -> None:
    door = Door("at_table.address=1")
    first = door.bounds.watch(None, SCHOOL, "t")
    assert door.let_in(lambda: door.bounds.watch(None, SCHOOL, "t"), 5000) == 0
    assert door.let_in(lambda: door.bounds.watch(None, SCHOOL, f"u{door.clock.now}"), 399, every=1.0) == 399
    first()


def test_everybody_is_told_what_is_too_much_and_how_long_to_wait() -> None:
    door = Door("tables.address=20/60", "guests.address=1/60", "streams.address=1", "streams.person=none")
    bounds = door.bounds
    door.let_in(lambda: bounds.new_table("ada", SCHOOL), 15)
    assert code(lambda: bounds.new_table("ada", SCHOOL)) == ("new_tables", 10)
    door.let_in(lambda: bounds.new_table("bo", SCHOOL), 5)
    assert code(lambda: bounds.new_table("bo", SCHOOL)) == ("new_tables_here", 1)
    bounds.new_guest(SCHOOL)
    assert code(lambda: bounds.new_guest(SCHOOL)) == ("newcomers", 1)
    door.let_in(lambda: bounds.request("ada", SCHOOL), 100)
    assert code(lambda: bounds.request("ada", SCHOOL)) == ("too_fast", 1)
    door.let_in(lambda: bounds.report("ada", SCHOOL), 5)
    assert code(lambda: bounds.report("ada", SCHOOL)) == ("reports", 60)
    door.let_in(lambda: bounds.say("ada", SCHOOL), 5)
    assert code(lambda: bounds.say("ada", SCHOOL)) == ("chat_slow", None)
    bounds.stream("ada", SCHOOL)
    assert code(lambda: bounds.stream("ada", SCHOOL)) == ("streams_here", 1)


def test_an_address_that_is_not_known_is_not_bound_but_its_people_are() -> None:
    """Through a Unix socket whose proxy tells no address, all would be one."""
    door = Door()
    assert door.let_in(lambda: door.bounds.new_guest(""), 1000) == 1000
    assert door.let_in(lambda: door.bounds.new_table("ada", ""), 1000) == 15


def test_a_day_has_so_many_questions_to_strangers_for_an_address_and_in_all() -> None:
    door = Door("mails.person=none", "mails.address=none")
    assert door.let_in(lambda: door.bounds.mail("ada", "192.0.2.1"), 100) == 40
    guests = ((f"u{n}", f"198.51.{n // 250}.{n % 250}") for n in range(1000))
    assert door.let_in(lambda: door.bounds.mail(*next(guests)), 1000) == 500 - 40


# ---------------------------------------------------------------- the table of bounds


def test_every_bound_has_a_reason_and_no_address_gets_less_than_a_person() -> None:
    settings = BoundSettings()
    for field in fields(BoundSettings):
        bound: HowOften | HowMany = getattr(settings, field.name)
        assert bound.why
        if isinstance(bound, HowOften) and bound.person is not None and bound.address is not None:
            assert bound.address.at_once >= bound.person.at_once
            assert bound.address.a_minute >= bound.person.a_minute
        if isinstance(bound, HowMany) and bound.person is not None and bound.address is not None:
            assert bound.address >= 40 * 2 and bound.address >= bound.person


def test_an_operator_sets_what_fits() -> None:
    settings = read_settings(["tables.address=500/60", "streams.person=none", "at_table.in_all=7", "chat.person=none"])
    assert settings.tables.address == Rate(500, 60)
    assert (settings.tables.person, settings.tables.why) == (BoundSettings().tables.person, BoundSettings().tables.why)
    assert (settings.streams.person, settings.at_table.in_all, settings.chat.person) == (None, 7, None)
    assert settings.guests == BoundSettings().guests
    assert read_settings([]) == BoundSettings()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", 'no kind ""; there are requests, guests'),
        ("trains.person=1", 'no kind "trains"'),
        ("tables=5", "write tables.person or tables.address"),
        ("tables.who=5", "write tables.person or tables.address or tables.in_all"),
        ("streams.why=5", "write streams.person or streams.address or streams.in_all"),
        ("tables.person=5", "written 20/60"),
        ("tables.person=0/60", "written 20/60"),
        ("tables.person=5/0", "written 20/60"),
        ("tables.person=-5/1", "written 20/60"),
        ("streams.person=5/1", "a whole number"),
        ("streams.person=", "a whole number"),
        ("streams.person=many", "a whole number"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_with_a_reason(text: str, told: str) -> None:
    with pytest.raises(ValueError, match="--bound") as refused:
        read_settings([text])
    assert told in str(refused.value)
