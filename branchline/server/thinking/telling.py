"""What happened at the tables, told to those who ask: histories, replays, game files, and files that strangers send."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Any

from branchline.fair import FairDeal
from branchline.record import Player
from branchline.server.tables.course import Entry
from branchline.server.thinking import jobs
from branchline.server.thinking.askers import Asker
from branchline.server.thinking.finished import FinishedGames, Zipped
from branchline.server.thinking.pool import Pool

TELL_SECONDS = 60.0
FILE_SECONDS = 20.0

ReadLog = Callable[[], Awaitable[list[Entry]]]  # read only if it has to be told anew
ReadTimes = Callable[[], Awaitable[list[tuple[Entry, float]]]]


class Telling:
    """Tells what happened. `key` names a table and the last entry of its log: the same key, the same answer."""

    def __init__(self, pool: Pool, files: Pool, kept: FinishedGames) -> None:
        self._pool, self._files, self.kept = pool, files, kept

    async def history(
        self,
        asker: Asker,
        key: Hashable,
        map_id: str,
        players: int,
        seed: int,
        log: ReadLog,
        reader: int | None,
        since: int = 0,
    ) -> Zipped:
        """All that a reader may know to have happened after the step of this number."""

        async def tell() -> Zipped:
            return await self._tell(asker, jobs.told_history, map_id, players, seed, await log(), reader, since)

        return await self.kept.get(("history", key, reader, since), tell)

    async def replay(self, asker: Asker, key: Hashable, map_id: str, players: int, seed: int, log: ReadTimes) -> Zipped:
        """Every position of a finished game, all hands open."""

        async def tell() -> Zipped:
            return await self._tell(asker, jobs.replay_steps, map_id, players, seed, await log())

        return await self.kept.get(("replay", key), tell)

    async def record(
        self,
        asker: Asker,
        key: Hashable,
        map_id: str,
        players: Sequence[Player],
        seed: int,
        log: ReadLog,
        fair: FairDeal | None,
        meta: dict[str, Any],
    ) -> Zipped:
        """The game file."""

        async def tell() -> Zipped:
            names = list(players)
            return await self._tell(asker, jobs.write_record, map_id, names, seed, await log(), fair, meta)

        # A person may be renamed or erased afterwards: the names belong to the key.
        return await self.kept.get(("record", key, tuple((player.name, player.bot) for player in players)), tell)

    async def game_file(
        self, asker: Asker, map_id: str, players: Sequence[Player], seed: int, log: Sequence[Entry]
    ) -> str:
        """A finished game as a text for whoever works with it; it is not kept."""
        job = (map_id, list(players), seed, list(log))
        return await self._pool.run(asker, jobs.write_record, *job, None, {}, seconds=TELL_SECONDS)

    async def file(self, asker: Asker, body: bytes) -> tuple[Zipped, str]:
        """A game file played again; or nothing, and why it cannot be. Raises as `Pool.run` does."""
        told, wrong = await self._files.run(asker, jobs.zipped_file, body, seconds=FILE_SECONDS)
        return Zipped(told), wrong

    async def _tell(self, asker: Asker, *job: Any) -> Zipped:
        return Zipped(await self._pool.run(asker, jobs.zipped, *job, seconds=TELL_SECONDS))
