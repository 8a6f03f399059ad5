"""Where people can be told something: their devices, and an address for mail that they have confirmed."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from concurrent.futures import Executor
from typing import Final, Protocol

from branchline.server import wire
from branchline.server.notices.mail import Mailer, MailRefused, MailUnknown, MailUnreached, checked_address
from branchline.server.notices.push import AUTH_BYTES, b64, public_key, read_point, unb64
from branchline.server.notices.reaching import BadEndpoint, Reaching
from branchline.server.operate.logs import log
from branchline.server.people.keys import Keys
from branchline.server.people.people import People
from branchline.server.store.contract import DeviceRow, KeyRow, MailRow
from branchline.server.wire.refusals import BadRequest, Conflict, Missing, TooMany
from branchline.server.wire.sentences import Sentence
from branchline.server.words.names import BadName, clean_name

MOST_DEVICES: Final = 10  # of one person
CONFIRM_SECONDS: Final = 86400.0  # for which a link confirms
ASKED_OF_ADDRESS: Final = 3  # questions to one address in that time, whoever asks
ASKED_BY_PERSON: Final = 5
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
        self, row: MailRow, token: str, address_hash: str, since: float, of_address: int, of_person: int
    ) -> bool: ...

    async def asked_mail(self, token: str, since: float) -> MailRow | None: ...

    async def confirm_mail(self, token: str, since: float, at: float) -> bool: ...

    async def drop_mail(self, user: str, address: str | None = None) -> bool: ...


class CallBook:
    """Everybody's devices and addresses."""

    def __init__(
        self, store: BookStore, people: People, keys: Keys, reaching: Reaching, mailer: Mailer | None, pool: Executor
    ) -> None:
        self._store = store
        self._people = people
        self._keys = keys
        self._reaching = reaching
        self._mailer = mailer
        self._pool = pool
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
            found = await asyncio.get_running_loop().run_in_executor(self._pool, public_key, key.secret)
            self._known[key.id] = found
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
            raise BadRequest(
                "p256dh is a point of the curve P-256 (65 bytes), auth is 16 bytes, in base64url"
            ) from None
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
        token, now = secrets.token_urlsafe(32), await self._store.now()
        since = now - CONFIRM_SECONDS
        row = MailRow(user, address, now, None)
        asked = (token_hash(token), _hash(address.lower()), since, ASKED_OF_ADDRESS, ASKED_BY_PERSON)
        if not await self._store.ask_mail(row, *asked):
            raise TooMany(Sentence("mail_asked", "this was asked too often: try again tomorrow"), CONFIRM_SECONDS)
        known = await self._people.person(user)
        mail = self._mailer.question(address, known.lang or lang, token, self.stop_token(user, address))
        try:
            await asyncio.get_running_loop().run_in_executor(self._pool, self._mailer.send, mail)
        except (MailUnreached, MailRefused, MailUnknown) as error:
            log().warning("a question to an address was not taken", why=f"{type(error).__name__} {error}")
            raise Unsent(Sentence("mail_unsent", "the mail could not be sent: try again later")) from None

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

    async def stop_lang(self, token: str) -> str | None:
        """The language of whom the token names, where it names somebody who chose one."""
        return (await self._people.person(token.partition(".")[0])).lang

    async def stop(self, token: str) -> None:
        """End all mail; a token that is not ours ends nothing, and nobody is told whether there was anything to end."""
        user, _, rest = token.partition(".")
        key_id, _, proof = rest.partition(".")
        key, mail = await self._keys.look_up("mail", key_id), await self._store.mail(user)
        if key is None or mail is None or not hmac.compare_digest(_proof(key, user, mail.address), proof):
            return
        await self._store.drop_mail(user, mail.address)

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
