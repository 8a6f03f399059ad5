"""What a track, or something else, would cost a player now, found by trying: the kernel alone knows prices."""

from __future__ import annotations

from collections.abc import Sequence

from branchline.actions import Action, ClaimTrack, PlayLocos, Purchase
from branchline.events import Payment
from branchline.game import Game, IllegalAction
from branchline.maps.model import COLOURS, GRAY, LOCO
from branchline.mechanics.composed_wire import PARTS
from branchline.notation import write_action
from branchline.refusals import Refusal
from branchline.server import wire
from branchline.server.wire.derived import why_wire
from branchline.words.telling import Telling


def price(game: Game, seat: int, cid: str, about: str, names: Sequence[str] = ()) -> wire.Answer:
    """All ways to pay for a track, or for what a place offers, fewest locomotives first; or why there is none."""
    openings = [
        action for action in game.legal_actions(seat) if isinstance(action, Purchase) and action.subject == about
    ]
    payments = [payment for action in openings for payment in payments_of(game, seat, action)]
    if not payments:
        clause, why = _refusal(game, seat, about)
        reason = Telling.of(game.map, names, seat).tell("why", why)
        return wire.Answer(cid, about, [], clause, reason, why_wire(why))
    hand = game.view(seat).me.hand
    payments.sort(key=lambda p: (p.locos, -hand.get(p.colour, 0)))
    return wire.Answer(cid, about, payments, "", "")


def payments_of(game: Game, seat: int, opening: Action) -> list[wire.Payment]:
    """The ways to go on from a legal `claim T red`: paid at once, or asked how many locomotives."""
    trial = game.copy()
    events = trial.play(opening, seat)
    asked = trial.legal_actions(seat) if not events else ()
    choices = [action for action in asked if isinstance(action, PlayLocos)]
    if not choices:
        return [_payment(trial, seat, events, [opening])]
    found = []
    for choice in choices:
        further = trial.copy()
        found.append(_payment(further, seat, further.play(choice, seat), [opening, choice]))
    return found


def _payment(after: Game, seat: int, events: tuple[object, ...], actions: list[Action]) -> wire.Payment:
    paid = next((e for e in events if isinstance(e, Payment)), None)
    opening = actions[0]
    assert isinstance(opening, Purchase)
    asks: tuple[Action, ...] = ()
    if paid is not None:  # what is asked then stays out: it could tell cards that were turned up
        cards, locos = paid.cards, paid.locos
    else:  # a question follows
        s = after.position
        locos = s.claim_locos
        cards = after.map.tracks[s.claim_track].length - locos
        asks = after.legal_actions(seat)
    lines = [write_action(action) for action in actions]
    return wire.Payment(lines, opening.colour, cards, locos, [write_action(action) for action in asks])


def _refusal(game: Game, seat: int, about: str) -> tuple[str, Refusal]:
    """The clause by which nothing pays for it, and why; asked for the colour the player has most of.

    Not the error itself: it holds the frames it came through, and they would hold it.
    """
    hand = game.view(seat).me.hand
    track = next((t for t in game.map.tracks if t.id == about), None)
    most = max((*COLOURS, LOCO), key=lambda colour: hand.get(colour, 0))
    colour = track.colour if track and track.colour != GRAY else most
    at_place = next(part.purchase for part in PARTS if part.purchase is not None)
    action = ClaimTrack(about, colour) if track else at_place(about, colour)
    try:
        game.copy().play(action, seat)
    except IllegalAction as refused:
        return refused.clause, refused.why
    raise AssertionError(f"{about} has no price and is not refused")
