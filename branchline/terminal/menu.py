"""The numbered menu of what can be done now, and the question that is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from branchline import actions as a
from branchline.maps.model import CARDS, LOCO, TicketDeal, TicketDraft
from branchline.terminal.facts import ClaimOffer, TicketState, claim_offers, payment_in_words, ticket_states
from branchline.terminal.labels import Labels, card_word, counted
from branchline.terminal.plan import Ask, Do, Option, Reading, Say, numbered
from branchline.terminal.reading import offered
from branchline.view import View


@dataclass(frozen=True, slots=True)
class Menu:
    """All that can be chosen now. Claims come last, so that the other numbers stay small and steady."""

    question: str
    options: tuple[Option, ...]
    claims: tuple[tuple[Option, ClaimOffer], ...] = ()
    tickets: tuple[TicketState, ...] = ()  # where the options are tickets

    @property
    def all(self) -> tuple[Option, ...]:
        return (*self.options, *(option for option, _ in self.claims))


def make_menu(view: View, actions: Sequence[a.Action], labels: Labels) -> Menu:
    """The menu of the reader of a view."""
    question = question_of(view, actions, labels)
    tickets = offered(view, actions)
    if tickets:
        return Menu(question, _ticket_options(tickets, actions, labels), tickets=tuple(ticket_states(view, tickets)))
    if any(isinstance(action, a.PlayLocos | a.Decline) for action in actions):
        return Menu(question, _loco_options(view, actions, labels))
    offers = claim_offers(view, actions)
    options = [*_draw_options(view, actions, labels), *_other_options(view, actions, labels)]
    first = max((int(option.key) for option in options), default=0) + 1
    claims = tuple((_claim_option(n, offer, labels), offer) for n, offer in enumerate(offers, first))
    return Menu(question, tuple(options), claims)


# ---------------------------------------------------------------- the question


def question_of(view: View, actions: Sequence[a.Action], labels: Labels) -> str:
    """What is awaited, in words."""
    kinds = {type(action) for action in actions}
    if a.KeepTickets in kinds:
        return _keep_question(view)
    if a.ReturnTicket in kinds:
        return "Which ticket goes under the deck next? (any, if you do not mind)"
    if a.PickTicket in kinds:
        return "Which ticket do you take from the pack?"
    if kinds & {a.PlayLocos, a.Decline}:
        return _loco_question(view, actions, labels)
    if a.SinglePoints in kinds:
        return f"Double the points of {labels.track(view.pending_track or '')}?"
    if a.TakeFestivals in kinds:
        return "Whose festival cards do you take?"
    if view.phase == "draw a second card":
        return "Draw your second card."
    if view.phase == "draw a card":
        return "Draw a card: only festival cards came."
    return "You can do nothing: pass." if a.Pass in kinds else _turn_question(kinds)


def _turn_question(kinds: set[type]) -> str:
    can = ["draw cards"] if kinds & {a.DrawDisplay, a.DrawDeck, a.TakeTerrain, a.DrawTerrain} else []
    can += ["claim a track"] if a.ClaimTrack in kinds else []
    can += ["draw tickets"] if a.DrawTickets in kinds else []
    can += ["build a station"] if a.BuildStation in kinds else []
    return f"Your turn: {', '.join(can[:-1])}{' or ' if len(can) > 1 else ''}{can[-1]}."


def _keep_question(view: View) -> str:
    n = len(view.offered_tickets)
    first = view.map.first_tickets
    if view.phase == "keep drafted tickets" and isinstance(first, TicketDraft):
        return f"Keep exactly {first.keep_exactly} of these {counted(n, 'ticket')}. Which?"
    least = view.map.ticket_draw.keep_at_least
    if view.phase == "first tickets" and isinstance(first, TicketDeal):
        least = first.keep_at_least
    return f"Keep at least {least} of these {counted(n, 'ticket')}. Which?"


def _loco_question(view: View, actions: Sequence[a.Action], labels: Labels) -> str:
    if a.Decline() in actions:
        turned = ", ".join(card_word(c) for c in view.tunnel_cards)
        pay = "Pay?" if len(actions) > 1 else "You cannot pay: decline."
        return f"Turned up for the tunnel: {turned}. It costs {counted(view.tunnel_extra, 'more card')}. {pay}"
    pending = view.pending_track
    return f"How many locomotives do you play for {labels.track(pending) if pending else 'the station'}?"


# ---------------------------------------------------------------- the options


def _ticket_options(tickets: list[str], actions: Sequence[a.Action], labels: Labels) -> tuple[Option, ...]:
    def choose(ticket: str) -> Reading:
        if any(isinstance(action, a.KeepTickets) for action in actions):
            return Do((a.KeepTickets((ticket,)),))
        return Do((a.PickTicket(ticket) if a.PickTicket(ticket) in actions else a.ReturnTicket(ticket),))

    return numbered([(f"{labels.ticket(t)}, {labels.tickets[t].points} points", choose(t)) for t in tickets])


def _loco_options(view: View, actions: Sequence[a.Action], labels: Labels) -> tuple[Option, ...]:
    """Numbered by the locomotives themselves, so that no number means two things."""
    colour, due = _pending_price(view, labels)
    options = [
        Option(str(x.count), payment_in_words(due, colour, x.count), Do((x,)))
        for x in actions
        if isinstance(x, a.PlayLocos)
    ]
    if a.Decline() in actions:
        options.append(Option("no", "decline: take your cards back, the turn is over", Do((a.Decline(),))))
    return tuple(options)


def _pending_price(view: View, labels: Labels) -> tuple[str, int]:
    colour = CARDS[view.position.claim_colour]
    if view.phase == "pay for the tunnel":
        return colour, view.tunnel_extra
    pending = view.pending_track
    return colour, labels.tracks[pending].length if pending else len(view.me.stations) + 1


def _draw_options(view: View, actions: Sequence[a.Action], labels: Labels) -> list[Option]:
    """Display places keep their own numbers; the deck and the terrain cards follow."""
    options = []
    for action in actions:
        if isinstance(action, a.DrawDisplay):
            card = view.display[action.place - 1] or LOCO
            options.append(Option(str(action.place), f"draw {card_word(card)}", Do((action,))))
    following: list[tuple[str, Reading]] = []
    for action in actions:
        if isinstance(action, a.DrawDeck):
            following.append((f"draw from the deck ({counted(view.deck_size, 'card')})", Do((action,))))
        if isinstance(action, a.TakeTerrain):
            kind = view.terrain_display[action.place - 1]
            following.append((f"take terrain: {labels.terrain(kind or '')}", Do((action,))))
        if isinstance(action, a.DrawTerrain):
            following.append((f"take terrain from the deck ({counted(view.terrain_deck_size, 'card')})", Do((action,))))
    return options + [Option(str(view.map.display + n), text, do) for n, (text, do) in enumerate(following, 1)]


def _other_options(view: View, actions: Sequence[a.Action], labels: Labels) -> list[Option]:
    texts: list[tuple[str, Reading]] = []
    for action in actions:
        match action:
            case a.DrawTickets():
                texts.append((f"draw tickets ({counted(view.ticket_deck_size, 'ticket')} left)", Do((action,))))
            case a.Pass():
                texts.append(("pass", Do((action,))))
            case a.SinglePoints():
                texts.append(("single points", Do((action,))))
            case a.DoublePoints(locos):
                texts.append((_double_text(view, locos, labels), Do((action,))))
            case a.TakeFestivals(place):
                texts.append((_festival_text(view, place, labels), Do((action,))))
            case _:
                pass
    if any(isinstance(action, a.BuildStation) for action in actions):
        price = counted(len(view.me.stations) + 1, "card")
        hint = "Where? Write station, the city and the colour you pay with, for example station paris red."
        texts.append((f"build a station ({price}): write station CITY COLOUR", Say(hint)))
    start = _first_number(view, actions)
    return [Option(str(n), text, reading) for n, (text, reading) in enumerate(texts, start)]


def _first_number(view: View, actions: Sequence[a.Action]) -> int:
    """The number after the draws; 1 where nothing is drawn."""
    draws = [x for x in actions if isinstance(x, a.DrawDisplay | a.DrawDeck | a.TakeTerrain | a.DrawTerrain)]
    return view.map.display + sum(not isinstance(x, a.DrawDisplay) for x in draws) + 1 if draws else 1


def _double_text(view: View, locos: int, labels: Labels) -> str:
    track = labels.tracks[view.pending_track or ""]
    terrain = view.map.terrain
    assert terrain
    due = terrain.cards_to_double[track.length]
    kind = next(t for t in terrain.types if track.colour in t.colours)
    cards = max(0, due - locos)
    paid = [f"{cards} {labels.terrain(kind.id)}"] if cards else []
    paid += [counted(locos, "locomotive")] if locos else []
    return f"double points, {2 * view.map.track_points[track.length]}, for {' and '.join(paid)}"


def _festival_text(view: View, place: str, labels: Labels) -> str:
    assert view.map.festivals
    group = next(g.id for g in view.map.festivals.groups if place in g.places)
    return f"the festival cards of {labels.place(place)}: {view.festivals.get(group, 0)}"


def _claim_option(number: int, offer: ClaimOffer, labels: Labels) -> Option:
    ways = [(payment_in_words(offer.track.length, p.action.colour, p.least), Do((p.action,))) for p in offer.prices]
    name = labels.pair(offer.track.a, offer.track.b)
    question = f"How do you pay for {name}?"
    reading: Reading = ways[0][1] if len(ways) == 1 else Ask(question, numbered(list(ways)))
    return Option(str(number), f"claim {name}", reading)
