"""A guest on a second device: a phrase or a link that is good once, for ten minutes, makes it the same guest.

What is kept is a digest under a key of the service. A new phrase ends the one before. Whoever comes again with the same
key of a request, because the answer was lost, is answered again.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

from branchline.server.people.keys import Keys
from branchline.server.store.contract import Known
from branchline.server.wire.refusals import BadRequest, Missing
from branchline.server.wire.sentences import Sentence
from branchline.server.words.phrases import WORDS, new_phrase, read_phrase, unknown_word

GOOD_SECONDS: Final = 600
LONGEST: Final = 200  # characters of what is typed
_LINK: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_TRIES: Final = 3  # that two people get the same five words within ten minutes is one in a million millions


class CarryStore(Protocol):
    """What of the store is needed here."""

    async def now(self) -> float: ...

    async def put_carry(self, user: str, phrase: str, link: str, until: float) -> None: ...

    async def carried(self, digest: str) -> str | None: ...

    async def use_carry(self, digest: str, key: str) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Carry:
    """What a person is shown: the words, and the secret of the link."""

    phrase: str
    link: str


class Carries:
    """Makes them, and says whose they are."""

    def __init__(self, store: CarryStore, keys: Keys) -> None:
        self._store = store
        self._keys = keys

    async def make(self, user: str, lang: str) -> Carry:
        """A new phrase and link; those before are good no more."""
        for tries in range(_TRIES):
            made = Carry(new_phrase(lang), secrets.token_urlsafe(16))
            try:
                await self._put(user, made)
            except Known:
                if tries == _TRIES - 1:
                    raise
            else:
                break
        return made

    async def _put(self, user: str, made: Carry) -> None:
        secret = self._keys.signing("handle").secret
        phrase, link = _digest(secret, _read(made.phrase)), _digest(secret, made.link)
        await self._store.put_carry(user, phrase, link, await self._store.now() + GOOD_SECONDS)

    async def look(self, typed: str) -> str:
        """Whose it is; it stays good."""
        for digest in self._digests(typed):
            user = await self._store.carried(digest)
            if user is not None:
                return user
        raise _unknown()

    async def use(self, typed: str, key: str) -> str:
        """Whose it is; from now on it is good for nobody but who asks again with this key."""
        for digest in self._digests(typed):
            user = await self._store.use_carry(digest, key)
            if user is not None:
                return user
        raise _unknown()

    def _digests(self, typed: str) -> Iterator[str]:
        """One for each key that may have been in use when it was made."""
        meant = _read(typed)
        for key in self._keys.all_of("handle"):
            yield _digest(key.secret, meant)


def is_phrase(typed: str) -> bool:
    """Whether this is one of the phrases, which can be guessed, and not a link, which cannot."""
    return _LINK.fullmatch(typed.strip()) is None


def _read(typed: str) -> str:
    """A link as it is, words as they were meant; raises `BadRequest` for what cannot be either."""
    if len(typed) > LONGEST:
        raise BadRequest(Sentence("carry_words", f"a phrase has {WORDS} words", WORDS))
    if not is_phrase(typed):
        return typed.strip()
    words = read_phrase(typed)
    if len(words) != WORDS:
        raise BadRequest(Sentence("carry_words", f"a phrase has {WORDS} words", WORDS))
    if (at := unknown_word(words)) is not None:
        raise BadRequest(Sentence("carry_word", f"word {at} is none that we use: look at its letters", at))
    return " ".join(words)


def _digest(secret: bytes, meant: str) -> str:
    return hmac.digest(secret, f"branchline carry 1:{meant}".encode(), hashlib.sha256).hex()


def _unknown() -> Missing:
    minutes = GOOD_SECONDS // 60
    text = f"this is good no more: it was used, or {minutes} minutes have passed, or a word is another; make a new one"
    return Missing(Sentence("carry_unknown", text, minutes))
