"""Keeps people and addresses within their bounds, counted over all processes together (bus/shares.py)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields
from typing import TypeAlias

from branchline.server.bus.links import Links
from branchline.server.bus.local import LocalBus
from branchline.server.bus.shares import Held, Shared, Shares, address_key
from branchline.server.transport.bound_settings import BoundSettings, HowMany, HowOften, Rate
from branchline.server.wire.refusals import TooMany
from branchline.server.wire.sentences import Sentence

Told: TypeAlias = Callable[[int], Sentence]  # what is told, by the number in it
_TRY_AGAIN_SECONDS = 10.0  # when something held may have been given back


class Bounds:
    """Counts what people and addresses do, and raises `TooMany` where it is too much.

    `refused` is told the kind of every refusal. Without `shares` this process counts alone.
    """

    def __init__(
        self,
        shares: Shares | None = None,
        settings: BoundSettings | None = None,
        refused: Callable[[str], None] = lambda kind: None,
    ) -> None:
        shares = shares or Shares(Links(LocalBus()))
        self.settings = settings or BoundSettings()
        self._refused = refused
        self._often = {
            field.name: _Counted(shares, field.name, bound)
            for field in fields(BoundSettings)
            if isinstance(bound := getattr(self.settings, field.name), HowOften)
        }
        self._streams = _Holding(shares, "streams", self.settings.streams)
        self._watchers = _Holding(shares, "watchers", self.settings.watchers)
        self._at_table = _Holding(shares, "at_table", self.settings.at_table)

    def request(self, user: str | None, address: str) -> None:
        self._count("requests", user, address, _too_fast, _too_fast)

    def new_guest(self, address: str) -> None:
        self._count("guests", None, address, _too_fast, _newcomers)

    def new_table(self, user: str, address: str, *, listed: bool = False) -> None:
        """A table is to be made; `listed`: for the lobby, where others want to be seen, too."""
        if listed:
            self._count("listed", user, address, _new_tables, _new_tables_here)
        self._count("tables", user, address, _new_tables, _new_tables_here)

    def sit(self, user: str, address: str) -> None:
        self._count("sits", user, address, _too_fast, _too_fast)

    def say(self, user: str, address: str) -> None:
        self._count("chat", user, address, _chat_slow, _chat_slow)

    def report(self, user: str, address: str) -> None:
        self._count("reports", user, address, _reports, _reports)

    def device(self, user: str, address: str) -> None:
        self._count("devices", user, address, _too_fast, _too_fast)

    def mail(self, user: str, address: str) -> None:
        """An address is given to be asked: it may be somebody else's."""
        self._count("mails", user, address, _mails, _mails)
        self._count("questions", user, address, _mails, _mails)

    def replay(self, user: str | None, address: str) -> None:
        """A replay, a record or a history, which a process has to play for."""
        self._count("replays", user, address, _too_fast, _too_fast)

    def review(self, user: str, address: str) -> None:
        """A game is to be reviewed."""
        self._count("reviews", user, address, _reviews, _reviews)

    def file(self, user: str, address: str) -> None:
        self._count("files", user, address, _too_fast, _too_fast)

    def new_carry(self, user: str, address: str) -> None:
        """A phrase is to be made by which another device becomes this guest."""
        self._count("carries", user, address, _too_fast, _too_fast)

    def phrase(self, user: str | None, address: str) -> None:
        """A phrase was typed, whether it is right or wrong."""
        self._count("phrases", user, address, _phrases, _phrases)

    def stream(self, user: str | None, address: str) -> Callable[[], None]:
        """Hold a live stream until what this gives back is called."""
        return self._hold(user, address, (self._streams, ""))

    def watch(self, user: str | None, address: str, table: str) -> Callable[[], None]:
        """Hold a place to look on at a table, where one does not sit, until what this gives back is called."""
        return self._hold(user, address, (self._watchers, ""), (self._at_table, table))

    def _hold(self, user: str | None, address: str, *places: tuple[_Holding, str]) -> Callable[[], None]:
        entered: list[Callable[[], None]] = []
        for holding, place in places:
            try:
                entered.append(holding.enter(user, address, place))
            except TooMany:
                _leave_all(entered)
                self._refused(holding.kind)
                raise
        return lambda: _leave_all(entered)

    def _count(self, kind: str, user: str | None, address: str, of_person: Told, of_address: Told) -> None:
        try:
            self._often[kind].take(user, address, of_person, of_address)
        except TooMany:
            self._refused(kind)
            raise


def _leave_all(entered: list[Callable[[], None]]) -> None:
    """However often it is asked for, each is left once."""
    while entered:
        entered.pop()()


class _Counted:
    """How often one kind of thing was done."""

    def __init__(self, shares: Shares, kind: str, bound: HowOften) -> None:
        self._person = _buckets(shares, f"{kind} of person", bound.person)
        self._address = _buckets(shares, f"{kind} of address", bound.address)
        self._in_all = _buckets(shares, f"{kind} in all", bound.in_all)

    def take(self, user: str | None, address: str, of_person: Told, of_address: Told) -> None:
        """Count it for all of them, or for none."""
        asked: list[tuple[Shared, str, Told]] = []
        if self._person is not None and user is not None:
            asked.append((self._person, user, of_person))
        if self._address is not None and address:
            asked.append((self._address, address_key(address), of_address))
        if self._in_all is not None:
            asked.append((self._in_all, "", of_address))
        for buckets, key, told in asked:
            wait = buckets.wait(key)
            if wait > 0:
                raise TooMany(told(math.ceil(wait)), wait)
        for buckets, key, _ in asked:
            buckets.take(key)


def _buckets(shares: Shares, kind: str, rate: Rate | None) -> Shared | None:
    return shares.buckets(kind, rate.a_minute / 60, rate.at_once) if rate is not None else None


class _Holding:
    """How much of one kind is held by a person, by an address, and in all; at one place each, if it has places."""

    def __init__(self, shares: Shares, kind: str, bound: HowMany) -> None:
        self.kind = kind
        self._person = _holdings(shares, f"{kind} of person", bound.person)
        self._address = _holdings(shares, f"{kind} of address", bound.address)
        self._in_all = _holdings(shares, f"{kind} in all", bound.in_all)

    def enter(self, user: str | None, address: str, place: str) -> Callable[[], None]:
        """Hold one more; what gives it back. Raises `TooMany`."""
        asked = self._asked(user, address, place)
        for held, key, told in asked:
            if held.count(key) >= held.most:
                raise TooMany(told(held.most), _TRY_AGAIN_SECONDS)
        for held, key, _ in asked:
            held.enter(key)

        def leave() -> None:
            for held, key, _ in asked:
                held.leave(key)

        return leave

    def _asked(self, user: str | None, address: str, place: str) -> list[tuple[Held, str, Told]]:
        asked: list[tuple[Held, str, Told]] = []
        if self._person is not None and user is not None:
            asked.append((self._person, f"{place} {user}", _streams))
        if self._address is not None and address:
            asked.append((self._address, f"{place} {address_key(address)}", _streams_here))
        if self._in_all is not None:
            asked.append((self._in_all, place, _crowded))
        return asked


def _holdings(shares: Shares, kind: str, most: int | None) -> Held | None:
    return shares.holdings(kind, most) if most is not None else None


# --- what people are told -----------------------------------------------------------------------------------


def _too_fast(n: int) -> Sentence:
    return Sentence("too_fast", f"too many requests: wait {n} s", n)


def _newcomers(n: int) -> Sentence:
    return Sentence("newcomers", f"too many newcomers from your network at once: wait {n} s", n)


def _new_tables(n: int) -> Sentence:
    return Sentence("new_tables", f"you have opened many tables in a short time: wait {n} s", n)


def _new_tables_here(n: int) -> Sentence:
    return Sentence("new_tables_here", f"many tables were opened from your network in a short time: wait {n} s", n)


def _reports(n: int) -> Sentence:
    return Sentence("reports", f"many reports have come from you in a short time: wait {n} s", n)


def _reviews(n: int) -> Sentence:
    return Sentence("reviews", f"many games were to be reviewed in a short time: wait {n} s", n)


def _mails(n: int) -> Sentence:
    return Sentence("mails", f"many addresses were given in a short time: wait {n} s", n)


def _phrases(n: int) -> Sentence:
    return Sentence("phrases", f"too many phrases were tried in a short time: wait {n} s", n)


def _chat_slow(n: int) -> Sentence:
    return Sentence("chat_slow", "a little slower, please")


def _streams(n: int) -> Sentence:
    return Sentence("streams", f"you have {n} live tables open already: close one first", n)


def _streams_here(n: int) -> Sentence:
    return Sentence("streams_here", f"{n} live tables are open from your network already: close one first", n)


def _crowded(n: int) -> Sentence:
    return Sentence("crowded", f"{n} people are watching already: there is no more room", n)
