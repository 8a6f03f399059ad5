"""The turn engine: which decisions are open, what each does, and how a turn ends (C-09, C-33, C-34, C-40, C-41)."""

from __future__ import annotations

from branchline.kernel.claim import claim_menu, complete_claim, least_locos, most_locos, range_menu
from branchline.kernel.draw import draw_menu, next_train_card, refill_display, take_from_display
from branchline.kernel.hooks import (
    between_turns,
    choice_made,
    forget_claim,
    keeps_offered,
    locos_chosen,
    more_actions,
    offer_chosen,
    phase_choices,
    question_of_claim,
    sets_to_keep,
    tickets_closed,
    turn_ends,
    turn_goes_on,
    word_chosen,
)
from branchline.kernel.primitives import kernel, lowest, popcount
from branchline.kernel.report import tell
from branchline.kernel.state import (
    ALL_PASSED,
    BITS,
    BUSY_TURN,
    CARDS,
    CLAIM,
    CLAIM_END,
    CODES,
    DRAW_DECK,
    DRAW_DISPLAY,
    DRAW_FIRST,
    DRAW_SECOND,
    E_DREW,
    E_LAST_ROUND,
    E_OVER,
    E_PASSED,
    E_TURN,
    FIRST_TICKETS,
    HAND,
    KEEP,
    KEEP_TICKETS,
    LAST_ROUND,
    LENGTHS,
    LOCO,
    LOCOS,
    MISC,
    NO_CARD,
    NO_PROGRESS,
    NOT_ENDED,
    OFFER,
    OVER,
    PASS,
    PASSED_TURN,
    PAY,
    RETURN,
    TICKETS,
    TRACK_WORDS,
    TURN,
    WORD,
    Board,
    Position,
    Work,
)
from branchline.kernel.tickets import (
    draw_tickets,
    keep_menu,
    keep_offered,
    order_is_open,
    return_menu,
    return_next,
    take_offer,
)

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
    elif s.phase == DRAW_SECOND:
        w.menu[MISC] = draw_menu(s, b, 1)
    elif choosing_tickets(s, seat):
        w.menu_from = KEEP
        w.menu_to = KEEP + 1
        w.menu[KEEP] = offered_menu(s, b, seat)
    else:
        w.menu[MISC] = phase_menu(s, b, w, seat)


@kernel
def turn_menu(s: Position, b: Board, w: Work, seat: int) -> None:
    """The actions of C-09, and the pass of C-34 when there is none."""
    w.menu[MISC] = draw_menu(s, b, 0)
    if s.ticket_n > 0 and not tickets_closed(s, b):
        w.menu[MISC] |= 1 << TICKETS
    claim_menu(s, b, w, seat)
    w.menu_to = CLAIM_END
    more_actions(s, b, w, seat)
    if w.menu[MISC] == 0 and count_menu(w) == 0:
        w.menu[MISC] = 1 << PASS


@kernel
def open_words(w: Work, first: int, end: int) -> None:
    """Let the menu of a turn go up to the word before `end`; the words from `first` on are about to be written."""
    for i in range(w.menu_to, first):
        w.menu[i] = 0
    w.menu_to = max(w.menu_to, end)


@kernel
def choosing_tickets(s: Position, seat: int) -> int:
    """1 if the seat has to say which offered tickets it keeps."""
    if s.phase == FIRST_TICKETS or s.phase == KEEP_TICKETS:
        return 1 if s.kept_n[seat] == 0 else 0
    return keeps_offered(s)


@kernel
def offered_menu(s: Position, b: Board, seat: int) -> int:
    """The sets that may be kept (C-06, C-28, EUR-01, AFR-02)."""
    n = s.offer_n[seat]
    if s.phase == FIRST_TICKETS:
        return keep_menu(n, b.keep_first, n)
    if s.phase == KEEP_TICKETS:
        return keep_menu(n, min(b.ticket_keep, n), n)
    return sets_to_keep(s, b, seat)


@kernel
def phase_menu(s: Position, b: Board, w: Work, seat: int) -> int:
    """The choices of a decision that an action has opened."""
    if s.phase == DRAW_FIRST:
        return draw_menu(s, b, 0)
    if s.phase == PAY:
        return range_menu(least_locos(s, b, seat), most_locos(s, b, seat))
    if s.phase == FIRST_TICKETS or s.phase == KEEP_TICKETS:
        return return_menu(s, seat)
    return phase_choices(s, b, w, seat)


@kernel
def count_menu(w: Work) -> int:
    n = 0
    for i in range(w.menu_from, w.menu_to):
        n += popcount(w.menu[i])
    return n


@kernel
def nth_of_menu(w: Work, nth: int) -> int:
    """The code of the nth action of the menu, counted from 0."""
    i = w.menu_from
    n = popcount(w.menu[i])
    while nth >= n:
        nth -= n
        i += 1
        n = popcount(w.menu[i])
    return WORD * i + nth_bit(w.menu[i], nth)


@kernel
def nth_bit(word: int, nth: int) -> int:
    """The index of the nth set bit of a word, counted from 0."""
    shift = 0
    width = 32
    while width > 0:  # without branches: which half it is in cannot be foretold
        n = popcount((word >> shift) & ((1 << width) - 1))
        beyond = 1 if nth >= n else 0
        nth -= n * beyond
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
            codes[n] = WORD * i + lowest(word)
            word &= word - 1
            n += 1
    return n


@kernel
def is_legal(s: Position, b: Board, w: Work, seat: int, code: int) -> int:
    """The one door: 1 if a seat may choose this code now. Leaves the menu filled."""
    if seat < 0 or seat >= s.players:
        return 0
    fill_menu(s, b, w, seat)
    if code < 0 or code >= CODES or code % WORD >= BITS:
        return 0
    word = code // WORD
    if word < w.menu_from or word >= w.menu_to:
        return 0
    return (w.menu[word] >> (code % WORD)) & 1


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
    word = code // WORD
    bit = code % WORD
    if word == MISC:
        if bit <= DRAW_DECK:
            draw_train_card(s, b, w, seat, bit)
        else:
            apply_choice(s, b, w, seat, bit)
    elif word < CLAIM_END:
        s.claim_track = (word - CLAIM) % TRACK_WORDS * BITS + bit
        s.claim_colour = (word - CLAIM) // TRACK_WORDS
        open_claim(s, b, w, seat)
    elif word == KEEP:
        keep_offered(s, seat, bit + 1)
        settle_offer(s, b, w, seat)
    else:
        word_chosen(s, b, w, seat, word, bit)


@kernel
def apply_choice(s: Position, b: Board, w: Work, seat: int, bit: int) -> None:
    """The actions of the MISC word other than train cards."""
    if bit == TICKETS:
        draw_tickets(s, b, w, seat)
        s.phase = KEEP_TICKETS
    elif bit == PASS:
        tell(w, E_PASSED, seat, 0, 0, 0)
        end_turn(s, b, w, PASSED_TURN)
    elif RETURN <= bit < RETURN + OFFER:
        return_next(s, seat, bit - RETURN)
        settle_offer(s, b, w, seat)
    elif bit < LOCOS or bit >= LOCOS + LENGTHS:
        choice_made(s, b, w, seat, bit)
    elif s.phase == PAY:
        pay_for_track(s, b, w, seat, bit - LOCOS)
    else:
        locos_chosen(s, b, w, seat, bit - LOCOS)


@kernel
def draw_train_card(s: Position, b: Board, w: Work, seat: int, i: int) -> None:
    """Draw from place i of the display, or from the deck (C-10 .. C-14)."""
    second = s.phase == DRAW_SECOND
    if i == DRAW_DECK:
        card = next_train_card(s, b, w)
        if card == NO_CARD:  # none but cards of other kinds came: the draw is not used up (IBE-07)
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
def go_on_drawing(s: Position, b: Board, w: Work, second: int) -> None:
    """A card is still to be drawn, if one can be (C-20)."""
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
        pay_for_track(s, b, w, seat, least)


@kernel
def pay_for_track(s: Position, b: Board, w: Work, seat: int, locos: int) -> None:
    """The cards that pay for the pending claim are chosen."""
    s.claim_locos = locos
    if locos == b.length[s.claim_track]:
        s.claim_colour = LOCO  # locomotives alone, whatever the track's colour (EUR-15)
    go_on_with_claim(s, b, w, seat)


@kernel
def go_on_with_claim(s: Position, b: Board, w: Work, seat: int) -> None:
    """Ask what else is open about the pending claim; carry it out when there is nothing left."""
    if not question_of_claim(s, b, w, seat):
        close_claim(s, b, w, seat, 0, 0)


@kernel
def close_claim(s: Position, b: Board, w: Work, seat: int, extra_cards: int, extra_locos: int) -> None:
    """Everything about the claim is chosen: carry it out."""
    complete_claim(s, b, w, seat, extra_cards, extra_locos)
    if not turn_goes_on(s, b, w, seat):
        end_turn(s, b, w, BUSY_TURN)


@kernel
def settle_offer(s: Position, b: Board, w: Work, seat: int) -> None:
    """A choice about offered tickets was made; carry it out when nothing about it is open."""
    if s.phase != FIRST_TICKETS and s.phase != KEEP_TICKETS:
        offer_chosen(s, b, w, seat)
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
    turn_ends(s, b, w)
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
    if not between_turns(s, b, w):
        begin_turn(s, w)


@kernel
def clear_claim(s: Position) -> None:
    s.claim_track = -1
    s.claim_colour = 0
    s.claim_locos = 0
    forget_claim(s)


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
