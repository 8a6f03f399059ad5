"""The numbered menu of what can be done now, and the question that is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from branchline import actions as a
from branchline.maps.model import CARDS, LOCO, TicketDeal
from branchline.terminal.facts import ClaimOffer, TicketState, claim_offers, ticket_states
from branchline.terminal.labels import ScreenLabels, card_word, counted
from branchline.terminal.parts import PARTS, parts_of
from branchline.terminal.payment import payment_in_words
from branchline.terminal.places import Due
from branchline.terminal.plan import Ask, Do, Option, Reading, numbered
from branchline.terminal.reading import offered, open_payment, ticket_of
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


def make_menu(view: View, actions: Sequence[a.Action], labels: ScreenLabels) -> Menu:
    """The menu of the reader of a view."""
    question = question_of(view, actions, labels)
    tickets = offered(view, actions)
    if tickets:
        return Menu(question, _ticket_options(tickets, actions, labels), tickets=tuple(ticket_states(view, tickets)))
    due = open_payment(view, labels)
    if due:
        return Menu(question, _loco_options(view, actions, labels, due))
    offers = claim_offers(view, actions)
    options = [*_draw_options(view, actions, labels), *_other_options(view, actions, labels)]
    first = max((int(option.key) for option in options), default=0) + 1
    claims = tuple((_claim_option(n, offer, labels), offer) for n, offer in enumerate(offers, first))
    return Menu(question, tuple(options), claims)


# ---------------------------------------------------------------- the question


def question_of(view: View, actions: Sequence[a.Action], labels: ScreenLabels) -> str:
    """What is awaited, in words."""
    kinds = {type(action) for action in actions}
    asked = next(filter(None, (part.question(view, actions, labels) for part in parts_of(view.map))), "")
    if asked:
        return asked
    if a.KeepTickets in kinds:
        return _keep_question(view)
    if a.ReturnTicket in kinds:
        return "Which ticket goes under the deck next? (any, if you do not mind)"
    due = open_payment(view, labels)
    if due:
        return due.question or f"How many locomotives do you play for {due.what}?"
    if view.phase == "draw_second":
        return "Draw your second card."
    return "You can do nothing: pass." if a.Pass in kinds else _turn_question(kinds)


def _turn_question(kinds: set[type]) -> str:
    can = ["draw cards"] if any(issubclass(kind, a.Draw) for kind in kinds) else []
    can += ["claim a track"] if a.ClaimTrack in kinds else []
    can += ["draw tickets"] if a.DrawTickets in kinds else []
    can += [words for part in PARTS if (words := part.turn_words(kinds))]
    return f"Your turn: {', '.join(can[:-1])}{' or ' if len(can) > 1 else ''}{can[-1]}."


def _keep_question(view: View) -> str:
    first, least = view.map.first_tickets, view.map.ticket_draw.keep_at_least
    if view.phase == "first_tickets" and isinstance(first, TicketDeal):
        least = first.keep_at_least
    return f"Keep at least {least} of these {counted(len(view.offered_tickets), 'ticket')}. Which?"


# ---------------------------------------------------------------- the options


def _ticket_options(tickets: list[str], actions: Sequence[a.Action], labels: ScreenLabels) -> tuple[Option, ...]:
    def choose(ticket: str) -> Reading:
        return Do((next((x for x in actions if ticket_of(x) == ticket), a.KeepTickets((ticket,))),))

    return numbered([(f"{labels.ticket(t)}, {labels.tickets[t].points} points", choose(t)) for t in tickets])


def _loco_options(view: View, actions: Sequence[a.Action], labels: ScreenLabels, due: Due) -> tuple[Option, ...]:
    """Numbered by the locomotives themselves, so that no number means two things."""
    colour = CARDS[view.position.claim_colour]
    return tuple(
        Option(str(x.count), payment_in_words(due.cards, colour, x.count), Do((x,)))
        if isinstance(x, a.PlayLocos)
        else Option("no", _text(view, x, labels), Do((x,)))
        for x in sorted(actions, key=lambda x: not isinstance(x, a.PlayLocos))
    )


def _text(view: View, action: a.Action, labels: ScreenLabels) -> str:
    """An action as a line of the menu; nothing for those that are listed otherwise."""
    match action:
        case a.DrawDeck():
            return f"draw from the deck ({counted(view.deck_size, 'card')})"
        case a.DrawTickets():
            return f"draw tickets ({counted(view.ticket_deck_size, 'ticket')} left)"
        case a.Pass():
            return "pass"
        case _:
            return next(filter(None, (part.option(view, action, labels) for part in PARTS)), "")


def _draw_options(view: View, actions: Sequence[a.Action], labels: ScreenLabels) -> list[Option]:
    """Display places keep their own numbers; the deck and other cards follow."""
    options = []
    for action in actions:
        if isinstance(action, a.DrawDisplay):
            card = view.display[action.place - 1] or LOCO
            options.append(Option(str(action.place), f"draw {card_word(card)}", Do((action,))))
    return options + [
        Option(str(view.map.display + n), _text(view, action, labels), Do((action,)))
        for n, action in enumerate(_other_draws(actions), 1)
    ]


def _other_draws(actions: Sequence[a.Action]) -> list[a.Action]:
    return [action for action in actions if isinstance(action, a.Draw) and not isinstance(action, a.DrawDisplay)]


def _other_options(view: View, actions: Sequence[a.Action], labels: ScreenLabels) -> list[Option]:
    texts: list[tuple[str, Reading]] = []
    for action in actions:
        text = "" if isinstance(action, a.Draw) else _text(view, action, labels)
        texts += [(text, Do((action,)))] if text else []
    for part in PARTS:
        texts += part.options(view, actions)
    start = _first_number(view, actions)
    return [Option(str(n), text, reading) for n, (text, reading) in enumerate(texts, start)]


def _first_number(view: View, actions: Sequence[a.Action]) -> int:
    """The number after the draws; 1 where nothing is drawn."""
    drawing = any(isinstance(action, a.Draw) for action in actions)
    return view.map.display + len(_other_draws(actions)) + 1 if drawing else 1


def _claim_option(number: int, offer: ClaimOffer, labels: ScreenLabels) -> Option:
    ways = [(payment_in_words(offer.track.length, p.action.colour, p.least), Do((p.action,))) for p in offer.prices]
    name = labels.pair(offer.track.a, offer.track.b)
    question = f"How do you pay for {name}?"
    reading: Reading = ways[0][1] if len(ways) == 1 else Ask(question, numbered(list(ways)))
    return Option(str(number), f"claim {name}", reading)
