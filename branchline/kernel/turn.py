"""The turn engine: which decisions are open, what each does, and how a turn ends (C-09, C-33, C-34, C-40, C-41)."""

from __future__ import annotations

from branchline.kernel.claim import (
    claim_menu,
    complete_claim,
    least_locos,
    most_locos,
    range_menu,
)
from branchline.kernel.draft import begin_draft, end_draft, pick, pick_menu
from branchline.kernel.draw import (
    draw_menu,
    fill_terrain,
    next_terrain_card,
    next_train_card,
    refill_display,
    take_from_display,
)
from branchline.kernel.festivals import take_festivals, waiting_group
from branchline.kernel.primitives import kernel, lowest, popcount
from branchline.kernel.report import tell
from branchline.kernel.state import (
    ALL_PASSED,
    BITS,
    BUSY_TURN,
    CARDS,
    CLAIM,
    CODES,
    DECLINE,
    DOUBLE,
    DOUBLED,
    DRAFT_KEEP,
    DRAFT_PICK,
    DRAW_DECK,
    DRAW_DISPLAY,
    DRAW_FIRST,
    DRAW_SECOND,
    E_DREW,
    E_LAST_ROUND,
    E_OVER,
    E_PASSED,
    E_TERRAIN,
    E_TERRAIN_FILLED,
    E_TURN,
    FAILED_TUNNEL,
    FESTIVAL_A,
    FESTIVAL_B,
    FESTIVAL_CHOICE,
    FIRST_TICKETS,
    HAND,
    KEEP,
    KEEP_TICKETS,
    LAST_ROUND,
    LOCO,
    LOCOS,
    MISC,
    NO_CARD,
    NO_PROGRESS,
    NOT_ENDED,
    OVER,
    PASS,
    PASSED_TURN,
    PAY,
    PAY_STATION,
    PICK,
    RETURN,
    SINGLE,
    STATION,
    TAKE_TERRAIN,
    TERRAIN_DECK,
    TERRAINS,
    TICKETS,
    TUNNEL,
    TURN,
    Board,
    Position,
    Work,
)
from branchline.kernel.stations import (
    build_station,
    least_station_locos,
    most_station_locos,
    station_menu,
)
from branchline.kernel.terrain import double_menu, play_terrain
from branchline.kernel.tickets import (
    draw_tickets,
    keep_menu,
    keep_offered,
    order_is_open,
    return_menu,
    return_next,
    take_offer,
)
from branchline.kernel.tunnels import discard_turned, give_up_tunnel, is_tunnel, tunnel_menu, turn_up

IDLE_ROUNDS = 10


# ---------------------------------------------------------------- what may be chosen


@kernel
def fill_menu(s: Position, b: Board, w: Work, seat: int) -> None:
    """Write the legal actions of a seat into the menu, words menu_from .. menu_to - 1."""
    w.menu_from = MISC
    w.menu_to = MISC + 1
    if not (s.awaited >> seat) & 1:
        w.menu_to = MISC
    elif s.phase == TURN:
        turn_menu(s, b, w, seat)
    elif choosing_tickets(s, seat):
        w.menu_from = KEEP
        w.menu_to = KEEP + 1
        w.menu[KEEP] = offered_menu(s, b, seat)
    else:
        w.menu[MISC] = phase_menu(s, b, seat)


@kernel
def turn_menu(s: Position, b: Board, w: Work, seat: int) -> None:
    """The actions of C-09, and the pass of C-34 when there is none."""
    w.menu[MISC] = draw_menu(s, b, 0)
    if s.ticket_n > 0 and (b.draft_cards == 0 or s.draft >= 2):
        w.menu[MISC] |= 1 << TICKETS
    claim_menu(s, b, w, seat)
    w.menu_to = STATION
    if b.stations_each > 0:
        station_menu(s, b, w, seat)
        w.menu_to = KEEP
    if w.menu[MISC] == 0 and count_menu(w) == 0:
        w.menu[MISC] = 1 << PASS


@kernel
def choosing_tickets(s: Position, seat: int) -> int:
    """1 if the seat has to say which offered tickets it keeps."""
    if s.phase == DRAFT_KEEP:
        return 1
    return 1 if (s.phase == FIRST_TICKETS or s.phase == KEEP_TICKETS) and s.kept_n[seat] == 0 else 0


@kernel
def offered_menu(s: Position, b: Board, seat: int) -> int:
    """The sets that may be kept (C-06, C-28, EUR-01, IBE-05, AFR-02)."""
    n = s.offer_n[seat]
    if s.phase == DRAFT_KEEP:
        return keep_menu(n, b.draft_keep, b.draft_keep)
    if s.phase == FIRST_TICKETS:
        return keep_menu(n, b.keep_first, n)
    return keep_menu(n, min(b.ticket_keep, n), n)


@kernel
def phase_menu(s: Position, b: Board, seat: int) -> int:
    """The choices of a decision that an action has opened."""
    if s.phase == DRAW_SECOND:
        return draw_menu(s, b, 1)
    if s.phase == DRAW_FIRST:
        return draw_menu(s, b, 0)
    if s.phase == PAY:
        return range_menu(least_locos(s, b, seat), most_locos(s, b, seat))
    if s.phase == TUNNEL:
        return tunnel_menu(s, b, seat)
    if s.phase == DOUBLE:
        return double_menu(s, b, seat)
    if s.phase == FESTIVAL_CHOICE:
        return (1 << FESTIVAL_A) | (1 << FESTIVAL_B)
    if s.phase == PAY_STATION:
        return range_menu(least_station_locos(s, seat), most_station_locos(s, seat))
    if s.phase == DRAFT_PICK:
        return pick_menu(s, seat)
    return return_menu(s, seat)


@kernel
def count_menu(w: Work) -> int:
    n = 0
    for i in range(w.menu_from, w.menu_to):
        n += popcount(w.menu[i])
    return n


@kernel
def nth_of_menu(w: Work, k: int) -> int:
    """The code of the k-th action of the menu, counted from 0."""
    i = w.menu_from
    n = popcount(w.menu[i])
    while k >= n:
        k -= n
        i += 1
        n = popcount(w.menu[i])
    return 64 * i + nth_bit(w.menu[i], k)


@kernel
def nth_bit(word: int, k: int) -> int:
    """The index of the k-th set bit of a word."""
    shift = 0
    width = 32
    while width > 0:  # without branches: which half it is in cannot be foretold
        n = popcount((word >> shift) & ((1 << width) - 1))
        beyond = 1 if k >= n else 0
        k -= n * beyond
        shift += width * beyond
        width >>= 1
    return shift


@kernel
def write_menu(w: Work) -> int:
    """Write the codes of the menu into w.codes, ascending; their number."""
    n = 0
    codes = w.codes
    for i in range(w.menu_from, w.menu_to):
        word = w.menu[i]
        while word:
            codes[n] = 64 * i + lowest(word)
            word &= word - 1
            n += 1
    return n


@kernel
def is_legal(s: Position, b: Board, w: Work, seat: int, code: int) -> int:
    """The one door: 1 if a seat may choose this code now. Leaves the menu filled."""
    if seat < 0 or seat >= s.players:
        return 0
    fill_menu(s, b, w, seat)
    if code < 0 or code >= CODES or (code & 63) >= BITS:
        return 0
    word = code >> 6
    if word < w.menu_from or word >= w.menu_to:
        return 0
    return (w.menu[word] >> (code & 63)) & 1


# ---------------------------------------------------------------- what a choice does


@kernel
def play(s: Position, b: Board, w: Work, seat: int, code: int) -> int:
    """Play a legal action; 0, and nothing changed, if it is not legal."""
    if not is_legal(s, b, w, seat, code):
        return 0
    apply_action(s, b, w, seat, code)
    return 1


@kernel
def apply_action(s: Position, b: Board, w: Work, seat: int, code: int) -> None:
    """Do what a legal action says."""
    w.event_n = 0
    s.sweeps = 0
    s.moves += 1
    word = code >> 6
    bit = code & 63
    if word == MISC:
        if bit <= DRAW_DECK:
            draw_train_card(s, b, w, seat, bit)
        else:
            apply_choice(s, b, w, seat, bit)
    elif word < STATION:
        s.claim_track = ((word - CLAIM) & 1) * BITS + bit
        s.claim_colour = (word - CLAIM) >> 1
        open_claim(s, b, w, seat)
    elif word < KEEP:
        s.claim_track = bit
        s.claim_colour = word - STATION
        open_station(s, b, w, seat)
    else:
        keep_offered(s, seat, bit + 1)
        settle_offer(s, b, w, seat)


@kernel
def apply_choice(s: Position, b: Board, w: Work, seat: int, bit: int) -> None:
    """The actions of the MISC word other than train cards."""
    if bit <= TERRAIN_DECK:
        draw_terrain_card(s, b, w, seat, bit)
    elif bit == TICKETS:
        draw_tickets(s, b, w, seat)
        s.phase = KEEP_TICKETS
    elif bit == PASS:
        tell(w, E_PASSED, seat, 0, 0, 0)
        end_turn(s, b, w, PASSED_TURN)
    elif bit == DECLINE:
        give_up_tunnel(s, w, seat)
        end_turn(s, b, w, FAILED_TUNNEL)
    elif bit <= FESTIVAL_B:
        place = b.track_a[s.claim_track] if bit == FESTIVAL_A else b.track_b[s.claim_track]
        close_claim(s, b, w, seat, b.group[place])
    elif bit < LOCOS:
        s.claim_double = 0 if bit == SINGLE else 1 + bit - DOUBLED
        open_festival(s, b, w, seat)
    elif bit < PICK:
        pay_locos(s, b, w, seat, bit - LOCOS)
    elif bit < RETURN:
        pick(s, b, w, seat, bit - PICK)
        if s.awaited == 0:
            close_draft(s, b, w)
    else:
        return_next(s, seat, bit - RETURN)
        settle_offer(s, b, w, seat)


@kernel
def draw_train_card(s: Position, b: Board, w: Work, seat: int, i: int) -> None:
    """Draw from place i of the display, or from the deck (C-10 .. C-14)."""
    second = s.phase == DRAW_SECOND
    if i == DRAW_DECK:
        card = next_train_card(s, b, w)
        if card == NO_CARD:  # only festival cards came: the draw is not used up (IBE-07)
            go_on_drawing(s, b, w, 1 if second else 0)
            return
        s.hand[seat * HAND + card] += 1
        tell(w, E_DREW, seat, -1, card, 0)
    else:
        tell(w, E_DREW, seat, i, s.display[i], 0)
        card = take_from_display(s, b, w, i - DRAW_DISPLAY)
        s.hand[seat * HAND + card] += 1
        s.seen[seat * CARDS + card] += 1
        if card == LOCO:
            second = True
    if second:
        end_turn(s, b, w, BUSY_TURN)
    else:
        go_on_drawing(s, b, w, 1)


@kernel
def draw_terrain_card(s: Position, b: Board, w: Work, seat: int, bit: int) -> None:
    """Draw a terrain card instead of a train card (AFR-05, AFR-07)."""
    second = s.phase == DRAW_SECOND
    if bit == TERRAIN_DECK:
        card = next_terrain_card(s, b, w)
        tell(w, E_TERRAIN, seat, -1, card, 0)
    else:
        i = bit - TAKE_TERRAIN
        card = s.terrain_up[i]
        tell(w, E_TERRAIN, seat, i, card, 0)
        s.terrain_up[i] = next_terrain_card(s, b, w)
        if s.terrain_up[i] != NO_CARD:
            tell(w, E_TERRAIN_FILLED, i, s.terrain_up[i], 0, 0)
    s.terrain[seat * TERRAINS + card] += 1
    if second:
        end_turn(s, b, w, BUSY_TURN)
    else:
        go_on_drawing(s, b, w, 1)


@kernel
def go_on_drawing(s: Position, b: Board, w: Work, second: int) -> None:
    """A card is still to be drawn, if one can be (C-20, IBE-07, AFR-21)."""
    s.phase = DRAW_SECOND if second else DRAW_FIRST
    if draw_menu(s, b, second) == 0:
        end_turn(s, b, w, BUSY_TURN)


@kernel
def open_claim(s: Position, b: Board, w: Work, seat: int) -> None:
    """A track and a colour are chosen; ask how many locomotives, if that is a choice."""
    least = least_locos(s, b, seat)
    if least < most_locos(s, b, seat):
        s.phase = PAY
    else:
        pay_locos(s, b, w, seat, least)


@kernel
def open_station(s: Position, b: Board, w: Work, seat: int) -> None:
    """A place and a colour are chosen; ask how many locomotives, if that is a choice."""
    least = least_station_locos(s, seat)
    s.phase = PAY_STATION
    if least == most_station_locos(s, seat):
        pay_locos(s, b, w, seat, least)


@kernel
def pay_locos(s: Position, b: Board, w: Work, seat: int, locos: int) -> None:
    """The number of locomotives is chosen, for a claim, a station or a tunnel's extra cards."""
    if s.phase == PAY_STATION:
        build_station(s, w, seat, locos)
        end_turn(s, b, w, BUSY_TURN)
    elif s.phase == TUNNEL:
        complete_claim(s, b, w, seat, s.due - locos, locos)
        discard_turned(s)
        end_turn(s, b, w, BUSY_TURN)
    else:
        s.claim_locos = locos
        if locos == b.length[s.claim_track]:
            s.claim_colour = LOCO  # locomotives alone, whatever the track's colour (EUR-15)
        if is_tunnel(b, s.claim_track):
            enter_tunnel(s, b, w, seat)
        elif double_menu(s, b, seat):
            s.phase = DOUBLE
        else:
            open_festival(s, b, w, seat)


@kernel
def enter_tunnel(s: Position, b: Board, w: Work, seat: int) -> None:
    """Turn up the cards; ask for the extra cards if any are due (EUR-17)."""
    turn_up(s, b, w, seat)
    if s.due > 0:
        s.phase = TUNNEL
    else:
        complete_claim(s, b, w, seat, 0, 0)
        discard_turned(s)
        end_turn(s, b, w, BUSY_TURN)


@kernel
def open_festival(s: Position, b: Board, w: Work, seat: int) -> None:
    """Ask at which end the festival cards are taken, where that is a choice (IBE-14)."""
    first = waiting_group(s, b, b.track_a[s.claim_track])
    second = waiting_group(s, b, b.track_b[s.claim_track])
    if first >= 0 and second >= 0 and first != second:
        s.phase = FESTIVAL_CHOICE
    else:
        close_claim(s, b, w, seat, max(first, second))


@kernel
def close_claim(s: Position, b: Board, w: Work, seat: int, group: int) -> None:
    """Everything about the claim is chosen: carry it out."""
    play_terrain(s, b, w, seat)
    complete_claim(s, b, w, seat, 0, 0)
    take_festivals(s, w, seat, group)
    end_turn(s, b, w, BUSY_TURN)


@kernel
def settle_offer(s: Position, b: Board, w: Work, seat: int) -> None:
    """A choice about offered tickets was made; carry it out when nothing about it is open."""
    if s.phase == DRAFT_KEEP:
        s.awaited &= ~(1 << seat)
        if s.awaited == 0:
            close_draft(s, b, w)
    elif not order_is_open(s, b, seat):
        if s.phase == KEEP_TICKETS:
            take_offer(s, b, w, seat)
            end_turn(s, b, w, BUSY_TURN)
        else:
            s.awaited &= ~(1 << seat)
            if s.awaited == 0:
                close_first_tickets(s, b, w)


@kernel
def close_first_tickets(s: Position, b: Board, w: Work) -> None:
    """All have chosen; what they did not keep goes back in seat order (C-06)."""
    for seat in range(s.players):
        take_offer(s, b, w, seat)
    begin_turn(s, w)


@kernel
def close_draft(s: Position, b: Board, w: Work) -> None:
    end_draft(s, b, w)
    begin_turn(s, w)


# ---------------------------------------------------------------- how a turn begins and ends


@kernel
def begin_turn(s: Position, w: Work) -> None:
    s.phase = TURN
    s.awaited = 1 << s.seat
    tell(w, E_TURN, s.seat, 0, 0, 0)


@kernel
def end_turn(s: Position, b: Board, w: Work, kind: int) -> None:
    """The end of a turn, in the order of C-40."""
    clear_claim(s)
    refill_display(s, b, w)
    if b.terrains > 0:
        fill_terrain(s, b, w)
    reason = end_of_game(s, kind)
    if reason != NOT_ENDED:
        s.phase = OVER
        s.awaited = 0
        s.end = reason
        tell(w, E_OVER, reason, 0, 0, 0)
        return
    if s.turns_left == 0 and s.trains[s.seat] <= b.last_round_at:
        s.turns_left = s.players
        tell(w, E_LAST_ROUND, s.seat, 0, 0, 0)
    s.seat = (s.seat + 1) % s.players
    if s.draft_due == 0 or begin_draft(s, b, w) == 0:
        begin_turn(s, w)
    elif s.awaited == 0:
        close_draft(s, b, w)


@kernel
def clear_claim(s: Position) -> None:
    s.claim_track = -1
    s.claim_colour = 0
    s.claim_locos = 0
    s.claim_double = 0
    s.due = 0


@kernel
def end_of_game(s: Position, kind: int) -> int:
    """Count the turn just played; the reason if the game ends with it (C-33, C-34)."""
    s.passes = s.passes + 1 if kind == PASSED_TURN else 0
    s.idle_turns = 0 if kind == BUSY_TURN else s.idle_turns + 1
    if s.turns_left > 0:
        s.turns_left -= 1
        if s.turns_left == 0:
            return LAST_ROUND
    if s.passes >= s.players:
        return ALL_PASSED
    if s.idle_turns >= IDLE_ROUNDS * s.players:
        return NO_PROGRESS
    return NOT_ENDED
