"""What a track or a station would cost a player now, found by trying: the kernel alone knows prices."""

from __future__ import annotations

from branchline.actions import Action, BuildStation, ClaimTrack, PlayLocos
from branchline.events import StationBuilt, TrackClaimed, TunnelTried
from branchline.game import Game, IllegalAction
from branchline.maps.model import COLOURS, GRAY, LOCO
from branchline.notation import write_action
from branchline.server import wire


def price(game: Game, seat: int, cid: str, about: str) -> wire.Answer:
    """All ways to pay for a track, or for a station in a place, fewest locomotives first; or why there is none."""
    openings = [action for action in game.legal_actions(seat) if _subject(action) == about]
    payments = [payment for action in openings for payment in _payments(game, seat, action)]
    if not payments:
        clause, reason = _refusal(game, seat, about)
        return wire.Answer(cid, about, [], clause, reason)
    hand = game.view(seat).me.hand
    payments.sort(key=lambda p: (p.locos, -hand.get(p.colour, 0)))
    return wire.Answer(cid, about, payments, "", "")


def _subject(action: Action) -> str:
    match action:
        case ClaimTrack(track, _):
            return track
        case BuildStation(place, _):
            return place
        case _:
            return ""


def _payments(game: Game, seat: int, opening: Action) -> list[wire.Payment]:
    """The ways to go on from `claim T red`: paid at once, or asked how many locomotives."""
    trial = game.copy()
    events = trial.play(opening, seat)
    asked = trial.legal_actions(seat) if not events else ()
    choices = [action for action in asked if isinstance(action, PlayLocos)]
    if not choices:
        return [_payment(trial, events, [opening])]
    found = []
    for choice in choices:
        further = trial.copy()
        found.append(_payment(further, further.play(choice, seat), [opening, choice]))
    return found


def _payment(after: Game, events: tuple[object, ...], actions: list[Action]) -> wire.Payment:
    paid = next((e for e in events if isinstance(e, TrackClaimed | TunnelTried | StationBuilt)), None)
    opening = actions[0]
    assert isinstance(opening, ClaimTrack | BuildStation)
    if paid is not None:
        cards, locos = paid.cards, paid.locos
    else:  # a question follows: whether to double, which festivals to take
        s = after.position
        locos = s.claim_locos
        cards = after.map.tracks[s.claim_track].length - locos
    return wire.Payment([write_action(a) for a in actions], opening.colour, cards, locos)


def _refusal(game: Game, seat: int, about: str) -> tuple[str, str]:
    """The clause by which nothing pays for it, and why; asked for the colour the player has most of."""
    hand = game.view(seat).me.hand
    track = next((t for t in game.map.tracks if t.id == about), None)
    most = max((*COLOURS, LOCO), key=lambda colour: hand.get(colour, 0))
    colour = track.colour if track and track.colour != GRAY else most
    action: Action = ClaimTrack(about, colour) if track else BuildStation(about, colour)
    try:
        game.copy().play(action, seat)
    except IllegalAction as refused:
        return refused.clause, refused.reason
    raise AssertionError(f"{about} has no price and is not refused")
