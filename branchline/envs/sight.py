"""Writing a seat's observation, and the mask of its choices: kernel Python over the tables of a layout."""

from __future__ import annotations

from branchline.envs.layout import AS_AWAITED, AS_ONE_OF, AS_SEATS, AS_SETS, AS_TICKETS, AS_TURN, TABLE_ROW
from branchline.kernel.primitives import kernel, lowest
from branchline.kernel.state import BITS, HELD, REMOVED, RETURNED, Work


@kernel
def write_mask(w: Work, index: list[int], mask: list[int], at: int, choices: int) -> None:
    """A flag for each choice that stands in the menu."""
    for i in range(choices):
        mask[at + i] = 0
    for word in range(w.menu_from, w.menu_to):
        bits = w.menu[word]
        while bits:
            mask[at + index[64 * word + lowest(bits)]] = 1
            bits &= bits - 1


@kernel
def write_sight(
    words: list[int],
    shorts: list[int],
    bytes: list[int],
    table: list[int],
    rows: int,
    out: list[int],
    at: int,
    seat: int,
    players: int,
) -> None:
    """What a seat sees, from a position that was wiped for it, read as words, pairs of bytes and bytes. All numbers of
    `out` are 0 before: flags are many, and few of them are set."""
    for row in range(rows):
        i = row * TABLE_ROW
        kind = table[i]
        to = at + table[i + 6]
        if kind == AS_SETS:
            write_sets(words, table, i, out, to, seat, players)
        elif table[i + 2]:
            write_numbers(shorts, table, i, out, to, seat, players)
        elif kind == AS_ONE_OF or kind == AS_TURN:  # noqa: SIM109  (kernel Python)
            write_flags(bytes, table, i, out, to, seat, players)
        elif kind == AS_AWAITED:
            for k in range(players):
                out[to + k] = (bytes[table[i + 1]] >> ((seat + k) % players)) & 1
        elif kind == AS_TICKETS:
            write_tickets(bytes, table[i + 1], table[i + 4], out, to, seat)
        else:
            write_numbers(bytes, table, i, out, to, seat, players)


@kernel
def write_sets(words: list[int], table: list[int], i: int, out: list[int], to: int, seat: int, players: int) -> None:
    """Sets of tracks or places, as flags."""
    each = table[i + 3]
    width = table[i + 4]
    of_seats = table[i + 5]
    for k in range(of_seats):
        # A set that is told of one seat alone is the reader's own; one that is nobody's has one word group only.
        whose = (seat + k) % players if table[i + 2] else 0
        first = table[i + 1] + whose * each
        for word in range(each):
            bits = words[first + word]
            n = max(0, min(BITS, width - word * BITS))
            if n < BITS:
                bits &= (1 << n) - 1
            while bits:
                out[to + lowest(bits)] = 1
                bits &= bits - 1
            to += n


@kernel
def write_numbers(
    numbers: list[int], table: list[int], i: int, out: list[int], to: int, seat: int, players: int
) -> None:
    """Numbers as they are, or by seat."""
    each = table[i + 3]
    for k in range(table[i + 5]):
        first = table[i + 1]
        if table[i] == AS_SEATS:
            first += ((seat + k) % players) * each
        for j in range(each):
            out[to + j] = numbers[first + j]
        to += each


@kernel
def write_flags(bytes: list[int], table: list[int], i: int, out: list[int], to: int, seat: int, players: int) -> None:
    """One flag a row, for a value or for a seat; none for a value that is not there."""
    width = table[i + 4]
    for k in range(table[i + 5]):
        value = bytes[table[i + 1] + k]
        if table[i] == AS_TURN:
            value = (value - seat) % players
        if 0 <= value < width:
            out[to + value] = 1
        to += width


@kernel
def write_tickets(bytes: list[int], first: int, tickets: int, out: list[int], to: int, seat: int) -> None:
    """Where each ticket is, as far as the seat has a part in it."""
    for t in range(tickets):
        at = bytes[first + t]
        if at:
            out[to + t] = 1 if at == HELD + seat else 2 if at == RETURNED + seat else 3 if at == REMOVED + seat else 0
