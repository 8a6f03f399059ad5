"""Reading what a player types: the notation, and friendlier ways to say the same.

A line becomes actions by what the player sees, not by what is legal: the engine judges, and its refusal is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product

from branchline import actions as a
from branchline.maps.model import CARDS, COLOURS, GRAY, LOCO, Track
from branchline.notation import BadNotation, read_action
from branchline.objections import WrongLocomotives
from branchline.terminal.facts import is_open, loco_range
from branchline.terminal.finding import FILLERS, LONGEST, PlaceFinder
from branchline.terminal.labels import ScreenLabels, card_word, folded, listed
from branchline.terminal.parts import EVERY_VERB, PARTS, parts_of
from branchline.terminal.payment import Mixed, NotUnderstood, Payment, payment_in_words
from branchline.terminal.places import Due, Part
from branchline.terminal.plan import Ask, Do, Option, Reading, Refuse, Run, Say, numbered
from branchline.terminal.spelling import DECK_WORDS, LOCO_WORDS, YES, colour_of, near
from branchline.terminal.words import COMMANDS, command_of
from branchline.view import View

_NOTATION = frozenset(verb.split()[0] for verb in EVERY_VERB)
_CARDS = {part.card: part for part in PARTS if part.card}


class Reader:
    """Reads the lines of one player at one moment."""

    def __init__(
        self,
        view: View,
        actions: Sequence[a.Action],
        labels: ScreenLabels,
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
        return self.unknown(text)

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
        if self._offers():
            return self._tickets(text, line)
        for part in parts_of(self.view.map):
            reading = part.choice(text, self)
            if reading is not None:
                return reading
        due = open_payment(self.view, self.labels)
        return self._locos(text, due) if due else None

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
        return Do((next(action for action in self.actions if ticket_of(action) == tickets[0]),))

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

    def _locos(self, text: str, due: Due) -> Reading | None:
        words = text.split()
        pays = [x for x in self.actions if isinstance(x, a.PlayLocos)]
        if words[0] in YES and len(words) == 1:
            if len(pays) == 1:
                return Do((pays[0],))
            return Say("How many locomotives? Write the number." if pays else due.unpayable)
        try:
            payment = self.payment([w for w in words if w not in FILLERS and w != "pay"])
        except NotUnderstood:
            return None
        if payment.locos is None and payment.cards is not None:
            fitting = [p.count for p in pays if due.cards - p.count == payment.cards]
            payment.locos = fitting[0] if fitting else None
        return Do((a.PlayLocos(payment.locos),)) if payment.locos is not None else None

    # ------------------------------------------------------------ what a turn begins with

    def _by_verb(self, text: str, line: str) -> Reading | None:
        if text in ("draw tickets", "draw ticket", "new tickets", "new ticket", "dt"):
            return Do((a.DrawTickets(),))
        words = text.split()
        verb, rest = words[0], [w for w in words[1:] if w not in FILLERS]
        if verb in ("draw", "d", "pick", "take"):
            return self._draw(rest)
        if verb in _CARDS:
            return self._draw([verb, *rest])
        for part in PARTS:
            reading = part.verb([verb, *rest], self)
            if reading is not None:
                return reading
        return self._claim(rest, said="claim") if verb in ("claim", "c", "build") else None

    def _bare(self, text: str, line: str) -> Reading | None:
        """A line without a verb: cards to draw, two places, or one place to look at."""
        words = [w for w in text.split() if w not in FILLERS]
        if words and all(w in DECK_WORDS or w in self._other_cards() or colour_of(w, 3) for w in words):
            return self._draw(words)
        if words and self.finder.best(tuple(words)):
            return Run("tracks", text)
        return self._claim(words, said="") if len(words) > 1 else None

    # ------------------------------------------------------------ drawing

    def _other_cards(self) -> dict[str, Part]:
        """The words for cards that are no train cards, and whose they are."""
        return {word: part for part in PARTS for word in part.card_names(self.labels)}

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
        first, _, rest = item.partition(" ")
        if first in _CARDS:
            return _CARDS[first].draw(rest, self)
        others = self._other_cards()
        if item in others:
            return others[item].draw(item, self)
        card = colour_of(item)
        if card is None:
            return Say(f'"{item}" is no card{near(item, (*CARDS, "deck", "tickets", *others))}.')
        if card in self.view.display:
            return a.DrawDisplay(self.view.display.index(card) + 1)
        return Say(f"There is no {card_word(card)} in the display; there are {self._display_words()}.")

    def _display_words(self) -> str:
        return listed([card_word(c) for c in self.view.display if c]) or "no cards"

    # ------------------------------------------------------------ claiming

    def _claim(self, words: list[str], said: str) -> Reading | None:
        if not words:
            return Say("Which track? Write its two places; claims lists those you can pay for.")
        try:
            pairs = self._pairs(words)
        except Mixed as mixed:
            return Refuse("C-22", mixed.colours)
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
                ends = self.finder.ranks(tuple(words[:i])), self.finder.ranks(tuple(words[i:j]))
                routes = self._routes(*ends)
                if not routes:
                    continue
                try:
                    payment = self.payment(words[j:])
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
        locos = payment.wished_locos(track.length)
        counts = (
            [locos]
            if locos is not None
            else [None]
            if least == most or not any(wish.by_locos for wish in payment.wishes.values())
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
        """Add what else was said, in the order in which the mechanics are asked."""
        for wish in (payment.wishes[part] for part in PARTS if part in payment.wishes):
            more = wish.steps(self.view, track, locos)
            if isinstance(more, Refuse):
                return more
            steps += more
        return Do(steps)

    def _refused_claim(self, tracks: list[Track], payment: Payment) -> Reading:
        """Let the engine say what is wrong with the likeliest meaning."""
        by_wish = sorted(
            tracks, key=lambda t: (not is_open(self.view, t.id), payment.colour not in (None, LOCO, t.colour))
        )
        track = by_wish[0]
        colour = payment.colour or (self.best_colour() if track.colour == GRAY else track.colour)
        if colour == LOCO and track.colour != GRAY:
            colour = track.colour
        claim = a.ClaimTrack(track.id, colour)
        if claim not in self.actions:
            return Do((claim,))
        least, most = loco_range(self.view, claim)
        wish = payment.wished_locos(track.length)
        return Refuse("C-21", WrongLocomotives(least, most, wish or 0))

    def best_colour(self) -> str:
        """The colour of which the player has most."""
        hand = self.view.me.hand
        return max(COLOURS, key=lambda c: hand.get(c, 0))

    def _no_track(self, words: list[str], said: str) -> Reading | None:
        """Two places without a track between them, one place, or nothing known."""
        for i in range(len(words), 0, -1):
            here = self.finder.best(tuple(words[:i]))
            if here:
                return self._no_way(here[0], words[i:])
        return self.unknown(" ".join(words)) if said else None

    def _no_way(self, here: str, rest: list[str]) -> Say:
        """One place is known; what is wrong with what follows."""
        for j in range(len(rest), 0, -1):
            there = self.finder.best(tuple(rest[:j]))
            if there and not self._routes({here: 0}, dict.fromkeys(there, 0)):
                pair = f"{self.labels.place(here)} and {self.labels.place(there[0])}"
                return Say(f"There is no track between {pair}. {self._at(here)}")
            if there:
                return Say(f'I do not understand "{" ".join(rest[j:])}". Write the colour, and 1 loco or the like.')
        return Say(f"And where to? {self._at(here)}") if not rest else self.unknown(" ".join(rest))

    def _at(self, place: str) -> str:
        far = [t.b if t.a == place else t.a for t in self.view.map.tracks if place in (t.a, t.b)]
        names = listed([self.labels.place(p) for p in dict.fromkeys(far)])
        return f"Tracks lead from {self.labels.place(place)} to {names}."

    # ------------------------------------------------------------ payments

    def payment(self, words: list[str]) -> Payment:
        """Read "purple", "3 purple 1 loco", "2 locos double" and the like."""
        payment = Payment()
        rest = list(words)
        while rest:
            word = rest.pop(0)
            if word.isdigit() and len(word) < 3:
                self._numbered_payment(payment, int(word), rest, first=len(rest) == len(words) - 1)
            elif self._is_wish(word, rest, payment):
                continue
            elif word in ("no", "without") and rest and rest[0] in LOCO_WORDS:
                payment.locos = 0
                rest.pop(0)
            elif word in LOCO_WORDS and rest and rest[0].isdigit():
                payment.locos = int(rest.pop(0)[:3])
            else:
                payment.set_colour(word)
        return payment

    def _is_wish(self, word: str, rest: list[str], payment: Payment) -> bool:
        """Whether a mechanic reads this word; what it means is noted."""
        for part in PARTS:
            wish = part.wish(word, rest, self.finder)
            if wish is not None:
                payment.wishes[part] = wish
                return True
        return False

    def _numbered_payment(self, payment: Payment, number: int, rest: list[str], first: bool) -> None:
        following = rest[0] if rest else ""
        if following in LOCO_WORDS:
            payment.locos = number
            rest.pop(0)
        elif colour_of(following) if following else None:
            payment.set_colour(rest.pop(0))
            payment.cards = number
        elif first:
            payment.index = number
            if a.ClaimTrack not in {type(x) for x in self.actions}:
                payment.locos = number
        else:
            raise NotUnderstood(str(number))

    # ------------------------------------------------------------ not understood

    def unknown(self, text: str) -> Say:
        first = text.split()[0]
        verbs = [*COMMANDS, *(v for v in EVERY_VERB if " " not in v)]
        known = [*verbs, *self.finder.vocabulary, *CARDS, *self._other_cards()]
        strange = [w for w in text.split() if not w.isdigit() and w not in FILLERS and not _begins_any(w, known)]
        hint = near(strange[0] if strange else first, known)
        said = f' "{strange[0]}"' if strange else ""
        return Say(
            f"I do not understand{said or ' that'}{hint}. Type help for what can be typed, menu for what you can do."
        )


def offered(view: View, actions: Sequence[a.Action]) -> list[str]:
    """The tickets to choose from now, in the order in which they are numbered."""
    if any(isinstance(action, a.KeepTickets) for action in actions):
        return list(view.offered_tickets)
    return [ticket for action in actions if (ticket := ticket_of(action)) is not None]


def ticket_of(action: a.Action) -> str | None:
    """The one ticket an action chooses."""
    if isinstance(action, a.ReturnTicket):
        return action.ticket
    return next((ticket for part in PARTS if (ticket := part.ticket_of(action)) is not None), None)


def open_payment(view: View, labels: ScreenLabels) -> Due | None:
    """The payment for which the reader now chooses the number of locomotives."""
    if view.phase == "pay" and view.pending_track:
        return Due(labels.tracks[view.pending_track].length, labels.track(view.pending_track))
    return next((due for part in PARTS if (due := part.due(view, labels)) is not None), None)


def _raw_rest(line: str) -> str:
    """What follows the first word, as it was typed."""
    return [*line.split(maxsplit=1), "", ""][1].strip()


def _begins_any(word: str, known: Sequence[str]) -> bool:
    return any(full.startswith(word) for full in known)


def _is_draw(option: Option) -> bool:
    reading = option.reading
    return isinstance(reading, Do) and isinstance(reading.steps[0], a.Draw | a.DrawTickets)


def _draw_items(words: list[str]) -> list[str]:
    """The cards named, one an item: a mechanic's word and the place after it are one."""
    items: list[str] = []
    for word in words:
        if items and items[-1] in _CARDS:
            items[-1] += f" {word}"
        else:
            items.append(word)
    return items


def _pays(claim: a.ClaimTrack, payment: Payment, reader: Reader) -> bool:
    """Whether a claim is among those wished for."""
    track = reader.labels.tracks[claim.track]
    if payment.colour == LOCO and payment.locos is None and track.colour == GRAY:
        return claim.colour == LOCO
    if payment.colour not in (None, LOCO, claim.colour):
        return False
    locos = payment.wished_locos(track.length)
    least, most = loco_range(reader.view, claim)
    return locos is None or least <= locos <= most
