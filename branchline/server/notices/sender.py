"""Sends what waits to be told. Every process does; a notice is taken by one of them, and sent at most once.

It is marked as taken before it is sent. If the process dies in between, nobody knows whether it arrived, and nobody
sends it again. What surely did not arrive, because no connection came about or the other side said so, is tried again
a few times, later and later. Whether it is still true is looked at just before it is sent.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Final, Protocol, TypeVar, TypeVarTuple, Unpack

from branchline.server.notices.mail import Mailer, MailRefused, MailUnknown, MailUnreached
from branchline.server.notices.push import Message, PushSender, topic_of
from branchline.server.notices.reaching import Answered, BadEndpoint, Unanswered, Unreached
from branchline.server.operate.logs import log
from branchline.server.operate.metrics import Metrics
from branchline.server.people.calls import quiet_until, read_calls
from branchline.server.people.keys import Keys
from branchline.server.store.contract import DeviceRow, Notice, NoticeFacts, StoreFailed
from branchline.server.words.notices import told, where

T = TypeVar("T")
Args = TypeVarTuple("Args")

AT_ONCE: Final = 20  # notices of one look
IN_ALL: Final = 200  # people to whom something is being sent
SLOW_AT_ONCE: Final = 2  # messages on their way to devices that said nothing the last time
MOST_SILENT: Final = 3  # messages in a row that a device takes and says nothing to; then it is forgotten
MOST_TRIES: Final = 4
BACK_OFF: Final = (60.0, 600.0, 3600.0)  # seconds until the next try
MOST_BACK_OFF: Final = 6 * 3600.0  # whatever a push service asks for
AN_HOUR: Final = 3600.0
MOST_IN_AN_HOUR: Final = 12  # notices to one person about their games
MOST_FRIENDS_IN_AN_HOUR: Final = 6  # and that somebody sat down
CROWDED_SECONDS: Final = 900.0  # then a notice too many is looked at again
KEPT_SECONDS: Final = 7 * 86400.0  # that something was told
LOST_SECONDS: Final = 300.0  # after which a process that took a notice has died
TOO_OLD_SECONDS: Final = 3 * 86400.0
TIDY_SECONDS: Final = 60.0
MAIL: Final = "mail"  # a place, beside the ids of devices


class Result(Enum):
    """What became of a message to one place."""

    SENT = "sent"
    GONE = "gone"  # the subscription is no more
    REFUSED = "refused"  # and will be again
    UNREACHED = "unreached"  # it surely did not arrive
    UNKNOWN = "unknown"  # it may have


@dataclass(frozen=True, slots=True)
class Sent:
    place: str
    result: Result
    wait: float = 0.0  # what the other side asks for before the next try


class SenderStore(Protocol):
    """What of the store is needed here."""

    async def now(self) -> float: ...

    async def are_notices_due(self, due: float, busy: Sequence[str]) -> bool: ...

    async def take_notices(self, due: float, now: float, most: int, busy: Sequence[str]) -> list[Notice]: ...

    async def notice_facts(self, notice: Notice, told_since: float) -> NoticeFacts | None: ...

    async def settle_notice(self, notice: Notice, outcome: str) -> None: ...

    async def put_off_notice(self, notice: Notice, due: float, only: tuple[str, ...] | None, tries: int) -> None: ...

    async def tidy_notices(self, done_before: float, taken_before: float, asked_before: float) -> int: ...

    async def drop_device(self, user: str, device: str) -> bool: ...

    async def silent_device(self, user: str, device: str, most: int) -> None: ...

    async def heard_device(self, user: str, device: str) -> None: ...


class StopToken(Protocol):
    def __call__(self, user: str, address: str) -> str: ...


@dataclass(frozen=True, slots=True)
class Sending:
    """What the sender works with. `after`: seconds in which somebody may come and see for themselves. Push messages
    and mail wait on threads of their own, so that neither waits for the other."""

    store: SenderStore
    keys: Keys
    push: PushSender
    mailer: Mailer | None
    stop_token: StopToken
    metrics: Metrics
    push_pool: Executor
    mail_pool: Executor
    after: float


class Sender:
    """The task that sends. Nobody waits for somebody else's devices."""

    def __init__(self, sending: Sending) -> None:
        self._with = sending
        self._store = sending.store
        self._tidied = 0.0
        self._busy: dict[str, asyncio.Task[None]] = {}  # by person: what is being sent to them
        self._slow = asyncio.Semaphore(SLOW_AT_ONCE)
        self._looking = asyncio.Lock()

    async def watch(self, every: float) -> None:
        """Send what is due, until cancelled. A store or a service that fails disturbs nobody's game."""
        try:
            while True:
                await asyncio.sleep(every)
                try:
                    await self.look()
                except StoreFailed as error:
                    log().warning("notices wait: the store cannot be asked", reason=str(error))
                except Exception:
                    log().exception("notices could not be sent")
        finally:
            for task in self._busy.values():
                task.cancel()

    async def look(self) -> int:
        """Begin to send what is due: how many notices were taken. To one person one is sent after the other, so that
        how many they were sent is counted before each; and no more is taken than is sent at once."""
        async with self._looking:
            return await self._look()

    async def _look(self) -> int:
        now = await self._store.now()
        if now - self._tidied > TIDY_SECONDS:
            self._tidied = now
            await self._tidy(now)
        due, busy = now - self._with.after, list(self._busy)
        most = min(AT_ONCE, IN_ALL - len(busy))
        if most <= 0 or not await self._store.are_notices_due(due, busy):
            return 0
        taken = await self._store.take_notices(due, now, most, busy)
        for notice in taken:
            self._busy[notice.user] = task = asyncio.create_task(self._handle(notice, now))
            task.add_done_callback(partial(self._done, notice.user))
        return len(taken)

    def _done(self, user: str, task: asyncio.Task[None]) -> None:
        del self._busy[user]

    async def round(self) -> int:
        """A look, and all that comes of it."""
        taken = await self.look()
        while self._busy:
            await asyncio.wait(list(self._busy.values()))
        return taken

    async def _tidy(self, now: float) -> None:
        lost = await self._store.tidy_notices(now - KEPT_SECONDS, now - LOST_SECONDS, now - 86400.0)
        if lost:
            self._with.metrics.notices.labels("none", "lost").inc(lost)
            log().warning("a process died amid notices: they may not have arrived", notices=lost)

    # ------------------------------------------------------------ one notice

    async def _handle(self, notice: Notice, now: float) -> None:
        try:
            facts = await self._store.notice_facts(notice, now - AN_HOUR)
            void = why_void(notice, facts, now)
            if facts is None or void:
                await self._settle(notice, void)
                return
            later = quiet_until(read_calls(facts.calls).quiet, now)
            if later is None and facts.told >= _most_of(notice):
                later = now + CROWDED_SECONDS
            if later is not None:  # it does not count as a try
                await self._store.put_off_notice(notice, later, notice.only, notice.tries - 1)
                return
            await self._send(notice, facts, now)
        except StoreFailed as error:  # taken, and what came of it could not be written: it is not sent again
            log().warning("what became of a notice is not written down", reason=str(error))
        except Exception:
            log().exception("a notice could not be sent")

    async def _send(self, notice: Notice, facts: NoticeFacts, now: float) -> None:
        places = self._places(notice, facts)
        if not places:
            await self._settle(notice, "replaced" if facts.nudged else "nobody")
            return
        sent = [await self._to(place, notice, facts, now) for place in places]  # nobody takes many threads at once
        for each in sent:
            await self._learn(each, notice, facts)
        again = tuple(each.place for each in sent if each.result is Result.UNREACHED)
        if again and notice.tries < MOST_TRIES:
            wait = max(BACK_OFF[notice.tries - 1], *(each.wait for each in sent))
            await self._store.put_off_notice(notice, now + min(wait, MOST_BACK_OFF), again, notice.tries)
            return
        arrived = any(each.result in (Result.SENT, Result.UNKNOWN) for each in sent)
        await self._settle(notice, "sent" if arrived else "failed", counted=True)

    async def _learn(self, sent: Sent, notice: Notice, facts: NoticeFacts) -> None:
        """What a message that was sent says of the place it was sent to."""
        self._with.metrics.notices.labels(MAIL if sent.place == MAIL else "push", sent.result.value).inc()
        silent = next((device.silent for device in facts.devices if device.id == sent.place), None)
        if silent is None:
            return
        if sent.result is Result.GONE:
            await self._store.drop_device(notice.user, sent.place)
        elif sent.result is Result.UNKNOWN:
            await self._store.silent_device(notice.user, sent.place, MOST_SILENT)
        elif silent and sent.result is not Result.UNREACHED:
            await self._store.heard_device(notice.user, sent.place)

    async def _settle(self, notice: Notice, outcome: str, *, counted: bool = False) -> None:
        if not counted:
            self._with.metrics.notices.labels("none", outcome).inc()
        await self._store.settle_notice(notice, outcome)

    def _places(self, notice: Notice, facts: NoticeFacts) -> list[str]:
        """Where this person wants to be told of this kind, of the places that are left; last those that said nothing
        the last time."""
        wants = read_calls(facts.calls)
        mail = facts.mail is not None and facts.mail.confirmed is not None and self._with.mailer is not None

        def told(kinds: Sequence[str]) -> bool:
            """A nudge takes the place of the turn it is about, where both are told."""
            return notice.kind in kinds and not (facts.nudged and "nudge" in kinds)

        places = [(device.silent, device.id) for device in facts.devices] if told(wants.push) else []
        if mail and told(wants.mail):
            places.append((0, MAIL))
        places.sort(key=lambda place: place[0])
        return [place for _, place in places if notice.only is None or place in notice.only]

    async def _to(self, place: str, notice: Notice, facts: NoticeFacts, now: float) -> Sent:
        try:
            if place == MAIL:
                return await self._mail(notice, facts)
            device = next(device for device in facts.devices if device.id == place)
            if not device.silent:
                return await self._push(device, notice, facts, now)
            async with self._slow:
                return await self._push(device, notice, facts, now)
        except Exception:  # ours: nobody's other device has to go without because of it
            log().exception("a notice could not be made")
            return Sent(place, Result.REFUSED)

    async def _push(self, device: DeviceRow, notice: Notice, facts: NoticeFacts, now: float) -> Sent:
        key = self._with.keys.find("push", device.vapid)
        if key is None:  # revoked: the browser subscribes anew when its page is opened
            return Sent(device.id, Result.REFUSED)
        message = Message(
            endpoint=device.endpoint,
            p256dh=device.p256dh,
            auth=device.auth,
            body=push_body(notice, facts),
            topic=topic_of(key.secret, notice.user, notice.table),
            seconds=86400,
            secret=key.secret,
        )
        try:
            answer = await _on(self._with.push_pool, self._with.push.send, message, now)
        except Unreached:
            return Sent(device.id, Result.UNREACHED)
        except Unanswered:
            return Sent(device.id, Result.UNKNOWN)
        except (BadEndpoint, ValueError) as error:
            log().warning("a device cannot be told", why=str(error))
            return Sent(device.id, Result.GONE)
        return Sent(device.id, _result_of(answer), answer.retry_after or 0.0)

    async def _mail(self, notice: Notice, facts: NoticeFacts) -> Sent:
        mailer = self._with.mailer
        assert mailer is not None and facts.mail is not None
        to = facts.mail.address
        stop = self._with.stop_token(notice.user, to)
        mail = mailer.notice(to, facts.lang, *_told(notice, facts), notice.table, stop)
        try:
            await _on(self._with.mail_pool, mailer.send, mail)
        except MailUnreached:
            return Sent(MAIL, Result.UNREACHED)
        except MailUnknown:
            return Sent(MAIL, Result.UNKNOWN)
        except MailRefused:
            return Sent(MAIL, Result.REFUSED)
        return Sent(MAIL, Result.SENT)


async def _on(pool: Executor, work: Callable[[Unpack[Args]], T], *args: *Args) -> T:
    return await asyncio.get_running_loop().run_in_executor(pool, work, *args)


def _most_of(notice: Notice) -> int:
    """In an hour, to one person: who sits down uses up nothing of what a game has to say."""
    return MOST_FRIENDS_IN_AN_HOUR if notice.kind == "friend" else MOST_IN_AN_HOUR


def why_void(notice: Notice, facts: NoticeFacts | None, now: float) -> str:
    """Why a notice is not sent, or "": it is not true any more, or it is too late."""
    if facts is None or facts.banned:
        return "gone"
    seat = next((seat for seat, user, _ in facts.seats if user == notice.user), None)
    if notice.kind in ("turn", "nudge") and (facts.state != "playing" or seat not in json.loads(facts.to_act)):
        return "answered"
    if notice.kind == "friend" and facts.state == "dropped":
        return "closed"
    return "late" if now - notice.at > TOO_OLD_SECONDS else ""


def push_body(notice: Notice, facts: NoticeFacts) -> bytes:
    """What the page's service worker shows; later messages of a table take the place of earlier ones."""
    title, body = _told(notice, facts)
    shown = {"title": title, "body": body, "tag": notice.table, "url": f"/t/{notice.table}", "kind": notice.kind}
    return json.dumps(shown, ensure_ascii=False).encode()


def _told(notice: Notice, facts: NoticeFacts) -> tuple[str, str]:
    """What has happened, and where: no more than everybody at the table knows."""
    others = [name for _, user, name in facts.seats if user != notice.user]
    return told(facts.lang, notice.kind, facts.by), where(facts.lang, facts.map, others)


def _result_of(answer: Answered) -> Result:
    if 200 <= answer.status < 300:
        return Result.SENT
    if answer.status in (404, 410):
        return Result.GONE
    return Result.UNREACHED if answer.status == 429 or answer.status >= 500 else Result.REFUSED
