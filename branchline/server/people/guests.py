"""Guests: who somebody is without an account. A guest holds a token that only this service can have made.

Names are text of strangers on everybody's screen: they are short, printable and drawn on one line.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import random
import re
import secrets
import unicodedata
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Final

from branchline.server.coarse import is_coarse
from branchline.server.said import Said

SECRET_FILE: Final = "secret"
SECRET_BYTES: Final = 32
MOST_LETTERS: Final = 24  # of a name, as the eye counts them
MOST_CODES: Final = 60  # of a name, accents that stand alone counted too; a game file takes no more
_MOST_MARKS: Final = 2  # on one letter: enough to write Thai and Vietnamese, too few to climb over the next line
_BLANKS: Final = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs that show nothing
_USER: Final = re.compile(r"[A-Za-z0-9_-]{22}")
_TAG: Final = b"branchline guest 1:"


class Guests:
    """Makes tokens and reads them. All tokens die with the secret."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) < SECRET_BYTES:
            raise ValueError(f"the secret has {len(secret)} bytes, it needs {SECRET_BYTES}")
        self._secret = secret

    def token(self, user_id: str) -> str:
        """What a guest keeps to be known again; fit for a cookie, a header and an address."""
        if not _USER.fullmatch(user_id):
            raise ValueError("not the id of a user")
        return f"{user_id}.{self._proof(user_id)}"

    def user_of(self, token: str) -> str | None:
        """Whose token this is, or None if we did not make it."""
        user_id, _, proof = token.partition(".")
        if not _USER.fullmatch(user_id):
            return None
        right = hmac.compare_digest(proof.encode("utf-8", "replace"), self._proof(user_id).encode())
        return user_id if right else None

    def _proof(self, user_id: str) -> str:
        digest = hmac.digest(self._secret, _TAG + user_id.encode(), hashlib.sha256)
        return urlsafe_b64encode(digest).rstrip(b"=").decode()


def new_user_id() -> str:
    """128 random bits."""
    return secrets.token_urlsafe(16)


def load_secret(folder: Path) -> bytes:
    """The secret of a store's folder; made on the first call, for its owner's eyes only."""
    path = folder / SECRET_FILE
    if not path.exists():
        _write_secret(path, secrets.token_bytes(SECRET_BYTES))
    secret = path.read_bytes()
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"{path} has {len(secret)} bytes, {SECRET_BYTES} are needed; without it a new one is made")
    path.chmod(0o600)
    return secret


def _write_secret(path: Path, secret: bytes) -> None:
    """Under another name first, so that half a secret is never found."""
    new = path.with_name(f"{path.name}.new")
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(file, secret)
        os.fsync(file)
    finally:
        os.close(file)
    new.replace(path)


# --- names --------------------------------------------------------------------------------------------------


class BadName(ValueError):
    """A name that cannot be shown."""

    def __init__(self, said: Said) -> None:
        super().__init__(said)
        self.said = said


def clean_name(text: str) -> str:
    """The name as it is kept and shown; raises `BadName`, which says what would be right."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not name.isprintable() or any(letter in _BLANKS for letter in name):
        raise BadName(Said("name_hidden", "a name has no characters that cannot be seen"))
    letters = sum(not _is_mark(letter) for letter in name)
    if not letters or not name.strip():
        raise BadName(Said("name_empty", f"a name has 1 to {MOST_LETTERS} characters", MOST_LETTERS))
    if letters > MOST_LETTERS or len(name) > MOST_CODES:
        has = max(letters, len(name))
        raise BadName(
            Said("name_long", f"a name has at most {MOST_LETTERS} characters, this one has {has}", MOST_LETTERS)
        )
    if _is_mark(name[0]) or _longest_run_of_marks(name) > _MOST_MARKS:
        raise BadName(Said("name_marks", f"a name has at most {_MOST_MARKS} accents on a letter", _MOST_MARKS))
    if is_coarse(name):
        raise BadName(Said("name_coarse", "a name has no coarse word; choose another"))
    return name


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me")


def _longest_run_of_marks(name: str) -> int:
    longest = run = 0
    for letter in name:
        run = run + 1 if _is_mark(letter) else 0
        longest = max(longest, run)
    return longest


def suggested_name(rng: random.Random, lang: str) -> str:
    """A name for a guest who has not chosen one, in the guest's language."""
    words = _WORDS.get(lang, _WORDS["en"])
    noun, feminine = rng.choice([(noun, False) for noun in words.nouns] + [(noun, True) for noun in words.feminine])
    adjective = rng.choice(words.adjectives)[feminine]
    return f"{adjective} {noun}" if words.adjective_first else f"{noun} {adjective}"


class _Words:
    """The words of names in one language; an adjective is given as "masculine/feminine", or alone if both are equal."""

    def __init__(self, nouns: str, feminine: str, adjectives: str, *, adjective_first: bool = False) -> None:
        self.nouns = nouns.split()
        self.feminine = feminine.split()
        self.adjectives = [(pair.split("/")[0], pair.split("/")[-1]) for pair in adjectives.split()]
        self.adjective_first = adjective_first


_WORDS: Final = {
    "en": _Words(
        "Signal Whistle Lantern Porter Engine Junction Sleeper Viaduct Platform Caboose Semaphore Tender Guard Boiler "
        "Express Tunnel",
        "",
        "Brass Swift Merry Quiet Steady Amber Copper Sunny Early Velvet Misty Nimble Bright Patient Silver Jolly",
        adjective_first=True,
    ),
    "ro": _Words(
        "Semafor Fluier Felinar Expres Tunel Viaduct Peron Tampon Acar Impiegat Vagon Macaz",
        "Locomotivă Gară Haltă Linie Cursă Garnitură Barieră Lanternă",
        "Vesel/Veselă Iute Liniștit/Liniștită Argintiu/Argintie Arămiu/Arămie Voios/Voioasă Răbdător/Răbdătoare "
        "Luminos/Luminoasă Isteț/Isteață Călător/Călătoare Matinal/Matinală Dibaci/Dibace",
    ),
    "pt-PT": _Words(
        "Comboio Apito Farol Expresso Túnel Viaduto Cais Semáforo Maquinista Revisor Rápido Vagão",
        "Locomotiva Carruagem Linha Estação Agulha Lanterna Bagageira Automotora",
        "Alegre Veloz Sereno/Serena Prateado/Prateada Paciente Risonho/Risonha Brilhante Dourado/Dourada "
        "Viajante Matinal Hábil Valente",
    ),
    "pt-BR": _Words(
        "Trem Apito Farol Expresso Túnel Viaduto Vagão Semáforo Maquinista Trilho Bonde Cargueiro",
        "Locomotiva Linha Estação Lanterna Plataforma Jardineira Cabine Composição",
        "Alegre Veloz Sereno/Serena Prateado/Prateada Paciente Risonho/Risonha Brilhante Dourado/Dourada "
        "Viajante Animado/Animada Hábil Valente",
    ),
}
