"""Where people can be told something: their devices, and an address for mail that they have confirmed."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from concurrent.futures import Executor
from typing import Final, Protocol

from branchline.server import wire
from branchline.server.notices.mail import (
    Mailer,
    MailRefused,
    MailUnknown,
    MailUnreached,
    checked_address,
)
from branchline.server.notices.push import AUTH_BYTES, b64, public_key, read_point, unb64
from branchline.server.notices.reaching import BadEndpoint, Reaching
from branchline.server.operate.logs import log
from branchline.server.people.keys import Keys
from branchline.server.people.mailboxes import address_digest
from branchline.server.people.people import People
from branchline.server.store.contract import DeviceRow, KeyRow, MailAsked, MailRow
from branchline.server.wire.refusals import BadRequest, Conflict, Missing, TooMany
from branchline.server.wire.sentences import Sentence
from branchline.server.words.names import BadName, clean_name

MOST_DEVICES: Final = 10  # of one person
CONFIRM_SECONDS: Final = 86400.0  # for which a link confirms
ASKED_OF_ADDRESS: Final = 3  # questions to one address in that time, whoever asks
ASKED_BY_PERSON: Final = 5
REFUSED_SECONDS: Final = 180 * 86400.0  # for which an address that wants no question is not asked
MOST_ASKING: Final = 20  # questions that wait for the mail server at one time
_PROOF: Final = 43  # characters


class Unsent(BadRequest):
    """The mail server did not take a question."""

    status = 503


class BookStore(Protocol):
    """What of the store is needed here."""

    async def now(self) -> float: ...

    async def devices(self, user: str) -> list[DeviceRow]: ...

    async def put_device(self, device: DeviceRow, most: int) -> bool: ...

    async def drop_device(self, user: str, device: str) -> bool: ...

    async def mail(self, user: str) -> MailRow | None: ...

    async def ask_mail(
        self, row: MailRow, token: str, digest: str, since: float, of_address: int, of_person: int
    ) -> MailAsked: ...

    async def refuse_mail(self, digest: str, until: float) -> None: ...

    async def asked_mail(self, token: str, since: float) -> MailRow | None: ...

    async def confirm_mail(self, token: str, since: float, at: float) -> bool: ...

    async def drop_mail(self, user: str, address: str | None = None) -> bool: ...


class CallBook:
    """Everybody's devices and addresses. On `pool` questions wait for the mail server."""

    def __init__(
        self, store: BookStore, people: People, keys: Keys, reaching: Reaching, mailer: Mailer | None, pool: Executor
    ) -> None:
        self._store = store
        self._people = people
        self._keys = keys
        self._reaching = reaching
        self._mailer = mailer
        self._pool = pool
        self._asking = 0
        self._known: dict[str, str] = {}  # our public keys, by the ids of their secrets

    async def told(self, user: str) -> wire.Calls:
        """How somebody is called back."""
        devices, mail = await self._store.devices(user), await self._store.mail(user)
        return wire.Calls(
            settings=await self._people.calls(user),
            devices=[wire.DeviceWire(row.id, row.name, row.created) for row in devices],
            mail=wire.MailWire(mail.address, mail.confirmed is not None) if mail is not None else None,
            mail_offered=self._mailer is not None,
            key=await self._public(self._keys.signing("push")),
        )

    async def _public(self, key: KeyRow) -> str:
        if key.id not in self._known:
            self._known[key.id] = await asyncio.to_thread(public_key, key.secret)
        return self._known[key.id]

    # ------------------------------------------------------------ devices

    async def add_device(self, user: str, asked: wire.NewDevice, lang: str) -> None:
        """A browser of somebody's is told from now on; it has been told before if its endpoint is known."""
        name, vapid = self._checked(asked), await self._vapid(asked.key)
        await self._people.own_name(user, lang)
        now = await self._store.now()
        device = DeviceRow(
            user, device_id(asked.endpoint), asked.endpoint, asked.p256dh, asked.auth, vapid, name, now, now
        )
        if not await self._store.put_device(device, MOST_DEVICES):
            many = f"{MOST_DEVICES} of your devices are told already: remove one first"
            raise Conflict(Sentence("many_devices", many, MOST_DEVICES))

    def _checked(self, asked: wire.NewDevice) -> str:
        """The device's name, where all the rest can be used."""
        try:
            self._reaching.endpoint(asked.endpoint)
            read_point(asked.p256dh)
            unb64(asked.auth, AUTH_BYTES)
        except BadEndpoint as error:
            bad = Sentence("bad_endpoint", f"endpoint: nothing can be sent there: {error}")
            raise BadRequest(bad) from None
        except ValueError:
            keys = "p256dh is a point of the curve P-256 (65 bytes), auth is 16 bytes, in base64url"
            raise BadRequest(Sentence("bad_device_keys", keys)) from None
        try:
            return clean_name(asked.name)
        except BadName as error:
            raise BadRequest(error.sentence.about("name")) from None

    async def _vapid(self, public: str) -> str:
        """The id of our key that a browser subscribed with."""
        for key in reversed(self._keys.all_of("push")):
            if hmac.compare_digest(await self._public(key), public):
                return key.id
        raise Conflict(Sentence("old_key", "this browser subscribed with an old key: subscribe again"))

    async def drop_device(self, user: str, device: str) -> None:
        if not await self._store.drop_device(user, device):
            raise Missing(Sentence("no_device", "no such device of yours is told"))

    # ------------------------------------------------------------ mail

    async def ask_mail(self, user: str, text: str, lang: str) -> None:
        """Ask an address whether it is theirs; nothing else is sent to it before it says so."""
        if self._mailer is None:
            raise Conflict(Sentence("no_mail", "this service sends no mail"))
        address = checked_address(text)
        present = await self._store.mail(user)
        if present is not None and present.address == address and present.confirmed is not None:
            return
        await self._people.own_name(user, lang)
        if self._asking >= MOST_ASKING:
            raise _unsent()
        self._asking += 1
        try:
            await self._ask(self._mailer, user, address, lang)
        finally:
            self._asking -= 1

    async def _ask(self, mailer: Mailer, user: str, address: str, lang: str) -> None:
        token, now = secrets.token_urlsafe(32), await self._store.now()
        row, since = MailRow(user, address, now, None), now - CONFIRM_SECONDS
        asked = await self._store.ask_mail(
            row, token_hash(token), address_digest(address), since, ASKED_OF_ADDRESS, ASKED_BY_PERSON
        )
        if asked == "refused":
            raise Conflict(Sentence("mail_refused", "whoever reads this address has asked for no mail from here"))
        if asked == "too often":
            raise TooMany(Sentence("mail_asked", "this was asked too often: try again tomorrow"), CONFIRM_SECONDS)
        known = await self._people.person(user)
        mail = mailer.question(address, known.lang or lang, token, self.refuse_token(user, address))
        try:
            await asyncio.get_running_loop().run_in_executor(self._pool, mailer.send, mail)
        except (MailUnreached, MailRefused, MailUnknown) as error:
            log().warning("a question to an address was not taken", why=f"{type(error).__name__} {error}")
            raise _unsent() from None

    async def drop_mail(self, user: str) -> None:
        await self._store.drop_mail(user)

    async def question(self, token: str) -> tuple[str, str] | None:
        """The address that a link would confirm, and the language of whose it is."""
        row = await self._store.asked_mail(token_hash(token), await self._store.now() - CONFIRM_SECONDS)
        return (row.address, await self._lang(row.user)) if row is not None else None

    async def confirm(self, token: str) -> tuple[str, str] | None:
        """The same, and from now on it is confirmed; a link does so once."""
        found, now = await self.question(token), await self._store.now()
        if found is None or not await self._store.confirm_mail(token_hash(token), now - CONFIRM_SECONDS, now):
            return None
        return found

    def stop_token(self, user: str, address: str) -> str:
        """What ends all mail to an address of somebody's, by whoever holds it."""
        key = self._keys.signing("mail")
        return f"{user}.{key.id}.{_proof(key, user, address)}"

    def refuse_token(self, user: str, address: str) -> str:
        """What ends all mail to an address that was asked, whoever asks: it may not be theirs who gave it."""
        key, digest = self._keys.signing("mail"), address_digest(address)
        return f"{user}.{key.id}.{_refusal(key, user, digest)}.{digest}"

    async def stop_lang(self, token: str) -> str | None:
        """The language of whom the token names, where it names somebody who chose one."""
        return (await self._people.person(token.partition(".")[0])).lang

    async def stop(self, token: str) -> bool:
        """End all mail. A token that is not ours ends nothing, and nobody is told whether there was anything to end;
        False for one that no key of ours can have made, or has made and is gone."""
        user, key_id, proof, digest = (*token.split(".", 3), "", "", "", "")[:4]
        key = await self._keys.look_up("mail", key_id)
        if key is None:
            return False
        if digest:
            if hmac.compare_digest(_refusal(key, user, digest), proof):
                await self._store.refuse_mail(digest, await self._store.now() + REFUSED_SECONDS)
            return True
        mail = await self._store.mail(user)
        if mail is not None and hmac.compare_digest(_proof(key, user, mail.address), proof):
            await self._store.drop_mail(user, mail.address)
        return True

    async def _lang(self, user: str) -> str:
        return (await self._people.person(user)).lang or "en"


def token_hash(token: str) -> str:
    """A link is worth what it opens: the store keeps its hash."""
    return _hash(f"branchline mail link 1:{token}")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def device_id(endpoint: str) -> str:
    """A page works it out as well, to find itself among the devices."""
    return b64(hashlib.sha256(endpoint.encode()).digest()[:16])


def _proof(key: KeyRow, user: str, address: str) -> str:
    return b64(hmac.digest(key.secret, f"branchline mail 1:{user}:{address}".encode(), hashlib.sha256))


def _refusal(key: KeyRow, user: str, digest: str) -> str:
    return b64(hmac.digest(key.secret, f"branchline no mail 1:{user}:{digest}".encode(), hashlib.sha256))


def _unsent() -> Unsent:
    return Unsent(Sentence("mail_unsent", "the mail could not be sent: try again later"))
