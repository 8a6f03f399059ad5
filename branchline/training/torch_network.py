"""The network by torch, over batches [maps, batch]: choosing in many games at once, and what learning needs."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch
from torch.nn import functional

from branchline.maps.loader import load_map, shipped_maps
from branchline.maps.model import MAX_PLACES, MAX_TRACKS, MapData
from branchline.mechanics import composed as k
from branchline.training import facts
from branchline.training import network as net
from branchline.training import record as o
from branchline.training.boards import board_facts
from branchline.training.checkpoint import Checkpoint

FIELDS = {field.name: field for field in o.Observation.FIELDS}
FAR_BELOW = -1e9


class Torch:
    """The operations of network.py by torch."""

    relu = staticmethod(functional.relu)

    @staticmethod
    def cat(parts: list[Any], axis: int = -1) -> Any:
        return torch.cat(parts, axis)

    @staticmethod
    def dot(x: Any, w: Any) -> Any:
        return x @ w

    @staticmethod
    def stack(parts: list[Any]) -> Any:
        return torch.stack(parts, -1)

    @staticmethod
    def norm(x: Any) -> Any:
        wide = x.float()
        return (wide * torch.rsqrt((wide * wide).mean(-1, keepdim=True) + 1e-5)).to(x.dtype)

    @staticmethod
    def swap(x: Any, a: int, b: int) -> Any:
        return x.transpose(a, b)

    @staticmethod
    def columns(x: Any, index: Any) -> Any:
        return x.index_select(-1, index)

    @staticmethod
    def wide(w: Any) -> Any:
        """Eight columns instead of one: products of matrices like that are several times faster."""
        return functional.pad(w, (0, 7))

    @staticmethod
    def take(x: Any, index: Any) -> Any:
        return torch.gather(x, -1, index)


class Judged(NamedTuple):
    """What the network says of positions and of the choices made in them; [maps, batch] each."""

    logp: Any
    entropy: Any
    belief: Any  # how wrong it is about the tickets of the others
    wins: Any  # probabilities by seat, this one first
    margin: Any  # the expected final margin, in hundreds


class TorchNetwork:
    """A network for several maps at once. The maps' tables are padded to the largest."""

    def __init__(self, maps: list[MapData], shape: net.Shape, device: str, dtype: Any = torch.bfloat16) -> None:
        self.maps, self.shape, self.device, self.dtype = list(maps), shape, torch.device(device), dtype
        made_up = any(data.id not in shipped_maps() for data in maps)
        room = [*maps, *map(load_map, shipped_maps())] if made_up else maps  # a piece of any of them may come
        raw = [board_facts(data) for data in room]
        self.tracks = eights(max(board.n_tracks for board in raw))
        self.places = eights(max(board.n_places for board in raw))
        self.tickets = eights(max(board.n_tickets for board in raw) + 1) - 1
        told = [board_facts(data, self.tracks, self.places, self.tickets) for data in maps]
        self.board = {name: self._stacked(told, name) for name in ("tracks", "places", "ends")}
        self.board["ends back"] = self.board["ends"].transpose(1, 2).contiguous()
        self.board["here"] = self._stacked(told, "here")[:, :, None]
        self.board["place here"] = self._stacked(told, "place_here")[:, :, None]
        self.board["ticket ends"] = self.ticket_ends = self._stacked(told, "ticket_ends")
        self.board["ticket facts"] = self._stacked(told, "tickets")
        self.length = torch.stack([torch.from_numpy(f.length) for f in told]).to(self.device)
        shipped = [float(data.id in shipped_maps()) for data in maps]  # others have no weights of their own
        self.owned = torch.tensor(shipped, device=self.device, dtype=dtype)[:, None, None]
        names = ("sets", "pairs", "sizes")
        for name, table in zip(names, net.set_tables(), strict=True):
            self.board[name] = torch.from_numpy(table.T.copy()).to(self.device, dtype)
        self.board["misc from"] = torch.tensor(net.MISC_FROM, device=self.device)
        self.scales = {
            name: torch.tensor(row, device=self.device, dtype=dtype) for name, row in net.all_scales().items()
        }
        self.shifts = torch.arange(k.BITS, device=self.device)
        self.ticket_numbers = torch.arange(self.tickets + 1, device=self.device)
        self.place_numbers = 1 + torch.arange(self.places, device=self.device)
        self.evaluate: Any = net.evaluate
        self.believe: Any = net.believe
        self.weights = self._fresh()

    def _stacked(self, boards: list[Any], name: str) -> Any:
        return torch.stack([torch.from_numpy(getattr(f, name)) for f in boards]).to(self.device, self.dtype)

    def set_map(self, slot: int, data: MapData) -> None:
        """Another map in the place of one that is not shipped; the tables stay where recorded steps look for them."""
        told = board_facts(data, self.tracks, self.places, self.tickets)
        tables = {name: getattr(told, name) for name in ("tracks", "places", "ends")}
        tables |= {
            "ends back": told.ends.T.copy(),
            "here": told.here[:, None],
            "place here": told.place_here[:, None],
        }
        for name, table in tables.items():
            self.board[name][slot].copy_(torch.from_numpy(table))
        self.ticket_ends[slot].copy_(torch.from_numpy(told.ticket_ends))
        self.board["ticket facts"][slot].copy_(torch.from_numpy(told.tickets))
        self.length[slot].copy_(torch.from_numpy(told.length))
        self.maps[slot] = data

    def compile(self) -> None:
        """Let torch compile the pass."""
        self.evaluate = torch.compile(net.evaluate, dynamic=False)
        self.believe = torch.compile(net.believe, dynamic=False)

    # ------------------------------------------------------------ weights

    def _fresh(self) -> dict[str, Any]:
        generator = torch.Generator().manual_seed(1)
        found = {}
        for name, size in net.weight_shapes(self.shape).items():
            value = torch.zeros(size)
            if len(size) == 2:
                spread = math.sqrt((0.02 if name.endswith(".out") else 2.0) / size[0])
                value = torch.randn(size, generator=generator) * spread
            if name == "trunk.errands":  # so that one trained without them plays as before
                value = torch.zeros(size)
            found[name] = value
        for part, size in net.map_shapes(self.shape, self.tracks, self.places, self.tickets).items():
            found[f"own {part}"] = torch.zeros(len(self.maps), *size)
        return {name: value.to(self.device).requires_grad_() for name, value in found.items()}

    def load(self, checkpoint: Checkpoint) -> None:
        with torch.no_grad():
            for name, value in checkpoint.weights.items():
                self.weights[name].copy_(torch.from_numpy(value))
            for m, data in enumerate(self.maps):
                for part, value in checkpoint.maps.get(data.id, {}).items():
                    self.weights[f"own {part}"][m, : len(value)].copy_(torch.from_numpy(value))

    def checkpoint(self) -> Checkpoint:
        host = {name: value.detach().float().cpu().numpy() for name, value in self.weights.items()}
        own = {}
        for m, data in enumerate(self.maps):
            if data.id not in shipped_maps():
                continue
            counts = {"tracks": len(data.tracks), "places": len(data.places), "tickets": 1 + len(data.tickets)}
            own[data.id] = {part: host[f"own {part}"][m, :n] for part, n in counts.items()}
        shared = {name: value for name, value in host.items() if not name.startswith("own ")}
        return Checkpoint(self.shape, shared, own)

    def frozen(self) -> dict[str, Any]:
        """A copy of the weights as they are."""
        return {name: value.detach().to(self.dtype).clone() for name, value in self.weights.items()}

    # ------------------------------------------------------------ one pass

    def _field(self, words: Any, name: str, width: int = 0) -> Any:
        """A field of observations [maps, batch, words] as [maps, batch, n] or [maps, batch, n, width]."""
        field = FIELDS[name]
        piece = words.view(torch.int8)[..., field.offset : field.offset + (field.length or 1)]
        return piece.unflatten(-1, (-1, width)) if width else piece

    def seat_of(self, words: Any) -> Any:
        return self._field(words, "seat")[..., 0].long()

    def _tokens(self, words: Any, name: str, count: int) -> Any:
        """The rows of tokens [maps, count, batch, rows]."""
        rows = self._field(words, name, net.WIDTHS[name])[:, :, :count].transpose(1, 2)
        rows = functional.pad(rows, (0, eights(rows.shape[-1]) - rows.shape[-1])) if name == "cards" else rows
        return rows.to(self.dtype, memory_format=torch.contiguous_format)

    def see(self, words: Any, w: dict[str, Any], known: Any) -> dict[str, Any]:
        """The inputs of a pass."""
        table = torch.cat([self._field(words, "table"), self._field(words, "seats")], -1)
        which = (self._field(words, "slots")[..., None] == self.ticket_numbers).to(self.dtype)
        maps, batch, slots, _ = which.shape
        flat = which.view(maps, batch * slots, -1)
        return {
            "tracks": self._tokens(words, "tracks", self.tracks),
            "places": self._tokens(words, "places", self.places),
            "tickets": self._tokens(words, "tickets", o.SLOTS),
            "cards": self._tokens(words, "cards", k.CARDS),
            "terrain": self._tokens(words, "terrain", k.TERRAIN_UP),
            "facts": functional.pad(table, (0, eights(table.shape[-1]) - table.shape[-1])).to(self.dtype),
            "errands": self._tokens(words, "errands", facts.ERRANDS),
            "errand ends": self._ends_of_errands(words),
            "display": (self._field(words, "display").long() - 1).clamp_min(0),
            "ticket ends": (flat @ self.ticket_ends).view(maps, batch, slots, -1),
            "own tickets": (flat @ (w["own tickets"] * known)).view(maps, batch, slots, -1).transpose(1, 2),
        }

    def _ends_of_errands(self, words: Any) -> Any:
        """[maps, batch, errands, places]: 1 for the two places of each."""
        ends = (self._field(words, name)[..., None] == self.place_numbers for name in ("errand_from", "errand_to"))
        return sum(end.to(self.dtype) for end in ends)

    def choices(self, words: Any, weights: dict[str, Any], known: Any) -> net.Choices:
        w = net.prepare(Torch.cat, {name: value.to(self.dtype) for name, value in weights.items()}, self.scales)
        for name in ("cards.in", "table.in", "trunk.facts"):
            w[name] = functional.pad(w[name], (0, 0, 0, eights(len(w[name])) - len(w[name])))
        more = (0, eights(w["heads"].shape[-1]) - w["heads"].shape[-1])
        w["heads"], w["heads.bias"] = functional.pad(w["heads"], more), functional.pad(w["heads.bias"], more)
        known = known * self.owned
        board = {**self.board, "own tracks": w["own tracks"] * known, "own places": w["own places"] * known}
        found: net.Choices = self.evaluate(Torch, w, self.see(words, w, known), board)
        return found

    def logits(self, words: Any, choices: net.Choices) -> Any:
        """Log-probabilities of what is open: the bits of MISC, tracks, places, sets of tickets."""
        at = FIELDS["open"].offset // 8
        opened = (words[..., at : at + o.OPEN_WORDS, None] >> self.shifts) & 1
        misc, places, sets = (opened[..., i, :] for i in (o.OPEN_MISC, o.OPEN_PLACES, o.OPEN_SETS))
        tracks = opened[..., o.OPEN_TRACKS : o.OPEN_PLACES, :].flatten(-2)
        mask = torch.cat([misc, tracks[..., : self.tracks], places[..., : self.places], sets], -1)
        raw = torch.cat([choices.misc, choices.tracks, choices.places, choices.sets], -1).float()
        return functional.log_softmax(raw.masked_fill(mask == 0, FAR_BELOW), -1)

    def colours(self, words: Any, weights: dict[str, Any], choices: net.Choices, chosen: Any) -> Any:
        """Log-probabilities [.., cards] of the colours that pay for a chosen track or station; else of one alone."""
        track, place = chosen - k.BITS, chosen - k.BITS - self.tracks
        is_track = (track >= 0) & (place < 0)
        is_place = (place >= 0) & (place < self.places)
        track, place = track.clamp(0, self.tracks - 1), place.clamp(0, self.places - 1)
        menu = words[..., : k.MENU]
        rows = k.CLAIM + torch.arange(k.CARDS, device=self.device) * k.TRACK_WORDS
        claims = menu.gather(-1, rows + (track // k.BITS)[..., None]) >> (track % k.BITS)[..., None]
        stations = menu[..., k.STATION : k.STATION + k.CARDS] >> place[..., None]
        first = torch.arange(k.CARDS, device=self.device) == 0
        mask = torch.where(
            is_track[..., None], claims & 1, torch.where(is_place[..., None], stations & 1, first.long())
        )
        length = torch.where(is_track, self.length.gather(1, track), 1).to(self.dtype)
        hand = self._field(words, "cards", o.CARD_N)[..., 0].transpose(1, 2).to(self.dtype)
        w = {name: value.to(self.dtype) for name, value in weights.items() if name.startswith("pay.")}
        raw = net.pay(Torch, w, choices, hand, length).float()
        return functional.log_softmax(raw.masked_fill(mask == 0, FAR_BELOW), -1)

    def codes(self, chosen: Any, colour: Any) -> Any:
        """The kernel's codes of choices."""
        track = chosen - k.BITS
        place = track - self.tracks
        kept = place - self.places
        claim = k.WORD * (k.CLAIM + k.TRACK_WORDS * colour + track // k.BITS) + track % k.BITS
        code = torch.where(track < 0, chosen, claim)
        code = torch.where(place >= 0, k.WORD * (k.STATION + colour) + place, code)
        return torch.where(kept >= 0, k.WORD * k.KEEP + kept, code)

    def belief_loss(self, words: Any, hidden: Any, choices: net.Choices, weights: dict[str, Any], known: Any) -> Any:
        """How wrong the network is, [maps, batch], about the tickets of the others: a mean over tickets and seats."""
        w = {name: value.to(self.dtype) for name, value in weights.items() if name.startswith("belief.")}
        board = {name: self.board[name] for name in ("ticket ends", "ticket facts")}
        board["own tickets"] = weights["own tickets"].to(self.dtype) * known * self.owned
        slots = self._field(words, "slots")
        mine = (slots[:, None] == self.ticket_numbers[:, None, None]).any(-1)[..., None].to(self.dtype)
        logits = self.believe(Torch, w, choices, board, mine).float()  # [maps, 1 + tickets, batch, others]
        bits = (hidden[..., None] >> self.shifts) & 1  # [maps, batch, words, bits]
        held = bits.unflatten(2, (k.SEATS - 1, -1)).flatten(-2)[..., : self.tickets].permute(0, 3, 1, 2).float()
        others = (self._field(words, "seats", o.SEAT_N)[:, :, 1:, 0] > 0)[:, None]
        there = others & (self.board["ticket facts"][:, 1:, :1, None] > 0)
        wrong = functional.binary_cross_entropy_with_logits(logits[:, 1:], held, reduction="none") * there
        return wrong.sum((1, 3)) / there.sum((1, 3)).clamp_min(1)

    def values(self, words: Any, choices: net.Choices) -> tuple[Any, Any]:
        """Win probabilities by seat, this one first, and the expected final margin."""
        here = self._field(words, "seats", o.SEAT_N)[..., 0] > 0
        wins = functional.softmax(choices.wins.float().masked_fill(~here, FAR_BELOW), -1)
        at = FIELDS["points"].offset // 2
        points = words.view(torch.int16)[..., at : at + k.SEATS].float()
        players = here.sum(-1)
        now = (points[..., 0] - (points.sum(-1) - points[..., 0]) / (players - 1)) * 0.01
        return wins, now + choices.margin.float()

    def act(self, words: Any, weights: dict[str, Any], known: Any, dice: bool = True) -> tuple[Any, ...]:
        """Choose in every game: (chosen, colour, codes, logp, wins, margin); without dice what is likeliest."""
        choices = self.choices(words, weights, known)
        logp = self.logits(words, choices)
        chosen = _sample(logp) if dice else logp.argmax(-1)
        colours = self.colours(words, weights, choices, chosen)
        colour = _sample(colours) if dice else colours.argmax(-1)
        total = logp.gather(-1, chosen[..., None])[..., 0] + colours.gather(-1, colour[..., None])[..., 0]
        return chosen, colour, self.codes(chosen, colour), total, *self.values(words, choices)

    def judge(self, words: Any, hidden: Any, chosen: Any, colour: Any, weights: dict[str, Any], known: Any) -> Judged:
        """What the network says now of choices made before."""
        choices = self.choices(words, weights, known)
        logp = self.logits(words, choices)
        colours = self.colours(words, weights, choices, chosen)
        total = logp.gather(-1, chosen[..., None])[..., 0] + colours.gather(-1, colour[..., None])[..., 0]
        entropy = _entropy(logp) + _entropy(colours)
        belief = self.belief_loss(words, hidden, choices, weights, known)
        return Judged(total, entropy, belief, *self.values(words, choices))


def eights(n: int) -> int:
    """The next multiple of eight: matrices of other sizes take slow ways through the GPU."""
    return (n + 7) // 8 * 8


def _sample(logp: Any) -> Any:
    noise = torch.rand_like(logp).clamp_(1e-9, 1 - 1e-7)
    return (logp - torch.log(-torch.log(noise))).argmax(-1)


def _entropy(logp: Any) -> Any:
    return -(logp.exp() * logp.clamp_min(-30)).sum(-1)


assert MAX_TRACKS == k.BITS * k.TRACK_WORDS and MAX_PLACES == k.BITS
