"""Self-play by PPO: many games side by side, some of them against networks of the past.

Every seat's choices in a game are a chain of its own, judged by what that seat knew. A chain ends in who won and by how
much: the value of a position is the win probability (weighed by `win`) and the expected margin in hundreds of points.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import torch
from torch.nn import functional

from branchline.maps.model import MapData
from branchline.mechanics import composed as k
from branchline.training import network as net
from branchline.training.checkpoint import Checkpoint, save
from branchline.training.fanmaps import fan_map
from branchline.training.games import DEAL, HIDDEN_WORDS, POSITION_WORDS, Games
from branchline.training.torch_network import TorchNetwork

PARTS = k.SEATS + 1  # of a value: win probabilities by seat, then the margin
ANONYMOUS_EVERY = 8  # every so many rounds the maps' own weights are left out, so that it plays maps unknown to it
POOL_MOST = 24
LOSSES = ("wins", "margin", "entropy", "kl", "belief")


@dataclass(frozen=True)
class Settings:
    """How to train."""

    minutes: float = 1.0
    games: int = 4096  # a map
    steps: int = 64  # a round
    batch: int = 4096  # a map, in one step of learning
    epochs: int = 1
    rate: float = 5e-4
    last_rate: float = 1.5e-4
    entropy: float = 0.01
    last_entropy: float = 0.003
    win: float = 1.0
    belief: float = 0.3  # what being wrong about others' tickets weighs
    blend: float = 0.95  # lambda of the advantages
    clip: float = 0.2
    pool_share: float = 0.2  # of the games, played against the past
    bots: str = "planner"  # by comma, who else plays
    bot_share: float = 0.0625  # of the games, played against them
    bot_threads: int = 0  # that they think on; 0: all cores but two
    pool_seconds: float = 45.0  # between two copies for the pool
    rival_seconds: float = 15.0  # how long a past network plays
    fans: int = 0  # maps made up for training, beside the named ones
    fan_seconds: float = 60.0  # how long each is played
    warm_up: int = 200  # steps of learning until the full rate
    compile: bool = False
    seed: int = 1


class Bots(Protocol):
    """Opponents that answer in many games at once (bots/compiled/answers.py)."""

    numbers: Sequence[int]

    def set_map(self, slot: int, data: MapData) -> None: ...

    def answer(self, positions: Any, asked: Any, codes: Any) -> int: ...


@dataclass
class Past:
    """A network of the past."""

    decisions: int
    weights: dict[str, Any]


class Trainer:
    """One run of training."""

    def __init__(
        self,
        maps: list[MapData],
        players: list[int],
        settings: Settings,
        start: Checkpoint | None,
        device: str,
        shape: net.Shape | None = None,
    ) -> None:
        dtype = torch.bfloat16 if device != "cpu" else torch.float32
        self.s, self.random = settings, random.Random(settings.seed)
        maps = [*maps, *(fan_map(f"fan_{i}", self.random) for i in range(settings.fans))]
        self.maps = maps
        self.network = self.make_network(start.shape if start else shape or net.Shape(), device, dtype)
        if start:
            self.network.load(start)
        self.decisions = start.decisions if start else 0
        self.seconds_before = start.gpu_seconds if start else 0.0
        self.curve = list(start.curve) if start else []
        self.games = self.make_games(players, device)
        self.rate = torch.zeros((), device=device)
        self.entropy_weight = torch.zeros((), device=device)
        quick = {"fused": True, "capturable": True} if device != "cpu" else {}
        self.optimiser = torch.optim.Adam(self.network.weights.values(), lr=self.rate, eps=1e-5, **quick)
        self.learned = 0
        self.pool = [Past(self.decisions, self.network.frozen())]
        self.rival = self.pool[0]
        self.rival_weights = {name: value.clone() for name, value in self.rival.weights.items()}
        if settings.compile:
            self.network.compile()
        self._make_rooms(device, len(players))
        self._seat_bots(device)
        self.compiled: Path | None = None  # where what torch compiled is kept from one run to the next
        self.start = time.monotonic()
        self.tally = Tally(maps, sorted(set(players)))

    def make_network(self, shape: net.Shape, device: str, dtype: Any) -> TorchNetwork:
        return TorchNetwork(self.maps, shape, device, dtype)

    def make_games(self, players: list[int], device: str) -> Games:
        return Games(self.maps, players, self.s.games, self.s.seed, device)

    def _make_rooms(self, device: str, kinds: int) -> None:
        """Memory for a round: [maps, steps, games]; `kinds`: how many numbers of players there are."""
        m, t, n = len(self.maps), self.s.steps, self.s.games

        def room(*more: int, dtype: Any = torch.float32) -> Any:
            return torch.zeros(m, t, n, *more, dtype=dtype, device=device)

        self.words, self.hidden = room(len(self.games.seen), dtype=torch.int64), room(HIDDEN_WORDS, dtype=torch.int64)
        self.chosen, self.colour = room(dtype=torch.int64), room(dtype=torch.int64)
        self.logp, self.value = room(), room(PARTS)
        self.seat = room(dtype=torch.int64)
        self.result = room(self.games.results.shape[0], dtype=torch.int64)
        self.mine = room(dtype=torch.bool)  # chosen by the network that learns
        self.players = self.games.players.view(m, n)
        self.bots_from = n - int(n * self.s.bot_share)
        self.rivals_from = max(0, self.bots_from - int(n * self.s.pool_share))
        turn = torch.arange(n, device=device) // kinds  # of tables, one after the other: each seat comes as often
        self.learner_seat = turn % self.players  # of the games against the past
        self.order = torch.arange(k.SEATS, device=device)
        self.known = torch.ones((), device=device, dtype=self.network.dtype)
        self.always = torch.ones((), device=device, dtype=self.network.dtype)
        self.at = torch.zeros(1, device=device, dtype=torch.int64)  # the step of a round
        self.gain, self.target, self.weight = room(), room(PARTS), room()
        self.pick = torch.zeros(self.s.batch, device=device, dtype=torch.int64)  # rows of one step of learning
        self.losses = torch.zeros(len(LOSSES), device=device)
        self._choose_once, self._step_once, self._learn_once = self.choose_once, self.step_once, self.learn_once
        self.recorded = False

    def _seat_bots(self, device: str) -> None:
        """Bots for the last games of every map. They think on the CPU while the GPU looks at all the games."""
        self.bots: Bots | None = None
        tables = self.s.games - self.bots_from
        if not tables:
            return
        names = self.s.bots.split(",")
        threads = self.s.bot_threads or max(1, (os.cpu_count() or 1) - 2)
        self.bots = seat_bots(names, self.maps, threads)
        m, pinned = len(self.maps), device != "cpu"
        chance = torch.Generator().manual_seed(self.s.seed)
        self.bot_at = torch.randint(len(names), (m, tables), generator=chance)
        numbers = torch.tensor(self.bots.numbers)[self.bot_at]
        self.asked = torch.stack([numbers, self.learner_seat[:, self.bots_from :].cpu()], -1)
        self.bot_at = self.bot_at.to(device)
        self.tables = torch.zeros(m, tables, POSITION_WORDS, dtype=torch.int64, pin_memory=pinned)
        self.answers = torch.zeros(m, tables, dtype=torch.int64, pin_memory=pinned)
        self.answered = torch.zeros(m, tables, dtype=torch.int64, device=device)
        self.sent = torch.cuda.Event() if pinned else None
        self.bot_seconds, self.bot_answers = 0.0, 0

    # ------------------------------------------------------------ playing

    def run(self, out: Path | None, log: Path | None, say: Callable[[str], None] = print) -> Checkpoint:
        """Train until the time is over, or at least one round; write checkpoints and the curve on the way."""
        if self.compiled and self.compiled.exists():
            torch.compiler.load_cache_artifacts(self.compiled.read_bytes())
        self.games.step()
        rounds, last_log, last_copy, last_rival, last_fans = 0, 0.0, 0.0, 0.0, 0.0
        while rounds == 0 or self.elapsed < self.s.minutes * 60:
            self.known.fill_(0.0 if rounds % ANONYMOUS_EVERY == ANONYMOUS_EVERY - 1 else 1.0)
            losses = self.one_round()
            rounds += 1
            if rounds == 1 and self.compiled and not self.compiled.exists():
                made = torch.compiler.save_cache_artifacts()
                if made:
                    self.compiled.write_bytes(made[0])
            now = self.elapsed
            if now - last_copy > self.s.pool_seconds:
                last_copy = now
                self.remember()
            if self.s.fans and now - last_fans > self.s.fan_seconds:
                last_fans = now
                self.change_fans()
            if now - last_rival > self.s.rival_seconds:
                last_rival = now
                self.meet(self.choose_rival())
            if now - last_log > 10 or rounds in (1, 2, 4):
                last_log = now
                row = self.note(losses)
                say(json.dumps(row))
                if log:
                    with log.open("a", encoding="utf-8") as file:
                        file.write(json.dumps(row) + "\n")
                if out:
                    save(out, self.checkpoint())
        last = self.checkpoint()
        if out:
            save(out, last)
        return last

    def one_round(self) -> dict[str, Any]:
        """Play some steps in all games, then learn from them."""
        start = time.monotonic()
        with torch.no_grad():
            self.chains(self.play())
        if self.network.device.type == "cuda":
            torch.cuda.synchronize()
        played = time.monotonic()
        losses = self.learn()
        losses |= {"play s": played - start, "learn s": time.monotonic() - played}
        if not self.recorded and self.network.device.type == "cuda":
            self.recorded = True
            with torch.no_grad():
                self.at.zero_()
                self._choose_once = record(self.choose_once)
                self.games.codes.fill_(DEAL)  # it is done some times on the way, and a choice can be made but once
                self._step_once = record(self.step_once)
            self._learn_once = record(self.learn_once)
        return losses

    def play(self) -> Any:
        """Fill the rooms; the value of the positions after the last step."""
        self.at.zero_()
        for _ in range(self.s.steps):
            self.send_tables()
            self._choose_once()
            self.ask_bots()
            self._step_once()
        self.tally.add(self)
        words = self.look()
        *_, wins, margin = self.network.act(words, self.network.weights, self.known)
        self.seat_after = self.seat_of(words)
        return torch.cat([wins, margin[..., None]], -1)

    def send_tables(self) -> None:
        """Send the positions with bots to the CPU."""
        if self.bots:
            stored = self.games.positions.view(-1, len(self.maps), self.s.games)[:, :, self.bots_from :]
            self.tables.copy_(stored.permute(1, 2, 0).contiguous(), non_blocking=True)
            if self.sent:
                self.sent.record()

    def ask_bots(self) -> None:
        """Let the bots choose where they are to act; a GPU chooses in all other games meanwhile."""
        if not self.bots:
            return
        if self.sent:
            self.sent.synchronize()
        start = time.monotonic()
        self.bot_answers += self.bots.answer(self.tables.numpy(), self.asked.numpy(), self.answers.numpy())
        self.bot_seconds += time.monotonic() - start
        self.answered.copy_(self.answers, non_blocking=True)
        codes = self.games.codes.view(len(self.maps), -1)[:, self.bots_from :]
        codes.copy_(torch.where(self.answered >= 0, self.answered, codes))

    def choose_once(self) -> None:
        """Choose in all games, and note it at step `at` of the round."""
        words = self.look()
        hidden = self.games.hidden.view(-1, len(self.maps), self.s.games).permute(1, 2, 0).contiguous()
        chosen, colour, codes, logp, wins, margin = self.network.act(words, self.network.weights, self.known)
        seat = self.seat_of(words)
        mine = torch.ones_like(seat, dtype=torch.bool)
        at = self.rivals_from
        mine[:, at:] = seat[:, at:] == self.learner_seat[:, at:]
        to = self.bots_from
        if at < to:
            theirs = self.network.act(words[:, at:to].contiguous(), self.rival_weights, self.always)[2]
            both = torch.where(mine[:, at:to], codes[:, at:to], theirs)
            codes = torch.cat([codes[:, :at], both, codes[:, to:]], 1)
        self.games.codes.copy_(codes.flatten())
        value = torch.cat([wins, margin[..., None]], -1)
        noted = (words, hidden, chosen, colour, logp, value, seat, mine)
        rooms = (self.words, self.hidden, self.chosen, self.colour, self.logp, self.value, self.seat, self.mine)
        for room, what in zip(rooms, noted, strict=True):
            room.index_copy_(1, self.at, what[:, None])

    def step_once(self) -> None:
        """Play what was chosen in all games, and note how those ended that did."""
        self.games.step()
        result = self.games.results.view(-1, len(self.maps), self.s.games).permute(1, 2, 0)
        self.result.index_copy_(1, self.at, result[:, None])
        self.at += 1

    def look(self) -> Any:
        """What the seats to act see, [maps, games, words]."""
        return self.games.seen.view(-1, len(self.maps), self.s.games).permute(1, 2, 0).contiguous()

    def seat_of(self, words: Any) -> Any:
        return self.network.seat_of(words)

    def outcome(self, t: int) -> Any:
        """How a game that ended at step t did for each seat [.., seats, PARTS]: who won, in its order; its margin."""
        result, players = self.result[:, t], self.players[..., None]
        won = (result[..., 1, None] >> self.order & 1).float()
        shares = won / won.sum(-1, keepdim=True).clamp_min(1)
        turn = (self.order[:, None] + self.order) % players[..., None]  # seat, then place in its order
        there = self.order < players
        by_seat = shares[..., None, :].expand(*shares.shape, k.SEATS).gather(-1, turn) * there[..., None, :]
        totals = result[..., 2:].float()
        mean = (totals.sum(-1, keepdim=True) - totals) / (players - 1)
        return torch.cat([by_seat, (0.01 * (totals - mean))[..., None]], -1)

    def chains(self, last: Any) -> None:
        """Advantages, targets of the values, and whether a choice counts; backwards through the round."""
        m, n = len(self.maps), self.s.games
        after = torch.zeros(m, n, k.SEATS, PARTS, device=last.device)
        carried = torch.zeros_like(after)
        closed = torch.zeros(m, n, k.SEATS, dtype=torch.bool, device=last.device)
        self._put(after, self.seat_after, last)
        closed.scatter_(-1, self.seat_after[..., None], True)
        gains, weight = torch.zeros_like(self.value), torch.zeros_like(self.logp)
        for t in range(self.s.steps - 1, -1, -1):
            done = self.result[:, t, :, 0] > 0
            after = torch.where(done[..., None, None], self.outcome(t), after)
            carried = torch.where(done[..., None, None], 0.0, carried)
            closed = closed | done[..., None]
            seat, value = self.seat[:, t], self.value[:, t]
            index = seat[..., None, None].expand(m, n, 1, PARTS)
            step = after.gather(2, index)[:, :, 0] - value
            weight[:, t] = closed.gather(-1, seat[..., None])[..., 0].float()
            gain = (step + self.s.blend * carried.gather(2, index)[:, :, 0]) * weight[:, t, :, None]
            gains[:, t] = gain
            self._put(after, seat, value)
            self._put(carried, seat, gain)
            closed.scatter_(-1, seat[..., None], True)
        weight *= self.mine
        self.weight.copy_(weight)
        self.gain.copy_(self.normed(gains[..., -1] + self.s.win * gains[..., 0], weight))
        self.target.copy_(gains + self.value)

    @staticmethod
    def _put(table: Any, seat: Any, value: Any) -> None:
        """table[.., seat, :] = value."""
        table.scatter_(2, seat[..., None, None].expand(*seat.shape, 1, PARTS), value[:, :, None])

    # ------------------------------------------------------------ learning

    def learn(self) -> dict[str, Any]:
        """Go once, or some times, through the round in random order."""
        rows, batches = self.s.steps * self.s.games, 0
        self.losses.zero_()
        for _ in range(self.s.epochs):
            order = torch.randperm(rows, device=self.network.device)
            for at in range(0, rows - self.s.batch + 1, self.s.batch):
                self.pick.copy_(order[at : at + self.s.batch])
                self.rate.fill_(self.now(self.s.rate, self.s.last_rate) * min(1.0, (self.learned + 1) / self.s.warm_up))
                self.entropy_weight.fill_(self.now(self.s.entropy, self.s.last_entropy))
                self._learn_once()
                self.learned += 1
                batches += 1
        self.decisions += len(self.maps) * rows
        return dict(zip(LOSSES, (self.losses / batches).tolist(), strict=True))

    @staticmethod
    def normed(gain: Any, weight: Any) -> Any:
        """Advantages of mean 0 and spread 1 on each map."""
        count = weight.sum((1, 2), keepdim=True).clamp_min(1)
        mean = (gain * weight).sum((1, 2), keepdim=True) / count
        spread = (((gain - mean) ** 2 * weight).sum((1, 2), keepdim=True) / count).sqrt()
        return (gain - mean) / (spread + 1e-6)

    def learn_once(self) -> None:
        """One step of the optimiser over the rows picked."""
        rooms = (self.words, self.hidden, self.chosen, self.colour, self.logp, self.gain, self.target, self.weight)
        words, hidden, chosen, colour, logp, gain, target, weight = (room.flatten(1, 2)[:, self.pick] for room in rooms)
        said = self.network.judge(words, hidden, chosen, colour, self.network.weights, self.known)
        weight = weight / weight.sum().clamp_min(1)
        change = said.logp - logp
        ratio = change.exp()
        low, high = 1 - self.s.clip, 1 + self.s.clip
        policy = -(torch.min(ratio * gain, ratio.clamp(low, high) * gain) * weight).sum()
        wins = (((said.wins - target[..., :-1]) ** 2).sum(-1) * weight).sum()
        margin = (functional.smooth_l1_loss(said.margin, target[..., -1], reduction="none") * weight).sum()
        entropy = (said.entropy * weight).sum()
        belief = (said.belief * weight).sum()
        loss = policy + wins + margin + self.s.belief * belief - self.entropy_weight * entropy
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(list(self.network.weights.values()), 0.5)
        self.optimiser.step()
        kl = ((ratio - 1 - change) * weight).sum()
        self.losses += torch.stack([wins, margin, entropy, kl, belief]).detach()

    # ------------------------------------------------------------ the past, and notes

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.start

    def now(self, first: float, last: float) -> float:
        """A number that changes evenly over the run."""
        return first + (last - first) * min(1.0, self.elapsed / (self.s.minutes * 60))

    def remember(self, older: Checkpoint | None = None) -> None:
        """Add a copy of the network, or an older one, to the pool; when it is full, drop one of the middle."""
        if older is None:
            self.pool.append(Past(self.decisions, self.network.frozen()))
        else:
            if older.shape != self.network.shape:
                raise ValueError(f"a network of the past has another shape: {older.shape}, not {self.network.shape}")
            twin = TorchNetwork(self.maps, older.shape, str(self.network.device), self.network.dtype)
            twin.load(older)
            self.pool.insert(0, Past(older.decisions, twin.frozen()))
        if len(self.pool) > POOL_MOST:
            del self.pool[self.random.randrange(1, len(self.pool) - 4)]

    def change_fans(self) -> None:
        """New maps in the places of those made up."""
        for slot in range(len(self.maps) - self.s.fans, len(self.maps)):
            data = fan_map(self.maps[slot].id, self.random)
            self.network.set_map(slot, data)
            self.games.set_map(slot, data)
            if self.bots:
                self.bots.set_map(slot, data)

    def meet(self, rival: Past) -> None:
        """Let a network of the past play from now on; its weights lie where the recorded steps look for them."""
        self.rival = rival
        for name, value in rival.weights.items():
            self.rival_weights[name].copy_(value)

    def choose_rival(self) -> Past:
        """Half of the time one of the latest, else any."""
        recent = self.pool[-4:]
        return self.random.choice(recent if self.random.random() < 0.5 else self.pool)

    def note(self, losses: dict[str, Any]) -> dict[str, Any]:
        """A line of the curve."""
        row: dict[str, Any] = {
            "gpu_s": round(self.seconds_before + self.elapsed, 1),
            "M": round(self.decisions / 1e6, 1),
            **{name: round(float(value), 4) for name, value in losses.items()},
            **self.tally.take(),
        }
        if self.bot_answers:
            row["bots"] = {"us": round(1e6 * self.bot_seconds / self.bot_answers, 1), "s": round(self.bot_seconds, 1)}
            self.bot_seconds, self.bot_answers = 0.0, 0
        self.curve.append(row)
        return row

    def checkpoint(self) -> Checkpoint:
        made = self.network.checkpoint()
        made.decisions, made.gpu_seconds = self.decisions, self.seconds_before + self.elapsed
        made.curve = self.curve
        return made


def record(work: Callable[[], None]) -> Callable[[], None]:
    """The same work as a CUDA graph: hundreds of small launches become one. It is done some times on the way."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(2):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay  # type: ignore[no-any-return]


def seat_bots(names: list[str], maps: list[MapData], threads: int) -> Bots:
    """Bots that answer on the CPU. They stand above the training, which they use: they come by name."""
    try:
        made: Bots = import_module("branchline.bots.compiled.answers").Answers(names, maps, threads)
    except ModuleNotFoundError as error:
        raise ValueError(f"bots need {error.name} to play against; --bot-share 0 trains without them") from error
    return made


class Tally:
    """What the games say since the last note: scores in self-play, wins against the past and against bots."""

    def __init__(self, maps: list[MapData], players: list[int]) -> None:
        self.names = [data.id for data in maps]
        self.players = players
        self.start, self.before = time.monotonic(), 0
        self.by_map: set[str] = set()  # what is told of each map by itself
        self.clear()

    def clear(self) -> None:
        self.sums: dict[str, Any] = {}

    def add(self, trainer: Trainer) -> None:
        done = trainer.result[..., 0] > 0
        totals = trainer.result[..., 2:].float()
        at = trainer.rivals_from
        for players in self.players:
            seats = trainer.players == players
            plain = done & seats[:, None]
            plain[:, :, at:] = False
            mean = totals[..., :players].mean(-1)
            best = totals[..., :players].max(-1).values
            self._count(f"{players}p", torch.stack([plain, mean * plain, best * plain]).sum((2, 3)))
            if at < trainer.bots_from:
                self._count_past(trainer, players, done, at)
            if trainer.bots:
                self._count_bots(trainer, players, done)
        self.decisions = trainer.decisions + done.numel()

    def _count_past(self, trainer: Trainer, players: int, done: Any, at: int) -> None:
        age = round(trainer.rival.decisions / 1e6)
        against, won = self._against(trainer, players, done, slice(at, trainer.bots_from))
        self._count(f"{players}p against {age}M", torch.stack([against, won]).sum((2, 3)))

    def _count_bots(self, trainer: Trainer, players: int, done: Any) -> None:
        against, won = self._against(trainer, players, done, slice(trainer.bots_from, trainer.s.games))
        for i, name in enumerate(trainer.s.bots.split(",")):
            there = (trainer.bot_at == i)[:, None]
            told = f"{players}p against {name}"
            self.by_map.add(told)
            self._count(told, torch.stack([against & there, won * there]).sum((2, 3)))

    @staticmethod
    def _against(trainer: Trainer, players: int, done: Any, which: slice) -> tuple[Any, Any]:
        """Games of so many players that ended, and the learner's share of each win; [maps, steps, games]."""
        against = done[:, :, which] & (trainer.players[:, None, which] == players)
        learner = trainer.learner_seat[:, None, which].expand_as(against)
        winners = trainer.result[:, :, which, 1]
        won = (winners >> learner & 1).float() / sum((winners >> q & 1) for q in range(k.SEATS)).clamp_min(1)
        return against, won * against

    def _count(self, name: str, value: Any) -> None:
        self.sums[name] = self.sums.get(name, 0) + value

    def take(self) -> dict[str, Any]:
        """The means by map, and the rate; then count anew."""
        found: dict[str, Any] = {}
        for name, value in self.sums.items():
            rows = value.double().tolist()
            if name in self.by_map:
                counts = zip(self.names, *rows, strict=True)
                found[name] = {of: [round(won / games, 3), int(games)] for of, games, won in counts if games}
            elif "against" in name:
                total = [sum(row) for row in rows]
                found[name] = [round(total[1] / total[0], 3) if total[0] else None, int(total[0])]
            else:
                for i, map_name in enumerate(self.names):
                    if games := rows[0][i]:
                        found[f"{map_name} {name}"] = [round(rows[1][i] / games, 1), round(rows[2][i] / games, 1)]
                found[f"games {name}"] = int(sum(rows[0]))
        now = time.monotonic()
        found["M/s"] = round((self.decisions - self.before) / (now - self.start) / 1e6, 3) if self.before else None
        self.start, self.before = now, self.decisions
        self.clear()
        return found
