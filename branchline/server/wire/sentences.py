"""What people are told when something is refused: in English, and by the key under which the page has it otherwise."""

from __future__ import annotations

from branchline.server import wire


class Sentence(str):
    """A sentence for people. `code` is its key in the page's catalogues (`said.CODE`), `n` the number in it, if any."""

    code: str
    n: int | None

    def __new__(cls, code: str, text: str, n: int | None = None) -> Sentence:
        sentence = super().__new__(cls, text)
        sentence.code, sentence.n = code, n
        return sentence

    def about(self, place: str) -> Sentence:
        """The same, of what stands in this place."""
        return Sentence(self.code, f"{place}: {self}", self.n)


def code_of(reason: object) -> tuple[str, int | None]:
    """The key and the number of a reason; a reason for programs has none."""
    return (reason.code, reason.n) if isinstance(reason, Sentence) else ("", None)


def trouble(reason: str) -> wire.Trouble:
    """The message that tells a reader of it."""
    return wire.Trouble(str(reason), *code_of(reason))
