"""The path bot: what it chooses. It reads a veiled position (kernel/view.py), so it knows what its seat knows."""

from __future__ import annotations

from branchline.bots.routes import (
    K_B,
    K_CLAIM_POINTS,
    K_DOUBLE_CARD,
    K_DOUBLE_LOCO,
    K_FESTIVAL,
    K_KEEP_LEAST,
    K_KEEP_POINTS,
    K_KEEP_PRICE,
    K_KEEP_SLACK,
    K_LEAST_LATE,
    K_LOCO_COST,
    K_LOCO_WISH,
    K_NEEDED_COST,
    K_STATION_TURNS,
    K_TERRAIN,
    K_TICKET_TRAINS,
    K_TICKET_TURNS,
    K_TUNNEL_RESERVE,
    K_WISH_POINTS,
    NOWHERE,
    adopt,
    own_stations,
    plan_tickets,
    search,
    spaces_to,
    track_ends,
    turns_to_go,
)
from branchline.bots.work import PathWork
from branchline.kernel.draft import pack_of
from branchline.kernel.primitives import kernel, lowest, popcount
from branchline.kernel.state import (
    BITS,
    CARDS,
    CLAIM,
    DECLINE,
    DISPLAY,
    DOUBLE,
    DOUBLED,
    DRAFT_KEEP,
    DRAFT_PICK,
    DRAW_DECK,
    DRAW_DISPLAY,
    DRAW_FIRST,
    DRAW_SECOND,
    FESTIVAL_A,
    FESTIVAL_B,
    FESTIVAL_CHOICE,
    GRAY,
    GROUPS,
    HAND,
    KEEP,
    LOCO,
    LOCOS,
    MISC,
    NO_CARD,
    OFFER,
    PASS,
    PICK,
    SINGLE,
    STATION,
    TAKE_TERRAIN,
    TERRAIN_DECK,
    TERRAINS,
    TICKETS,
    TRACK_WORDS,
    TUNNEL,
    TURN,
    Board,
    Position,
    Work,
)
from branchline.kernel.stations import stations_built
from branchline.kernel.terrain import most_of_others
from branchline.kernel.turn import choosing_tickets, fill_menu, nth_of_menu
from branchline.kernel.tunnels import is_tunnel

NO_CHOICE = -1


@kernel
def path_action(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The choice of the path bot for a seat that has to choose."""
    fill_menu(s, b, w, seat)
    code = NO_CHOICE
    if s.phase == TURN:
        code = choose_turn(s, b, w, k, seat)
    elif s.phase == DRAW_FIRST or s.phase == DRAW_SECOND:
        plan_tickets(s, b, k, seat)
        aim(s, b, k, seat)
        code = choose_draw(s, b, w, k, seat)
    elif choosing_tickets(s, seat):
        code = choose_tickets(s, b, w, k, seat)
    elif s.phase == DRAFT_PICK:
        code = choose_pick(s, b, k, seat)
    elif s.phase == DOUBLE:
        code = choose_double(s, b, w, k, seat)
    elif s.phase == FESTIVAL_CHOICE:
        code = choose_festival(s, b, seat)
    elif s.phase == TUNNEL:
        extra = w.menu[MISC] >> LOCOS
        if extra:
            code = LOCOS + lowest(extra)
    if code == NO_CHOICE:
        code = nth_of_menu(w, 0)
    return code


# ---------------------------------------------------------------- the turn


@kernel
def choose_turn(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Claim what the plan names, else what it lacks is drawn; with nothing planned, tickets or points."""
    plan_tickets(s, b, k, seat)
    turns = turns_to_go(s, b, k)
    if turns == 1:
        return choose_last(s, b, w, k, seat)
    code = best_claim(s, b, w, k, seat)
    if code != NO_CHOICE:
        return code
    done = k.plan[0] == 0 and k.plan[1] == 0
    if (k.loan[0] or k.loan[1]) and (done or turns <= k.knob[K_STATION_TURNS]):
        code = choose_station(s, b, w, k, seat)
        if code != NO_CHOICE:
            return code
    if done:
        if wants_tickets(s, b, w, k, seat, turns):
            return TICKETS
        aim(s, b, k, seat)
        code = best_claim(s, b, w, k, seat)
        if code != NO_CHOICE:
            return code
    code = choose_draw(s, b, w, k, seat)
    return code if code != NO_CHOICE else best_points(s, b, w, k, seat)


@kernel
def wants_tickets(s: Position, b: Board, w: Work, k: PathWork, seat: int, turns: int) -> int:
    """1 if there are tickets, and time and trains enough for one more."""
    if not (w.menu[MISC] >> TICKETS) & 1:
        return 0
    return 1 if turns >= k.knob[K_TICKET_TURNS] and s.trains[seat] >= k.knob[K_TICKET_TRAINS] else 0


@kernel
def choose_last(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The last turn: what brings most points at once; a ticket's last station comes before any track."""
    code = NO_CHOICE
    if k.loan[0] or k.loan[1]:
        code = choose_station(s, b, w, k, seat)
    if code == NO_CHOICE:
        code = best_points(s, b, w, k, seat)
    if code == NO_CHOICE:
        code = choose_draw(s, b, w, k, seat)
    return code


@kernel
def best_points(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The claim that brings most points at once, tickets included, or NO_CHOICE."""
    best = 0
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            colour = payment(s, b, w, k, seat, t)
            if colour >= 0:
                value = claim_gain(s, b, seat, t)
                if k.plan[word] & (1 << (t % BITS)):
                    value += 2 * k.worth[t]
                if value > best:
                    best = value
                    code = claim_code(t, colour)
    return code


@kernel
def claim_code(t: int, colour: int) -> int:
    return 64 * (CLAIM + TRACK_WORDS * colour + t // BITS) + t % BITS


@kernel
def claim_gain(s: Position, b: Board, seat: int, t: int) -> int:
    """The points a claim brings at once: the track's, doubled if that is allowed, and the festival cards'."""
    gain = b.points[b.length[t]]
    if b.terrains > 0 and may_double(s, b, seat, t):
        gain += gain
    if b.groups > 0:
        gain += max(festival_gain(s, b, seat, b.track_a[t]), festival_gain(s, b, seat, b.track_b[t]))
    return gain


@kernel
def may_double(s: Position, b: Board, seat: int, t: int) -> int:
    """1 if the seat's terrain cards alone double this track (AFR-10, AFR-11)."""
    due = b.to_double[b.length[t]]
    kind = b.terrain_of[b.colour[t]]
    mine = s.terrain[seat * TERRAINS + kind]
    return 1 if due > 0 and mine >= due and mine >= most_of_others(s, seat, kind) else 0


@kernel
def festival_gain(s: Position, b: Board, seat: int, place: int) -> int:
    """What the festival cards lying at a place add to the seat's sets (IBE-16)."""
    g = b.group[place]
    if g < 0:
        return 0
    have = s.pile[seat * GROUPS + g]
    return b.festival_table[have + s.pool[g]] - b.festival_table[have]


# ---------------------------------------------------------------- claiming


@kernel
def count_needs(b: Board, k: PathWork) -> None:
    """The cards the planned tracks take, by colour; gray ones count nowhere."""
    for c in range(CARDS):
        k.need[c] = 0
    for word in range(TRACK_WORDS):
        tracks = k.plan[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            k.need[LOCO] += b.ferry[t]
            if b.colour[t] != GRAY:
                k.need[b.colour[t]] += b.length[t] - b.ferry[t]


@kernel
def payment(s: Position, b: Board, w: Work, k: PathWork, seat: int, t: int) -> int:
    """The colour with which the seat pays for a track, so that it loses least; -1 if it cannot pay."""
    best = 1 << 20
    chosen = -1
    if b.colour[t] != GRAY:
        c = b.colour[t]
        return c if (w.menu[CLAIM + TRACK_WORDS * c + t // BITS] >> (t % BITS)) & 1 else -1
    for c in range(CARDS):
        if (w.menu[CLAIM + TRACK_WORDS * c + t // BITS] >> (t % BITS)) & 1:
            loss = payment_loss(s, b, k, seat, t, c)
            if loss < best:
                best = loss
                chosen = c
    return chosen


@kernel
def payment_locos(s: Position, b: Board, seat: int, t: int, c: int) -> int:
    """The fewest locomotives with which a colour pays for a track."""
    if c == LOCO:
        return b.length[t]
    return max(b.ferry[t], b.length[t] - s.hand[seat * HAND + c])


@kernel
def payment_loss(s: Position, b: Board, k: PathWork, seat: int, t: int, c: int) -> int:
    """What is lost with the cards that pay for a track: more for locomotives and for cards the plan needs elsewhere."""
    locos = payment_locos(s, b, seat, t, c)
    loss = k.knob[K_LOCO_COST] * locos
    if c != LOCO:
        cards = b.length[t] - locos
        elsewhere = k.need[c]
        if b.colour[t] == c:
            elsewhere -= b.length[t] - b.ferry[t]
        missed = max(0, min(cards, elsewhere + cards - s.hand[seat * HAND + c]))
        loss += cards + k.knob[K_NEEDED_COST] * missed
    return loss


@kernel
def best_claim(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The planned track to claim now, or NO_CHOICE."""
    count_needs(b, k)
    best = 0
    code = NO_CHOICE
    for word in range(TRACK_WORDS):
        tracks = k.plan[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            colour = payment(s, b, w, k, seat, t)
            if colour >= 0 and not is_rash(s, b, k, seat, t, colour):
                value = 1000 + k.knob[K_CLAIM_POINTS] * claim_gain(s, b, seat, t) + k.worth[t]
                value -= payment_loss(s, b, k, seat, t, colour)
                if value > best:
                    best = value
                    code = claim_code(t, colour)
    return code


@kernel
def is_rash(s: Position, b: Board, k: PathWork, seat: int, t: int, c: int) -> int:
    """1 for a tunnel without cards to spare, the more so the longer nothing but failed tunnels was played (EUR-12)."""
    if not is_tunnel(b, t):
        return 0
    spare = s.hand[seat * HAND + LOCO] - b.length[t]
    if c != LOCO:
        spare += s.hand[seat * HAND + c]
    return 1 if spare < min(b.tunnel_cards, k.knob[K_TUNNEL_RESERVE] + s.idle_turns) else 0


@kernel
def choose_station(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Build a station that lends a planned track, paid with what is needed least, or NO_CHOICE (EUR-05, EUR-06)."""
    place = station_place(s, b, k, seat)
    if place < 0:
        return NO_CHOICE
    price = stations_built(s, seat) + 1
    best = 1 << 20
    code = NO_CHOICE
    for c in range(CARDS):
        if (w.menu[STATION + c] >> place) & 1:
            have = s.hand[seat * HAND + c]
            loss = k.knob[K_LOCO_COST] * price
            if c != LOCO:
                loss = k.knob[K_LOCO_COST] * max(0, price - have) + k.knob[K_NEEDED_COST] * k.need[c] - have
            if loss < best:
                best = loss
                code = 64 * (STATION + c) + place
    return code


@kernel
def station_place(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """Where to build the next station the plan needs, or -1."""
    if stations_built(s, seat) >= b.stations_each:
        return -1
    for word in range(TRACK_WORDS):
        loans = k.loan[word]
        while loans:
            t = word * BITS + lowest(loans)
            loans &= loans - 1
            ends = track_ends(b, t)
            if not ends & own_stations(s, seat):
                ends &= b.station_sites & ~s.station_places
                if ends:
                    return lowest(ends)
    return -1


# ---------------------------------------------------------------- aiming at points


@kernel
def aim(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """With nothing to claim for tickets, plan the track that brings most points for the time it takes."""
    if k.plan[0] or k.plan[1]:
        return
    turns = turns_to_go(s, b, k)
    best = 0
    target = -1
    for word in range(TRACK_WORDS):
        tracks = k.free[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            takes = 1 + (cards_lacking(s, b, seat, t) + is_tunnel(b, t) + 1) // 2
            waits = b.draft_cards > 0 and s.draft < 2 and claim_gain(s, b, seat, t) - b.points[b.length[t]] < k.knob[K_B]
            if takes <= turns and not waits:
                value = 64 * claim_gain(s, b, seat, t) // (takes + 1)
                if value > best:
                    best = value
                    target = t
    if target >= 0:
        k.plan[target // BITS] |= 1 << (target % BITS)
        k.worth[target] = 0
        k.spaces = b.length[target]


@kernel
def cards_lacking(s: Position, b: Board, seat: int, t: int) -> int:
    """How many cards the seat still lacks for a track, with the colour it has most of."""
    at = seat * HAND
    c = b.colour[t]
    cards = 0
    if c != GRAY:
        cards = s.hand[at + c]
    else:
        for i in range(LOCO):
            cards = max(cards, s.hand[at + i])
    cards = min(cards, b.length[t] - b.ferry[t])
    return max(0, b.length[t] - cards - s.hand[at + LOCO])


# ---------------------------------------------------------------- drawing


@kernel
def weigh_cards(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """What one more card of each colour is worth for the planned tracks."""
    count_needs(b, k)
    at = seat * HAND
    locos = s.hand[at + LOCO]
    for c in range(CARDS):
        k.wish[c] = 0
    for word in range(TRACK_WORDS):
        tracks = k.plan[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            weight = k.knob[K_WISH_POINTS] * b.points[b.length[t]] + k.worth[t] + 8
            cards = b.length[t] - b.ferry[t]
            nearest = 20
            if b.colour[t] != GRAY:
                c = b.colour[t]
                if s.hand[at + c] < k.need[c]:
                    nearest = max(1, cards - s.hand[at + c])
                    k.wish[c] += min(300, 12 * weight // nearest)
            else:
                for c in range(LOCO):
                    lacking = cards - max(0, s.hand[at + c] - k.need[c])
                    if lacking > 0:
                        k.wish[c] += min(300, 8 * weight // lacking // lacking)
                        nearest = min(nearest, lacking)
            if b.ferry[t] > locos:
                k.wish[LOCO] = max(k.wish[LOCO], 12 * weight)
            k.wish[LOCO] = max(k.wish[LOCO], k.knob[K_LOCO_WISH] * weight // nearest)


@kernel
def unseen_cards(s: Position, b: Board, seat: int, c: int) -> int:
    """How many cards of a kind are where the seat cannot see them."""
    n = b.locomotives if c == LOCO else b.cards_per_colour
    n -= s.discard[c]
    for i in range(b.display):
        if s.display[i] == c:
            n -= 1
    for p in range(s.players):
        n -= s.hand[p * HAND + c]
    return n


@kernel
def deck_wish(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """What a card from the deck is worth on the average."""
    total = 0
    cards = 0
    for c in range(CARDS):
        n = unseen_cards(s, b, seat, c)
        cards += n
        total += n * k.wish[c]
    return total // cards if cards > 0 else 0


@kernel
def choose_draw(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """The card that helps the plan most, or NO_CHOICE."""
    menu = w.menu[MISC]
    weigh_cards(s, b, k, seat)
    best = -1
    second = -1
    code = NO_CHOICE
    loco = -1
    if (menu >> DRAW_DECK) & 1:
        best = deck_wish(s, b, k, seat)
        second = best
        code = DRAW_DECK
    for i in range(b.display):
        if (menu >> (DRAW_DISPLAY + i)) & 1:
            value = k.wish[s.display[i]]
            if s.display[i] == LOCO:
                loco = i
            elif value > best:
                second = best
                best = value
                code = DRAW_DISPLAY + i
            elif value > second:
                second = value
    if b.terrains > 0:
        weigh_terrain(s, b, k, seat)
        for i in range(b.terrain_up):
            if (menu >> (TAKE_TERRAIN + i)) & 1:
                value = k.terrain_wish[s.terrain_up[i]]
                if value > best:
                    second = best
                    best = value
                    code = TAKE_TERRAIN + i
                elif value > second:
                    second = value
    if loco >= 0 and (code == NO_CHOICE or k.wish[LOCO] > best + second):
        code = DRAW_DISPLAY + loco
    return code


@kernel
def weigh_terrain(s: Position, b: Board, k: PathWork, seat: int) -> None:
    """What one more terrain card of each type is worth for doubling planned tracks (AFR-09 .. AFR-11)."""
    for kind in range(b.terrains):
        k.terrain_wish[kind] = 0
    for word in range(TRACK_WORDS):
        tracks = k.plan[word]
        while tracks:
            t = word * BITS + lowest(tracks)
            tracks &= tracks - 1
            due = b.to_double[b.length[t]]
            kind = b.terrain_of[b.colour[t]]
            mine = s.terrain[seat * TERRAINS + kind]
            lacking = max(due, most_of_others(s, seat, kind)) - mine
            if due > 0 and lacking > 0:
                value = 12 * k.knob[K_TERRAIN] * b.points[b.length[t]] // lacking
                k.terrain_wish[kind] = max(k.terrain_wish[kind], value)


# ---------------------------------------------------------------- details of a claim


@kernel
def choose_double(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Double a track if its points are worth the cards, with as few locomotives as possible."""
    t = s.claim_track
    length = b.length[t]
    locos = lowest(w.menu[MISC] >> DOUBLED)
    cards = max(0, b.to_double[length] - locos)
    price = k.knob[K_DOUBLE_CARD] * cards + k.knob[K_DOUBLE_LOCO] * locos
    if s.turns_left > 0:
        price = 0
    return DOUBLED + locos if b.points[length] >= price else SINGLE


@kernel
def choose_festival(s: Position, b: Board, seat: int) -> int:
    """The end whose festival cards add more."""
    first = festival_gain(s, b, seat, b.track_a[s.claim_track])
    second = festival_gain(s, b, seat, b.track_b[s.claim_track])
    return FESTIVAL_A if first >= second else FESTIVAL_B


# ---------------------------------------------------------------- tickets


@kernel
def ticket_value(s: Position, b: Board, k: PathWork, seat: int, ticket: int) -> int:
    """What a ticket would add to the plan, in eighths of a point; its chain is left in k.goal and k.via."""
    price = search(b, k, b.ticket_a[ticket], b.ticket_b[ticket], NOWHERE)
    points = b.ticket_points[ticket]
    if price >= NOWHERE:
        return -16 * points
    spaces = k.spaces + spaces_to(b, k, b.ticket_a[ticket])
    if spaces > s.trains[seat]:
        return -16 * points - min(spaces, 200)
    value = k.knob[K_KEEP_POINTS] * points - k.knob[K_KEEP_PRICE] * price
    if spaces > s.trains[seat] - k.knob[K_KEEP_SLACK]:
        value -= 8 * points
    return value


@kernel
def plan_offer(s: Position, b: Board, k: PathWork, seat: int, first: int, last: int) -> None:
    """Take tickets of the offer into the plan as if they were held."""
    for i in range(seat * OFFER + first, seat * OFFER + last):
        ticket = s.offer[i]
        if ticket_value(s, b, k, seat, ticket) > -16 * b.ticket_points[ticket]:
            adopt(b, k, b.ticket_a[ticket], b.ticket_points[ticket])


@kernel
def choose_tickets(s: Position, b: Board, w: Work, k: PathWork, seat: int) -> int:
    """Keep, one after the other, the offered ticket that adds most to the plan, while it adds anything."""
    plan_tickets(s, b, k, seat)
    kept = 0
    while True:
        best = -(1 << 20)
        chosen = -1
        for i in range(s.offer_n[seat]):
            if not (kept >> i) & 1:
                value = ticket_value(s, b, k, seat, s.offer[seat * OFFER + i])
                if value > best:
                    best = value
                    chosen = i
        if chosen < 0:
            break
        if kept and (w.menu[KEEP] >> (kept - 1)) & 1 and best < least_value(s, b, k):
            break
        kept |= 1 << chosen
        ticket = s.offer[seat * OFFER + chosen]
        if ticket_value(s, b, k, seat, ticket) > -16 * b.ticket_points[ticket]:
            adopt(b, k, b.ticket_a[ticket], b.ticket_points[ticket])
        if s.phase == DRAFT_KEEP and popcount(kept) == b.draft_keep:
            break
    return 64 * KEEP + kept - 1


@kernel
def least_value(s: Position, b: Board, k: PathWork) -> int:
    """What a ticket must add to be kept of one's own will."""
    return k.knob[K_KEEP_LEAST]


@kernel
def choose_pick(s: Position, b: Board, k: PathWork, seat: int) -> int:
    """Take the ticket of the pack that adds most to those held and taken (IBE-04)."""
    plan_tickets(s, b, k, seat)
    plan_offer(s, b, k, seat, 0, s.offer_n[seat])
    at = pack_of(s, seat) * OFFER
    best = -(1 << 20)
    code = NO_CHOICE
    for i in range(s.pack_n):
        if s.taken[at + i] == 0:
            value = ticket_value(s, b, k, seat, s.pack[at + i])
            if value > best:
                best = value
                code = PICK + i
    return code
