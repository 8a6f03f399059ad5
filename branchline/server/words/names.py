"""Names: text of strangers on everybody's screen. They are short, printable and drawn on one line."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Collection
from itertools import count
from typing import Final

from branchline.record.model import MAX_NAME
from branchline.server.wire.refusals import BadRequest
from branchline.server.wire.sentences import Sentence
from branchline.server.words.profanity import has_profanity

MOST_LETTERS: Final = 24  # of a name, as the eye counts them
MOST_CODES: Final = MAX_NAME  # of a name, accents that stand alone counted too; a game file takes no more
_MOST_MARKS: Final = 2  # on one letter: enough to write Thai and Vietnamese, too few to climb over the next line
_BLANKS: Final = "\u115f\u1160\u2800\u3164\uffa0"  # letters and signs that show nothing
_SKIN_TONES: Final = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"


class BadName(BadRequest):
    """A name that cannot be shown."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def clean_name(text: str) -> str:
    """The name as it is kept and shown; raises `BadName`, which says what would be right."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not name.isprintable() or any(letter in _BLANKS for letter in name):
        raise BadName(Sentence("name_hidden", "a name has no characters that cannot be seen"))
    letters = sum(not _is_mark(letter) for letter in name)
    if not letters or not name.strip():
        raise BadName(Sentence("name_empty", f"a name has 1 to {MOST_LETTERS} characters", MOST_LETTERS))
    if letters > MOST_LETTERS or len(name) > MOST_CODES:
        has = max(letters, len(name))
        raise BadName(
            Sentence("name_long", f"a name has at most {MOST_LETTERS} characters, this one has {has}", MOST_LETTERS)
        )
    if _is_mark(name[0]) or _longest_run_of_marks(name) > _MOST_MARKS:
        raise BadName(Sentence("name_marks", f"a name has at most {_MOST_MARKS} accents on a letter", _MOST_MARKS))
    if has_profanity(name):
        raise BadName(Sentence("name_coarse", "a name has no coarse word; choose another"))
    return name


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me")


def _longest_run_of_marks(name: str) -> int:
    longest = run = 0
    for letter in name:
        run = run + 1 if _is_mark(letter) else 0
        longest = max(longest, run)
    return longest


# --- two of the same name at one table ----------------------------------------------------------------------


def told_apart(name: str, taken: Collection[str]) -> str:
    """The name, with a number if somebody at the table has it already; short enough for a game file."""
    if name not in taken and len(name) <= MOST_CODES:
        return name
    numbered = (_ending_in(name, f" {number}") for number in count(2))
    return next(found for found in numbered if found not in taken)


def _ending_in(name: str, end: str) -> str:
    """The name and this end; a name too long loses whole letters, never the accents of one."""
    most = MOST_CODES - len(end)
    kept = most if len(name) > most else len(name)
    while 0 < kept < len(name) and _belongs_to_letter_before(name[kept]):
        kept -= 1
    return name[: kept or most].rstrip() + end


def _belongs_to_letter_before(sign: str) -> bool:
    return unicodedata.category(sign).startswith("M") or sign in _SKIN_TONES


# --- names for who has not chosen one -----------------------------------------------------------------------


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
