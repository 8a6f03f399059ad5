"""The mail: bags lie in the cities, are taken with a track, carried and delivered (CAR-03 .. CAR-16)."""

from __future__ import annotations

from branchline.kernel import hooks
from branchline.kernel.chance import arrange, shuffle, stream_key
from branchline.kernel.hooks import ALWAYS, at
from branchline.kernel.paths import join_places, reached_from
from branchline.kernel.primitives import kernel, lowest, popcount
from branchline.kernel.report import tell
from branchline.kernel.scoring import split_places
from branchline.kernel.state import BUSY_TURN, HIDDEN, IMAGINE_STREAM, OVER, PAIR, SEATS
from branchline.kernel.turn import clear_claim, end_turn
from branchline.mechanics.mail.map import MapData
from branchline.mechanics.mail.state import (
    CARRIED,
    E_BAG_LAID,
    E_BAG_SEEN,
    E_BAG_TAKEN,
    E_BAGS_LEFT,
    E_DELIVERED,
    IMAGINED_MAIL,
    LEAVE_BAGS,
    MAIL,
    MAIL_STREAM,
    MAIL_WRONG,
    SWAP_BAG,
    TAKE_BAG,
    Board,
    Position,
    Work,
)

NO_BAG = -1


@at(hooks.make_tables, ALWAYS)
def mail_tables(b: Board, data: MapData) -> None:
    if not data.mail:
        return
    b.mail_carry = data.mail.carry
    for p, place in enumerate(data.places):
        b.mail[p] = place.mail
    for players, stamps in data.mail.stamps:
        b.stamps[players * SEATS : players * SEATS + players] = stamps


# ---------------------------------------------------------------- the deal


@at(hooks.deal_more)
@kernel
def lay_bags(s: Position, b: Board, w: Work) -> None:
    """Shuffle the bags and lay one in every city that has one addressed to it (CAR-04)."""
    n = 0
    for p in range(b.n_places):
        if b.mail[p] > 0:
            w.cards[n] = p
            n += 1
    shuffle(w.cards, n, stream_key(s.seed, MAIL_STREAM, 0))
    s.fault |= arrange(w.cards, n, b.mail_rig, 0, b.mail_rig_n)
    for p in range(b.n_places):
        if b.mail[p] > 0:
            n -= 1
            s.bag[p] = 1 + w.cards[n]


# ---------------------------------------------------------------- after a claim


@kernel
def end_of_claim(s: Position, b: Board, end: int) -> int:
    """One of the two places of the track just claimed."""
    return b.track_b[s.claim_track] if end else b.track_a[s.claim_track]


@kernel
def carried_by(s: Position, seat: int) -> int:
    """How many bags a seat carries."""
    n = 0
    while n < CARRIED and s.carried[seat * CARRIED + n] > 0:
        n += 1
    return n


@at(hooks.turn_goes_on)
@kernel
def see_to_mail(s: Position, b: Board, w: Work, seat: int) -> int:
    """Deliver what is joined now, look at the bags of both ends, and ask which is taken if one lies there (CAR-05)."""
    deliver_bags(s, b, w, seat)
    if not look_at_bags(s, b, w, seat):
        return 0
    track = s.claim_track
    clear_claim(s)
    s.claim_track = track
    s.phase = MAIL
    return 1


@kernel
def deliver_bags(s: Position, b: Board, w: Work, seat: int) -> None:
    """Deliver every carried bag whose label is joined to where it was taken (CAR-09)."""
    n = carried_by(s, seat)
    if n == 0:
        return
    join_places(s, b, w, seat)
    for i in range(n - 1, -1, -1):
        slot = seat * CARRIED + i
        label = s.carried[slot] - 1
        origin = s.carried_from[slot] - 1
        if (reached_from(b, w, 1 << origin) >> label) & 1:
            drop_bag(s, seat, i)
            deliver(s, b, w, seat, origin, label)


@kernel
def deliver(s: Position, b: Board, w: Work, seat: int, origin: int, label: int) -> None:
    """The bag lies open before the player for good."""
    s.delivered[seat] |= 1 << label
    tell(w, E_DELIVERED, seat, origin, label, b.mail[label])


@kernel
def drop_bag(s: Position, seat: int, i: int) -> None:
    """The i-th bag is not carried any more; the later ones move up."""
    last = seat * CARRIED + CARRIED - 1
    for slot in range(seat * CARRIED + i, last):
        s.carried[slot] = s.carried[slot + 1]
        s.carried_from[slot] = s.carried_from[slot + 1]
        s.carried_seen[slot] = s.carried_seen[slot + 1]
    s.carried[last] = 0
    s.carried_from[last] = 0
    s.carried_seen[last] = 0


@kernel
def look_at_bags(s: Position, b: Board, w: Work, seat: int) -> int:
    """The player looks at the bags of both ends; 1 if there is one (CAR-05)."""
    found = 0
    for end in range(2):
        place = end_of_claim(s, b, end)
        if s.bag[place] > 0:
            found = 1
            if not (s.bag_seen[place] >> seat) & 1:
                s.bag_seen[place] |= 1 << seat
                tell(w, E_BAG_SEEN, seat, place, s.bag[place] - 1, 1 << seat)
    return found


# ---------------------------------------------------------------- the choice


@kernel
def is_delivered_at(s: Position, b: Board, w: Work, seat: int, place: int) -> int:
    """1 if the bag that lies here would be delivered as the player takes it (CAR-10)."""
    join_places(s, b, w, seat)
    return (reached_from(b, w, 1 << place) >> (s.bag[place] - 1)) & 1


@at(hooks.phase_choices, "s.phase == MAIL")
@kernel
def mail_menu(s: Position, b: Board, w: Work, seat: int) -> int:
    """Leave the bags, take one, or take one and lay one down (CAR-05, CAR-07)."""
    full = carried_by(s, seat) >= b.mail_carry
    bits = 1 << LEAVE_BAGS
    for end in range(2):
        place = end_of_claim(s, b, end)
        if s.bag[place] > 0:
            if full and not is_delivered_at(s, b, w, seat, place):
                bits |= ((1 << b.mail_carry) - 1) << (SWAP_BAG + CARRIED * end)
            else:
                bits |= 1 << (TAKE_BAG + end)
    return bits


@at(hooks.choice_made, "LEAVE_BAGS <= bit < SWAP_BAG + 2 * CARRIED")
@kernel
def mail_chosen(s: Position, b: Board, w: Work, seat: int, bit: int) -> None:
    """Carry the choice out; the turn ends with it."""
    if bit == LEAVE_BAGS:
        tell(w, E_BAGS_LEFT, seat, 0, 0, 0)
    elif bit < SWAP_BAG:
        take_bag(s, b, w, seat, end_of_claim(s, b, bit - TAKE_BAG), NO_BAG)
    else:
        end = (bit - SWAP_BAG) // CARRIED
        take_bag(s, b, w, seat, end_of_claim(s, b, end), (bit - SWAP_BAG) % CARRIED)
    end_turn(s, b, w, BUSY_TURN)


@kernel
def take_bag(s: Position, b: Board, w: Work, seat: int, place: int, laid: int) -> None:
    """Take the bag that lies at a place; the one carried as number `laid` is laid down there (CAR-07, CAR-08)."""
    label = s.bag[place] - 1
    seen = s.bag_seen[place]
    at_once = is_delivered_at(s, b, w, seat, place)
    s.bag[place] = 0
    s.bag_seen[place] = 0
    tell(w, E_BAG_TAKEN, seat, place, label, seen)
    if laid != NO_BAG:
        lay_down(s, w, seat, place, laid)
    if at_once:
        deliver(s, b, w, seat, place, label)
        return
    slot = seat * CARRIED + carried_by(s, seat)
    s.carried[slot] = 1 + label
    s.carried_from[slot] = 1 + place
    s.carried_seen[slot] = seen


@kernel
def lay_down(s: Position, w: Work, seat: int, place: int, i: int) -> None:
    """The i-th carried bag lies at this place from now on, face down (CAR-07)."""
    slot = seat * CARRIED + i
    s.bag[place] = s.carried[slot]
    s.bag_seen[place] = s.carried_seen[slot]
    # Two places in one number: an event has room for four.
    tell(w, E_BAG_LAID, seat, PAIR * place + s.carried_from[slot] - 1, s.carried[slot] - 1, s.carried_seen[slot])
    drop_bag(s, seat, i)


# ---------------------------------------------------------------- points


@at(hooks.score_lines, ALWAYS)
@kernel
def score_mail(s: Position, b: Board, w: Work, seat: int) -> int:
    w.mail_score[seat] = mail_points(b, s.delivered[seat]) + b.stamps[s.players * SEATS + seat]
    return w.mail_score[seat]


@kernel
def mail_points(b: Board, labels: int) -> int:
    """What delivered bags with these labels score (CAR-11)."""
    points = 0
    while labels:
        points += b.mail[lowest(labels)]
        labels &= labels - 1
    return points


@at(hooks.break_tie, "rule == TIE_MAIL")
@kernel
def more_mail_first(s: Position, w: Work) -> None:
    """More delivered bags go before fewer (CAR-13)."""
    for seat in range(s.players):
        w.delivered_n[seat] = popcount(s.delivered[seat])
    split_places(s, w, w.delivered_n)


# ---------------------------------------------------------------- what a reader may know, and what could be


@at(hooks.veil_more)
@kernel
def veil_bags(s: Position, b: Board, reader: int) -> None:
    """A label is known to those who have looked at it, and at the end to all (CAR-14, CAR-15)."""
    if s.phase == OVER:
        return
    bit = 1 << reader if reader >= 0 else 0
    for p in range(b.n_places):
        if s.bag[p] > 0 and not s.bag_seen[p] & bit:
            s.bag[p] = HIDDEN
    for slot in range(s.players * CARRIED):
        if s.carried[slot] > 0 and not s.carried_seen[slot] & bit:
            s.carried[slot] = HIDDEN


@at(hooks.imagine_more)
@kernel
def imagine_mail(s: Position, b: Board, w: Work, key: int) -> None:
    """Give the labels that stand nowhere to the bags whose label is hidden."""
    n = list_hidden_bags(s, b, w)
    gather_labels(s, b, w)
    shuffle(w.pool, n, stream_key(key, IMAGINE_STREAM, IMAGINED_MAIL))
    for i in range(n):
        if not may_bear(w, i, w.pool[i]):
            exchange_labels(w, i, n)
    for i in range(n):
        slot = w.hidden_bag[i]
        if slot < SEATS * CARRIED:
            s.carried[slot] = 1 + w.pool[i]
        else:
            s.bag[slot - SEATS * CARRIED] = 1 + w.pool[i]


@kernel
def list_hidden_bags(s: Position, b: Board, w: Work) -> int:
    """Write the bags with a hidden label into w.hidden_bag, the carried ones first; how many there are."""
    n = 0
    for seat in range(s.players):
        join_places(s, b, w, seat)
        for slot in range(seat * CARRIED, (seat + 1) * CARRIED):
            if s.carried[slot] == HIDDEN:
                w.joined[slot] = reached_from(b, w, 1 << (s.carried_from[slot] - 1))
                w.hidden_bag[n] = slot
                n += 1
    for p in range(b.n_places):
        if s.bag[p] == HIDDEN:
            w.hidden_bag[n] = SEATS * CARRIED + p
            n += 1
    return n


@kernel
def gather_labels(s: Position, b: Board, w: Work) -> None:
    """Write the labels that stand nowhere into w.pool."""
    known = 0
    for p in range(b.n_places):
        if 0 < s.bag[p] < HIDDEN:
            known |= 1 << (s.bag[p] - 1)
    for seat in range(s.players):
        known |= s.delivered[seat]
        for slot in range(seat * CARRIED, (seat + 1) * CARRIED):
            if 0 < s.carried[slot] < HIDDEN:
                known |= 1 << (s.carried[slot] - 1)
    n = 0
    for p in range(b.n_places):
        if b.mail[p] > 0 and not (known >> p) & 1:
            w.pool[n] = p
            n += 1


@kernel
def may_bear(w: Work, i: int, label: int) -> int:
    """1 if the i-th hidden bag may have this label: a carried one that is joined to it would have been delivered."""
    slot = w.hidden_bag[i]
    return 1 if slot >= SEATS * CARRIED or not (w.joined[slot] >> label) & 1 else 0


@kernel
def exchange_labels(w: Work, start: int, n: int) -> None:
    """Hand labels on in a ring so that the bag at its start gets one it may bear, and no other loses one it may.

    A step goes from a bag to one whose label it may bear; the ring closes at a bag that may bear the label of the
    start, or that could not bear its own anyway. The true labels are such an arrangement, so there is a ring.
    """
    for i in range(n):
        w.before_bag[i] = 0
    w.bag_queue[0] = start
    head = 0
    tail = 1
    while head < tail:
        i = w.bag_queue[head]
        head += 1
        if i != start and (may_bear(w, i, w.pool[start]) or not may_bear(w, i, w.pool[i])):
            hand_on_labels(w, start, i)
            return
        for j in range(n):
            if j != start and w.before_bag[j] == 0 and may_bear(w, i, w.pool[j]):
                w.before_bag[j] = 1 + i
                w.bag_queue[tail] = j
                tail += 1


@kernel
def hand_on_labels(w: Work, start: int, last: int) -> None:
    """Each bag of the ring takes the label of the next, the last one that of the start."""
    label = w.pool[start]
    i = last
    while i != start:
        handed = w.pool[i]
        w.pool[i] = label
        label = handed
        i = w.before_bag[i] - 1
    w.pool[start] = label


# ---------------------------------------------------------------- checking


@at(hooks.find_fault)
@kernel
def check_mail(s: Position, b: Board, w: Work) -> int:
    """Every label is in one place, and what is stored is in its one form."""
    labels = 0
    n = 0
    for p in range(b.n_places):
        if s.bag[p] > 0:
            labels |= 1 << (s.bag[p] - 1)
            n += 1
        elif s.bag_seen[p] != 0:
            return MAIL_WRONG
        if s.bag[p] < 0 or s.bag[p] > b.n_places:
            return MAIL_WRONG
    for seat in range(s.players):
        if carried_is_wrong(s, b, w, seat):
            return MAIL_WRONG
        for slot in range(seat * CARRIED, seat * CARRIED + carried_by(s, seat)):
            labels |= 1 << (s.carried[slot] - 1)
            n += 1
        labels |= s.delivered[seat]
        n += popcount(s.delivered[seat])
    for p in range(b.n_places):
        if ((labels >> p) & 1) != (1 if b.mail[p] > 0 else 0):
            return MAIL_WRONG
    return 0 if popcount(labels) == n else MAIL_WRONG


@kernel
def carried_is_wrong(s: Position, b: Board, w: Work, seat: int) -> int:
    """1 unless the carried bags are at the front, looked at by their carrier, no more than allowed and not joined."""
    n = carried_by(s, seat)
    if n > b.mail_carry:
        return 1
    join_places(s, b, w, seat)
    for i in range(CARRIED):
        slot = seat * CARRIED + i
        if i >= n:
            if s.carried[slot] != 0 or s.carried_from[slot] != 0 or s.carried_seen[slot] != 0:
                return 1
        elif s.carried_from[slot] == 0 or not (s.carried_seen[slot] >> seat) & 1:
            return 1
        elif (reached_from(b, w, 1 << (s.carried_from[slot] - 1)) >> (s.carried[slot] - 1)) & 1:
            return 1
    return 0
