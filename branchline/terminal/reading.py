"""Reading what a player types: the notation, and friendlier ways to say the same.

A line becomes actions by what the player sees, not by what is legal: the engine judges, and its refusal is the answer.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from branchline import actions as a
from branchline.maps.model import CARDS, COLOURS, GRAY, LOCO, Track
from branchline.notation import BadNotation, read_action
from branchline.terminal.facts import double_options, festival_ends, is_open, loco_range, payment_in_words
from branchline.terminal.labels import LETTERS, Labels, card_word, folded, listed
from branchline.terminal.places import FILLERS, LONGEST, PlaceFinder
from branchline.terminal.plan import Ask, Do, Option, Reading, Refuse, Run, Say, numbered
from branchline.terminal.words import COMMANDS, VERBS, command_of
from branchline.view import View

LOCO_WORDS = frozenset(
    ("l", "loco", "locos", "locomotive", "locomotives", "wild", "wilds", "joker", "jokers", "engine", "engines")
)
DECK_WORDS = frozenset(("deck", "blind", "top"))
YES, NO = frozenset(("y", "yes", "pay", "ok")), frozenset(("n", "no", "decline", "nothing", "none"))
_OTHER_NAMES = {"pink": "purple", "violet": "purple", "magenta": "purple"}
_NOTATION = frozenset(verb for verb in VERBS if " " not in verb)


def colour_of(word: str, least: int = 1) -> str | None:
    """The card a word means: its name, its letter, or a beginning of at least three letters."""
    if word in LOCO_WORDS and len(word) >= least:
        return LOCO
    if len(word) < least:
        return None
    letter = next((c for c in COLOURS if LETTERS[c].lower() == word), None)
    name = _OTHER_NAMES.get(word, word)
    long = [c for c in COLOURS if c.startswith(name)] if len(name) >= 3 else []
    return letter or (long[0] if len(long) == 1 else None)


@dataclass(slots=True)
class Payment:
    """What is said about how to pay, beside the place: everything may be missing."""

    colour: str | None = None
    cards: int | None = None
    locos: int | None = None
    index: int | None = None
    doubled: bool | None = None
    double_locos: int | None = None
    festival: str | None = None


class NotUnderstood(ValueError):
    """Words that are no payment; the message says which."""


class Mixed(NotUnderstood):
    """Two colours for one track (C-22)."""


class Reader:
    """Reads the lines of one player at one moment."""

    def __init__(
        self,
        view: View,
        actions: Sequence[a.Action],
        labels: Labels,
        finder: PlaceFinder,
        menu: Sequence[Option] = (),
        marks: Sequence[str] = (),
    ) -> None:
        self.view, self.actions, self.labels, self.finder = view, actions, labels, finder
        self.menu = {option.key: option for option in menu}
        self.marks = marks

    def read(self, line: str) -> Reading:
        """What a line comes to."""
        text = folded(line)
        if not text:
            return Say("")
        command = command_of(text)
        if command:
            return Run(command[0], _raw_rest(line) if command[1] else "")
        for attempt in (self._by_number, self._by_notation, self._by_choice, self._by_verb, self._bare):
            reading = attempt(text, line)
            if reading is not None:
                return reading
        return self._unknown(text)

    # ------------------------------------------------------------ numbers and notation

    def _by_number(self, text: str, line: str) -> Reading | None:
        if text in self.menu:
            return self.menu[text].reading
        if text.isdigit() and not self._offers():
            return Say(f"There is no choice {text} now. Type menu to see what there is.")
        return None

    def _by_notation(self, text: str, line: str) -> Reading | None:
        if text.partition(" ")[0] not in _NOTATION:
            return None
        try:
            return Do((read_action(line.strip().casefold(), self.view.map),))
        except BadNotation:
            return None

    # ------------------------------------------------------------ choices that an action has opened

    def _by_choice(self, text: str, line: str) -> Reading | None:
        """Short answers to the question that is open now."""
        kinds = {type(action) for action in self.actions}
        if kinds & {a.KeepTickets, a.ReturnTicket, a.PickTicket}:
            return self._tickets(text, line)
        if kinds & {a.PlayLocos, a.Decline}:
            return self._locos(text)
        if a.SinglePoints in kinds:
            return self._double(text)
        if a.TakeFestivals in kinds:
            return self._festival(text)
        return None

    def _offers(self) -> list[str]:
        """The tickets to choose from now, in the order in which they are numbered."""
        return offered(self.view, self.actions)

    def _tickets(self, text: str, line: str) -> Reading | None:
        verb, _, rest = text.partition(" ")
        if verb in ("keep", "k", "return", "take", "pick"):
            line, text = _raw_rest(line), rest
        elif self._is_about_something_else(text):
            return None
        if not text and self.marks:
            return self._choose_tickets([t for t in self._offers() if t in self.marks])
        if not text:
            return Say(f"Which tickets? Write their numbers, for example {verb} 1.")
        if text in ("any", "ok", "rest") and a.KeepTickets not in {type(action) for action in self.actions}:
            return Do((self.actions[0],)) if len(self.actions) < 3 else Do((self.actions[0], "any"))
        found = self._ticket_list(line)
        return found if isinstance(found, Say) else self._choose_tickets(found)

    def _is_about_something_else(self, text: str) -> bool:
        return text.split()[0] in {*_NOTATION, "d", "c", "dt", "build", "tickets"} - {"keep", "return", "take"}

    def _choose_tickets(self, tickets: list[str]) -> Reading:
        if any(isinstance(action, a.KeepTickets) for action in self.actions):
            return Do((a.KeepTickets(tuple(t for t in self._offers() if t in tickets)),))
        if len(tickets) != 1:
            return Say("One ticket at a time, please.")
        if any(isinstance(action, a.PickTicket) for action in self.actions):
            return Do((a.PickTicket(tickets[0]),))
        return Do((a.ReturnTicket(tickets[0]),))

    def _ticket_list(self, line: str) -> list[str] | Say:
        if folded(line) in ("all", "both", "everything"):
            return self._offers()
        found: list[str] = []
        for part in re.split(r",|;|&|\+|\band\b", line):
            words = folded(part).split()
            if all(word.isdigit() for word in words):
                picked = [self._ticket_by_number(int(word)) for word in words]
            else:
                picked = [self._ticket_by_name(words)]
            for ticket in picked:
                if isinstance(ticket, Say):
                    return ticket
                found.append(ticket)
        return list(dict.fromkeys(found))

    def _ticket_by_number(self, number: int) -> str | Say:
        offers = self._offers()
        if 1 <= number <= len(offers):
            return offers[number - 1]
        return Say(f"There is no ticket {number}: they are numbered 1 to {len(offers)}.")

    def _ticket_by_name(self, words: list[str]) -> str | Say:
        said = " ".join(words)
        words = [word for word in words if word not in FILLERS]
        fitting = [t for t in self._offers() if self._fits(words, t)]
        if len(fitting) == 1:
            return fitting[0]
        names = listed([self.labels.ticket(t) for t in fitting or self._offers()], "or")
        if fitting:
            return Say(f'"{said}" can be {names}. Write the number.')
        return Say(f'No offered ticket is called "{said}". They are {names}.')

    def _fits(self, words: list[str], ticket: str) -> bool:
        name = folded(f"{self.labels.ticket(ticket)} {ticket}").split()
        return bool(words) and all(any(part.startswith(word) for part in name) for word in words)

    def _locos(self, text: str) -> Reading | None:
        words = text.split()
        pays = [x for x in self.actions if isinstance(x, a.PlayLocos)]
        if words[0] in YES and len(words) == 1:
            return (
                Do((pays[0],))
                if len(pays) == 1
                else Say("How many locomotives? Write the number." if pays else "You cannot pay: decline.")
            )
        if words[0] in NO and a.Decline() in self.actions:
            return Do((a.Decline(),))
        try:
            payment = self._payment([w for w in words if w not in FILLERS and w != "pay"])
        except NotUnderstood:
            return None
        if payment.locos is None and payment.cards is not None:
            fitting = [p.count for p in pays if self._due() - p.count == payment.cards]
            payment.locos = fitting[0] if fitting else None
        return Do((a.PlayLocos(payment.locos),)) if payment.locos is not None else None

    def _due(self) -> int:
        """How many cards the open payment takes together."""
        if a.Decline() in self.actions:
            return self.view.tunnel_extra
        pending = self.view.pending_track
        return self.labels.tracks[pending].length if pending else len(self.view.me.stations) + 1

    def _double(self, text: str) -> Reading | None:
        if text in NO or text == "single":
            return Do((a.SinglePoints(),))
        if text in YES or text == "double":
            ways = [x for x in self.actions if isinstance(x, a.DoublePoints)]
            return Do((ways[0],)) if len(ways) == 1 else Say("With how many locomotives? Choose by number, see menu.")
        return None

    def _festival(self, text: str) -> Reading | None:
        words = tuple(w for w in text.split() if w not in FILLERS and w != "festival")
        ends = [x.place for x in self.actions if isinstance(x, a.TakeFestivals)]
        fitting = [p for p in ends if p in self.finder.ranks(words)] if words else []
        return Do((a.TakeFestivals(fitting[0]),)) if len(fitting) == 1 else None

    # ------------------------------------------------------------ what a turn begins with

    def _by_verb(self, text: str, line: str) -> Reading | None:
        if text in ("draw tickets", "draw ticket", "new tickets", "new ticket", "dt"):
            return Do((a.DrawTickets(),))
        words = text.split()
        verb, rest = words[0], [w for w in words[1:] if w not in FILLERS]
        if verb in ("draw", "d", "pick", "take", "terrain"):
            return self._draw(rest if verb != "terrain" else ["terrain", *rest])
        if verb in ("claim", "c", "build") and rest[:1] != ["station"]:
            return self._claim(rest, said="claim")
        if verb in ("station", "build"):
            return self._station(rest[1:] if verb == "build" else rest)
        return None

    def _bare(self, text: str, line: str) -> Reading | None:
        """A line without a verb: cards to draw, two places, or one place to look at."""
        words = [w for w in text.split() if w not in FILLERS]
        if words and all(w in DECK_WORDS or w in self._terrain_words() or colour_of(w, 3) for w in words):
            return self._draw(words)
        if words and self.finder.best(tuple(words)):
            return Run("tracks", text)
        return self._claim(words, said="") if len(words) > 1 else None

    # ------------------------------------------------------------ drawing

    def _terrain_words(self) -> dict[str, str]:
        return {folded(name).split()[0]: kind for kind, name in self.labels.terrains.items()}

    def _draw(self, words: list[str]) -> Reading:
        items = _draw_items(words)
        if not items:
            return Ask("Draw what?", tuple(o for o in self.menu.values() if _is_draw(o)))
        if len(items) > 2:
            return Say("A turn is two cards at the most.")
        first = self._draw_item(items[0])
        if isinstance(first, Say):
            return first
        return Do((first, *(f"draw {item}" for item in items[1:])))

    def _draw_item(self, item: str) -> a.Action | Say:
        if item in DECK_WORDS:
            return a.DrawDeck()
        if item.isdigit():
            return a.DrawDisplay(int(item[:3]))
        if item.startswith("terrain"):
            return self._terrain_item(item.partition(" ")[2])
        kind = self._terrain_words().get(item)
        if kind is not None:
            return self._terrain_item(item)
        card = colour_of(item)
        if card is None:
            return Say(f'"{item}" is no card{_near(item, (*CARDS, "deck", "tickets", *self._terrain_words()))}.')
        if card in self.view.display:
            return a.DrawDisplay(self.view.display.index(card) + 1)
        return Say(f"There is no {card_word(card)} in the display; there are {self._display_words()}.")

    def _display_words(self) -> str:
        return listed([card_word(c) for c in self.view.display if c]) or "no cards"

    def _terrain_item(self, word: str) -> a.Action | Say:
        if word in DECK_WORDS:
            return a.DrawTerrain()
        if word.isdigit():
            return a.TakeTerrain(int(word[:3]))
        kind = self._terrain_words().get(word)
        if kind in self.view.terrain_display:
            return a.TakeTerrain(self.view.terrain_display.index(kind) + 1)
        if not self.view.map.terrain:
            return a.DrawTerrain()  # refused by the engine, with its clause
        shown = listed([self.labels.terrain(t) for t in self.view.terrain_display if t]) or "nothing"
        return Say(f"Face up lies {shown}. Write terrain 1, terrain 2 or terrain deck.")

    # ------------------------------------------------------------ claiming

    def _claim(self, words: list[str], said: str) -> Reading | None:
        if not words:
            return Say("Which track? Write its two places; claims lists those you can pay for.")
        try:
            pairs = self._pairs(words)
        except Mixed as mixed:
            return Refuse("C-22", str(mixed))
        if not pairs:
            return self._no_track(words, said)
        readings = [self._claim_pair(tracks, payment) for tracks, payment in pairs]
        if len(readings) == 1:
            return readings[0]
        options = [
            (self.labels.track(tracks[0].id), reading) for (tracks, _), reading in zip(pairs, readings, strict=True)
        ]
        return Ask("Which of these?", numbered(options))

    def _pairs(self, words: list[str]) -> list[tuple[list[Track], Payment]]:
        """The tracks that the words can mean, best readings only, each with what is said about the payment."""
        found: list[tuple[int, list[Track], Payment]] = []
        mixed: Mixed | None = None
        for i in range(1, min(LONGEST, len(words) - 1) + 1):
            for j in range(i + 1, min(i + LONGEST, len(words)) + 1):
                near = self.finder.ranks(tuple(words[:i])), self.finder.ranks(tuple(words[i:j]))
                routes = self._routes(*near)
                if not routes:
                    continue
                try:
                    payment = self._payment(words[j:])
                except Mixed as wrong:
                    mixed = wrong
                except NotUnderstood:
                    continue
                else:
                    found += [(rank, tracks, payment) for rank, tracks in routes]
        if not found and mixed:
            raise mixed
        best = min((rank for rank, _, _ in found), default=0)
        return [(tracks, payment) for rank, tracks, payment in found if rank == best]

    def _routes(self, near: dict[str, int], far: dict[str, int]) -> list[tuple[int, list[Track]]]:
        routes = []
        for one, other in product(near, far):
            tracks = [t for t in self.view.map.tracks if {t.a, t.b} == {one, other}]
            if tracks:
                routes.append((near[one] + far[other], tracks))
        return routes

    def _claim_pair(self, tracks: list[Track], payment: Payment) -> Reading:
        wished = [t for t in tracks if payment.index is None or t.id.endswith(f"-{payment.index}")]
        claims = [
            action
            for action in self.actions
            if isinstance(action, a.ClaimTrack)
            and any(t.id == action.track for t in wished)
            and _pays(action, payment, self)
        ]
        options = self._distinct([plan for claim in claims for plan in self._claim_plans(claim, payment)])
        if len(options) == 1:
            return options[0][1]
        if options:
            return Ask("How do you pay?", numbered(options))
        return self._refused_claim(wished or tracks, payment)

    def _distinct(self, options: list[tuple[str, Reading]]) -> list[tuple[str, Reading]]:
        """Parallel tracks alike in everything are one choice."""
        return list({text: (text, reading) for text, reading in reversed(options)}.values())[::-1]

    def _claim_plans(self, claim: a.ClaimTrack, payment: Payment) -> list[tuple[str, Reading]]:
        """The ways to carry out a claim as wished, each with its words."""
        least, most = loco_range(self.view, claim)
        track = self.labels.tracks[claim.track]
        locos = _wished_locos(track.length, claim.colour, payment)
        counts = (
            [locos]
            if locos is not None
            else [None]
            if payment.doubled is None or least == most
            else range(least, most + 1)
        )
        plans: list[tuple[str, Reading]] = []
        for count in counts:
            shown = least if count is None else count
            paid = payment_in_words(track.length, claim.colour, shown)
            said = f"{self.labels.pair(track.a, track.b)} ({track.colour}) with {paid}"
            choice = (a.PlayLocos(count),) if count is not None and least < most else ()
            plans.append((said, self._with_extras((claim, *choice), track, shown, payment)))
        return plans

    def _with_extras(self, steps: tuple[a.Action, ...], track: Track, locos: int, payment: Payment) -> Reading:
        """Add what was said about doubling and festival cards."""
        ways = double_options(self.view, track.id, locos)
        if payment.doubled:
            wish = payment.double_locos if payment.double_locos is not None else min(ways, default=0)
            if wish not in ways:
                return self._cannot_double(track, wish, ways)
            steps = (*steps, a.DoublePoints(wish))
        elif payment.doubled is False and ways:
            steps = (*steps, a.SinglePoints())
        if payment.festival and festival_ends(self.view, track):
            if payment.festival not in (track.a, track.b):
                return Refuse("IBE-14", f"{self.labels.place(payment.festival)} is no end of this track")
            steps = (*steps, a.TakeFestivals(payment.festival))
        return Do(steps)

    def _cannot_double(self, track: Track, wish: int, ways: list[int]) -> Refuse:
        if ways:
            return Refuse(
                "AFR-13", f"this can be doubled with {listed([str(n) for n in ways], 'or')} locomotives, not {wish}"
            )
        if not self.view.map.terrain:
            return Refuse("AFR-09", "this map has no terrain cards to double with")
        kind = next(t for t in self.view.map.terrain.types if track.colour in t.colours)
        others = max(p.terrain.get(kind.id, 0) for p in self.view.players if p.seat != self.view.reader)
        mine = self.view.me.terrain.get(kind.id, 0)
        name = self.labels.terrain(kind.id)
        return Refuse(
            "AFR-11", f"you have {mine} {name} cards and too few locomotives; another player has up to {others}"
        )

    def _refused_claim(self, tracks: list[Track], payment: Payment) -> Reading:
        """Let the engine say what is wrong with the likeliest meaning."""
        by_wish = sorted(
            tracks, key=lambda t: (not is_open(self.view, t.id), payment.colour not in (None, LOCO, t.colour))
        )
        track = by_wish[0]
        colour = payment.colour or (self._best_colour() if track.colour == GRAY else track.colour)
        if colour == LOCO and track.colour != GRAY:
            colour = track.colour
        claim = a.ClaimTrack(track.id, colour)
        if claim not in self.actions:
            return Do((claim,))
        least, most = loco_range(self.view, claim)
        wish = _wished_locos(track.length, colour, payment)
        return Refuse("C-21", f"this claim takes {least} to {most} locomotives of your hand, not {wish}")

    def _best_colour(self) -> str:
        """The colour of which the player has most."""
        hand = self.view.me.hand
        return max(COLOURS, key=lambda c: hand.get(c, 0))

    def _no_track(self, words: list[str], said: str) -> Reading | None:
        """Two places without a track between them, one place, or nothing known."""
        for i in range(len(words), 0, -1):
            here = self.finder.best(tuple(words[:i]))
            if here:
                return self._no_way(here[0], words[i:])
        return self._unknown(" ".join(words)) if said else None

    def _no_way(self, here: str, rest: list[str]) -> Say:
        """One place is known; what is wrong with what follows."""
        for j in range(len(rest), 0, -1):
            there = self.finder.best(tuple(rest[:j]))
            if there and not self._routes({here: 0}, dict.fromkeys(there, 0)):
                pair = f"{self.labels.place(here)} and {self.labels.place(there[0])}"
                return Say(f"There is no track between {pair}. {self._at(here)}")
            if there:
                return Say(f'I do not understand "{" ".join(rest[j:])}". Write the colour, and 1 loco or the like.')
        return Say(f"And where to? {self._at(here)}") if not rest else self._unknown(" ".join(rest))

    def _at(self, place: str) -> str:
        far = [t.b if t.a == place else t.a for t in self.view.map.tracks if place in (t.a, t.b)]
        names = listed([self.labels.place(p) for p in dict.fromkeys(far)])
        return f"Tracks lead from {self.labels.place(place)} to {names}."

    # ------------------------------------------------------------ stations

    def _station(self, words: list[str]) -> Reading:
        if not self.view.map.stations:
            return Do((a.BuildStation(self.view.map.places[0].id, LOCO),))  # refused by the engine, with its clause
        for i in range(min(LONGEST, len(words)), 0, -1):
            places = self.finder.best(tuple(words[:i]))
            if not places:
                continue
            try:
                payment = self._payment(words[i:])
            except Mixed as mixed:
                return Refuse("EUR-06", str(mixed))
            except NotUnderstood:
                continue
            options = [self._station_at(place, payment) for place in places]
            if len(options) == 1:
                return options[0]
            return Ask("Where?", numbered([(self.labels.place(p), o) for p, o in zip(places, options, strict=True)]))
        return (
            Say("Where? Write station and the city, for example station paris red.")
            if not words
            else self._unknown(" ".join(words))
        )

    def _station_at(self, place: str, payment: Payment) -> Reading:
        price = len(self.view.me.stations) + 1
        options: list[tuple[str, Reading]] = []
        for action in self.actions:
            if isinstance(action, a.BuildStation) and action.place == place and payment.colour in (None, action.colour):
                least, most = loco_range(self.view, action)
                locos = _wished_locos(price, action.colour, payment)
                if locos is None or least <= locos <= most:
                    steps = (action, a.PlayLocos(locos)) if locos is not None and least < most else (action,)
                    said = payment_in_words(price, action.colour, least if locos is None else locos)
                    options.append((f"a station in {self.labels.place(place)} for {said}", Do(steps)))
        if not options:
            return Do((a.BuildStation(place, payment.colour or self._best_colour()),))
        return options[0][1] if len(options) == 1 else Ask("How do you pay?", numbered(options))

    # ------------------------------------------------------------ payments

    def _payment(self, words: list[str]) -> Payment:
        """Read "purple", "3 purple 1 loco", "2 locos double", "festival sevilla" and the like."""
        payment = Payment()
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if word.isdigit() and len(word) < 3:
                self._numbered_payment(payment, int(word), rest, first=len(rest) == len(words) - 1)
            elif word in ("double", "doubled", "single"):
                payment.doubled = word != "single"
                if rest and rest[0].isdigit():
                    payment.double_locos = int(rest.pop(0)[:3])
                    rest = rest[1:] if rest and rest[0] in LOCO_WORDS else rest
            elif word in ("festival", "festivals", "at"):
                places = self.finder.best(tuple(rest))
                if len(places) != 1:
                    raise NotUnderstood(" ".join(rest))
                payment.festival, rest = places[0], []
            elif word in ("no", "without") and rest and rest[0] in LOCO_WORDS:
                payment.locos = 0
                rest.pop(0)
            elif word in LOCO_WORDS and rest and rest[0].isdigit():
                payment.locos = int(rest.pop(0)[:3])
            else:
                _set_colour(payment, word)
        return payment

    def _numbered_payment(self, payment: Payment, number: int, rest: list[str], first: bool) -> None:
        following = rest[0] if rest else ""
        if following in LOCO_WORDS:
            payment.locos = number
            rest.pop(0)
        elif colour_of(following) if following else None:
            _set_colour(payment, rest.pop(0))
            payment.cards = number
        elif first:
            payment.index = number
            if a.ClaimTrack not in {type(x) for x in self.actions}:
                payment.locos = number
        else:
            raise NotUnderstood(str(number))

    # ------------------------------------------------------------ not understood

    def _unknown(self, text: str) -> Say:
        first = text.split()[0]
        verbs = [*COMMANDS, *(v for v in VERBS if " " not in v)]
        known = [*verbs, *self.finder.vocabulary, *CARDS, *self._terrain_words()]
        strange = [w for w in text.split() if not w.isdigit() and w not in FILLERS and not _begins_any(w, known)]
        hint = _near(strange[0] if strange else first, known)
        said = f' "{strange[0]}"' if strange else ""
        return Say(
            f"I do not understand{said or ' that'}{hint}. Type help for what can be typed, menu for what you can do."
        )


def offered(view: View, actions: Sequence[a.Action]) -> list[str]:
    """The tickets to choose from now, in the order in which they are numbered."""
    if any(isinstance(action, a.KeepTickets) for action in actions):
        return list(view.offered_tickets)
    return [action.ticket for action in actions if isinstance(action, a.ReturnTicket | a.PickTicket)]


def _raw_rest(line: str) -> str:
    """What follows the first word, as it was typed."""
    return [*line.split(maxsplit=1), "", ""][1].strip()


def _near(word: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(word, known, 1, 0.6)
    return f' (did you mean "{near[0]}"?)' if near else ""


def _begins_any(word: str, known: Sequence[str]) -> bool:
    return any(full.startswith(word) for full in known)


def _is_draw(option: Option) -> bool:
    reading = option.reading
    draws = (a.DrawDisplay, a.DrawDeck, a.TakeTerrain, a.DrawTerrain, a.DrawTickets)
    return isinstance(reading, Do) and isinstance(reading.steps[0], draws)


def _draw_items(words: list[str]) -> list[str]:
    """The cards named, one an item: "terrain 1" and "terrain deck" are one."""
    items: list[str] = []
    for word in words:
        if items and items[-1] == "terrain":
            items[-1] = f"terrain {word}"
        else:
            items.append(word)
    return items


def _set_colour(payment: Payment, word: str) -> None:
    colour = colour_of(word)
    if colour is None:
        raise NotUnderstood(word)
    if payment.colour not in (None, colour):
        raise Mixed(f"two colours may not be mixed: {payment.colour} and {colour}")
    payment.colour = colour


def _wished_locos(length: int, colour: str, payment: Payment) -> int | None:
    """The number of locomotives that follows from what was said, or None."""
    if payment.locos is not None:
        return payment.locos
    if payment.colour == LOCO:
        return length
    return length - payment.cards if payment.cards is not None else None


def _pays(claim: a.ClaimTrack, payment: Payment, reader: Reader) -> bool:
    """Whether a claim is among those wished for."""
    track = reader.labels.tracks[claim.track]
    if payment.colour == LOCO and payment.locos is None and track.colour == GRAY:
        return claim.colour == LOCO
    if payment.colour not in (None, LOCO, claim.colour):
        return False
    locos = _wished_locos(track.length, claim.colour, payment)
    least, most = loco_range(reader.view, claim)
    return locos is None or least <= locos <= most
