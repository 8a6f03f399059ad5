"""What is refused, by the answer it gets over HTTP. The reason is for people (`Sentence`) or for programs."""

from __future__ import annotations

import math
from typing import ClassVar

from branchline.server.wire.sentences import Sentence


class BadRequest(ValueError):
    """Something that cannot be; says what would be right."""

    status: ClassVar[int] = 400

    @property
    def reason(self) -> str:
        """What is told, with its key if it is a sentence."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


class Unknown(BadRequest):
    """Asked by nobody we know: a token is needed."""

    status = 401


class Forbidden(BadRequest):
    """Asked by somebody who may not."""

    status = 403


class Missing(BadRequest):
    """Asked of something that is not there."""

    status = 404


class Conflict(BadRequest):
    """Asked at the wrong moment."""

    status = 409


class TooMany(BadRequest):
    """Asked too often, or for more than there is for one; `wait`: after how many seconds it can be tried again."""

    status = 429

    def __init__(self, reason: Sentence, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait

    @property
    def retry_after(self) -> int:
        """Whole seconds, as the header `Retry-After` has them."""
        return max(1, math.ceil(self.wait))
