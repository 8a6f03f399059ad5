"""All that the kernel and the mechanics of the list make together: every number, the whole records, and who
is asked at each hook of the kernel.

Written by `python -m branchline.mechanics`: do not edit.
"""

from __future__ import annotations

from typing import Annotated

from branchline.kernel import hooks
from branchline.kernel.flat import I8, I16, I32, I64
from branchline.kernel.primitives import kernel
from branchline.kernel.state import (
    ALL_PASSED,
    BITS,
    BUSY_TURN,
    CARDS,
    CLAIM,
    CLAIM_END,
    CODES,
    DISPLAY,
    DRAW_DECK,
    DRAW_DISPLAY,
    DRAW_FIRST,
    DRAW_SECOND,
    E_CLAIMED,
    E_DREW,
    E_FILLED,
    E_KEPT,
    E_LAST_ROUND,
    E_OVER,
    E_PASSED,
    E_RESHUFFLED,
    E_SWEPT,
    E_TICKET,
    E_TICKETS,
    E_TURN,
    EVENT,
    EVENTS,
    FIRST_TICKETS,
    GRAY,
    HAND,
    HELD,
    HIDDEN,
    IMAGINE_STREAM,
    KEEP,
    KEEP_TICKETS,
    LAST_ROUND,
    LENGTHS,
    LOCO,
    LOCOS,
    LONG_STREAM,
    MENU,
    MISC,
    MIXED_STREAM,
    NO_CARD,
    NO_PROGRESS,
    NOT_ENDED,
    OFFER,
    OVER,
    PAIR,
    PASS,
    PASSED_TURN,
    PAY,
    POLICY_STREAM,
    REMOVED,
    RETURN,
    RETURNED,
    RIGS,
    SEATS,
    TICKET_STREAM,
    TICKETS,
    TIE_NONE,
    TIE_PATH,
    TIE_TICKETS,
    TRACK_WORDS,
    TRAIN_STREAM,
    TURN,
    UNKNOWN,
    VAIN_TURN,
    WORD,
)
from branchline.maps.model import MapData
from branchline.mechanics.drafts import state as drafts
from branchline.mechanics.drafts.rules import (
    draft_card_came_up,
    draft_keep_menu,
    draft_tables,
    fill_offers_from_packs,
    fill_packs,
    first_draft,
    guess_packs,
    hidden_in_packs,
    insert_draft_card,
    keep_of_draft,
    note_packs,
    pick,
    pick_menu,
    put_draft_card_in,
    second_draft,
    veil_packs,
)
from branchline.mechanics.drafts.state import (
    DEPTH_STREAM,
    DRAFT_CARD,
    DRAFT_KEEP,
    DRAFT_PICK,
    E_DRAFT,
    E_DRAFT_CARD,
    E_PACKS,
    E_PICKED,
    IMAGINED_PACKS,
    PICK,
)
from branchline.mechanics.ferries import state as ferries
from branchline.mechanics.ferries.rules import close_ferries, ferry_locos, ferry_tables
from branchline.mechanics.festivals import state as festivals
from branchline.mechanics.festivals.rules import (
    add_festival_cards,
    count_festivals,
    festival_chosen,
    festival_menu,
    festival_tables,
    imagine_festivals,
    lay_festival,
    open_festival,
    score_festivals,
    take_festivals,
    veil_piles,
)
from branchline.mechanics.festivals.state import (
    E_FESTIVAL,
    E_FESTIVALS_TAKEN,
    FESTIVAL,
    FESTIVAL_A,
    FESTIVAL_B,
    FESTIVAL_CHOICE,
    FESTIVALS_WRONG,
    GROUPS,
)
from branchline.mechanics.mail import state as mail
from branchline.mechanics.mail.rules import (
    check_mail,
    imagine_mail,
    lay_bags,
    mail_chosen,
    mail_menu,
    mail_tables,
    more_mail_first,
    score_mail,
    see_to_mail,
    veil_bags,
)
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
    TIE_MAIL,
)
from branchline.mechanics.stations import state as stations
from branchline.mechanics.stations.rules import (
    build_station,
    fewer_stations_first,
    free_sites,
    lent_by_station,
    open_station,
    others_tracks_at,
    own_stations,
    score_loans,
    score_stations,
    station_loans,
    station_locos_menu,
    station_menu,
    station_tables,
)
from branchline.mechanics.stations.state import E_STATION, PAY_STATION, STATION, STATIONS, TIE_STATIONS
from branchline.mechanics.terrain import state as terrain
from branchline.mechanics.terrain.rules import (
    ask_to_double,
    count_terrains,
    deal_terrain,
    double_chosen,
    double_menu,
    doubled_points,
    draw_terrain_card,
    fill_terrain,
    imagine_terrain,
    mark_doubled,
    play_terrain,
    terrain_draws,
    terrain_tables,
    veil_terrain_deck,
)
from branchline.mechanics.terrain.state import (
    DOUBLE,
    DOUBLED,
    E_TERRAIN,
    E_TERRAIN_FILLED,
    E_TERRAIN_PLAYED,
    E_TERRAIN_RESHUFFLED,
    IMAGINED_TERRAIN,
    SINGLE,
    TAKE_TERRAIN,
    TERRAIN_DECK,
    TERRAIN_STREAM,
    TERRAIN_UP,
    TERRAIN_WRONG,
    TERRAINS,
)
from branchline.mechanics.tunnels import state as tunnels
from branchline.mechanics.tunnels.rules import (
    discard_turned,
    enter_tunnel,
    give_up_tunnel,
    pay_extra,
    tunnel_menu,
    tunnel_tables,
    turned_cards,
)
from branchline.mechanics.tunnels.state import DECLINE, E_DUE, E_FAILED, E_TUNNEL, E_TURNED, TUNNEL, TURNED

__all__ = [
    "ALL_PASSED",
    "BITS",
    "BUSY_TURN",
    "CARDS",
    "CARRIED",
    "CLAIM",
    "CLAIM_END",
    "CODES",
    "DECLINE",
    "DEPTH_STREAM",
    "DISPLAY",
    "DOUBLE",
    "DOUBLED",
    "DRAFT_CARD",
    "DRAFT_KEEP",
    "DRAFT_PICK",
    "DRAW_DECK",
    "DRAW_DISPLAY",
    "DRAW_FIRST",
    "DRAW_SECOND",
    "EVENT",
    "EVENTS",
    "E_BAGS_LEFT",
    "E_BAG_LAID",
    "E_BAG_SEEN",
    "E_BAG_TAKEN",
    "E_CLAIMED",
    "E_DELIVERED",
    "E_DRAFT",
    "E_DRAFT_CARD",
    "E_DREW",
    "E_DUE",
    "E_FAILED",
    "E_FESTIVAL",
    "E_FESTIVALS_TAKEN",
    "E_FILLED",
    "E_KEPT",
    "E_LAST_ROUND",
    "E_OVER",
    "E_PACKS",
    "E_PASSED",
    "E_PICKED",
    "E_RESHUFFLED",
    "E_STATION",
    "E_SWEPT",
    "E_TERRAIN",
    "E_TERRAIN_FILLED",
    "E_TERRAIN_PLAYED",
    "E_TERRAIN_RESHUFFLED",
    "E_TICKET",
    "E_TICKETS",
    "E_TUNNEL",
    "E_TURN",
    "E_TURNED",
    "FESTIVAL",
    "FESTIVALS_WRONG",
    "FESTIVAL_A",
    "FESTIVAL_B",
    "FESTIVAL_CHOICE",
    "FIRST_TICKETS",
    "GENERATION_ENDS",
    "GRAY",
    "GROUPS",
    "HAND",
    "HELD",
    "HIDDEN",
    "IMAGINED_MAIL",
    "IMAGINED_PACKS",
    "IMAGINED_TERRAIN",
    "IMAGINE_STREAM",
    "KEEP",
    "KEEP_TICKETS",
    "LAST_ROUND",
    "LEAVE_BAGS",
    "LENGTHS",
    "LOCO",
    "LOCOS",
    "LONG_STREAM",
    "MAIL",
    "MAIL_STREAM",
    "MAIL_WRONG",
    "MENU",
    "MISC",
    "MIXED_STREAM",
    "NOT_ENDED",
    "NO_CARD",
    "NO_PROGRESS",
    "OFFER",
    "OVER",
    "PAIR",
    "PASS",
    "PASSED_TURN",
    "PAY",
    "PAY_STATION",
    "PICK",
    "POLICY_STREAM",
    "REMOVED",
    "RETURN",
    "RETURNED",
    "RIGS",
    "SEATS",
    "SINGLE",
    "STATION",
    "STATIONS",
    "SWAP_BAG",
    "TAKE_BAG",
    "TAKE_TERRAIN",
    "TERRAINS",
    "TERRAIN_DECK",
    "TERRAIN_STREAM",
    "TERRAIN_UP",
    "TERRAIN_WRONG",
    "TICKETS",
    "TICKET_STREAM",
    "TIE_MAIL",
    "TIE_NONE",
    "TIE_PATH",
    "TIE_STATIONS",
    "TIE_TICKETS",
    "TRACK_WORDS",
    "TRAIN_STREAM",
    "TUNNEL",
    "TURN",
    "TURNED",
    "UNKNOWN",
    "VAIN_TURN",
    "WORD",
    "Board",
    "Position",
    "Work",
    "add_mixed_cards",
    "after_claim",
    "before_claim",
    "between_turns",
    "break_tie",
    "card_came_up",
    "cards_in_sight",
    "choice_made",
    "counts_twice",
    "deal_more",
    "deal_tickets",
    "find_fault",
    "forget_claim",
    "hidden_tickets_there",
    "imagine_cards_put_in",
    "imagine_mixed_cards",
    "imagine_more",
    "imagine_offers",
    "imagine_tickets",
    "is_small_choice",
    "is_unfinished",
    "keeps_offered",
    "lending_places",
    "lending_sites",
    "loan_at",
    "locos_asked",
    "locos_chosen",
    "make_tables",
    "mixes_cards_in",
    "more_actions",
    "more_draws",
    "more_joins",
    "more_track_points",
    "most_loans",
    "narrow_claims",
    "note_tickets",
    "offer_chosen",
    "offers_lie_elsewhere",
    "phase_choices",
    "put_cards_in",
    "question_of_claim",
    "score_lines",
    "sets_to_keep",
    "tickets_closed",
    "tracks_to_lend",
    "turn_ends",
    "turn_goes_on",
    "veil_more",
    "word_chosen",
    "words_of_position",
]


class Position(
    tunnels.Position, stations.Position, terrain.Position, festivals.Position, drafts.Position, mail.Position
):
    """A whole game at one moment."""

    seed: Annotated[int, I64]
    owned: Annotated[list[int], I64, 10]
    shut: Annotated[list[int], I64, 10]
    doubled: Annotated[list[int], I64, 2]  # terrain
    station_places: Annotated[int, I64]  # stations
    moves: Annotated[int, I32]
    score: Annotated[list[int], I16, 5]
    idle_turns: Annotated[int, I16]
    deck_n: Annotated[int, I16]
    shuffles: Annotated[int, I16]
    mixed_n: Annotated[int, I16]
    players: Annotated[int, I8]
    phase: Annotated[int, I8]
    seat: Annotated[int, I8]
    awaited: Annotated[int, I8]
    turns_left: Annotated[int, I8]
    passes: Annotated[int, I8]
    sweeps: Annotated[int, I8]
    end: Annotated[int, I8]
    fault: Annotated[int, I8]
    trains: Annotated[list[int], I8, 5]
    hand: Annotated[list[int], I8, 50]
    seen: Annotated[list[int], I8, 45]
    display: Annotated[list[int], I8, 5]
    discard: Annotated[list[int], I8, 9]
    deck: Annotated[list[int], I8, 168]
    ticket_deck: Annotated[list[int], I8, 72]
    ticket_at: Annotated[list[int], I8, 72]
    ticket_top: Annotated[int, I8]
    ticket_n: Annotated[int, I8]
    ticket_shuffles: Annotated[int, I8]
    ticket_count: Annotated[list[int], I8, 5]
    offer: Annotated[list[int], I8, 30]
    offer_n: Annotated[list[int], I8, 5]
    kept_n: Annotated[list[int], I8, 5]
    ordered_n: Annotated[list[int], I8, 5]
    stations: Annotated[list[int], I8, 15]  # stations
    pool: Annotated[list[int], I8, 18]  # festivals
    pile: Annotated[list[int], I8, 90]  # festivals
    pile_n: Annotated[list[int], I8, 5]  # festivals
    draft: Annotated[int, I8]  # drafts
    draft_due: Annotated[int, I8]  # drafts
    draft_step: Annotated[int, I8]  # drafts
    pack_n: Annotated[int, I8]  # drafts
    pack: Annotated[list[int], I8, 30]  # drafts
    taken: Annotated[list[int], I8, 30]  # drafts
    terrain: Annotated[list[int], I8, 15]  # terrain
    terrain_up: Annotated[list[int], I8, 3]  # terrain
    terrain_deck: Annotated[list[int], I8, 48]  # terrain
    terrain_n: Annotated[int, I8]  # terrain
    terrain_discard: Annotated[list[int], I8, 3]  # terrain
    terrain_shuffles: Annotated[int, I8]  # terrain
    claim_track: Annotated[int, I8]
    claim_colour: Annotated[int, I8]
    claim_locos: Annotated[int, I8]
    claim_double: Annotated[int, I8]  # terrain
    due: Annotated[int, I8]  # tunnels
    turned: Annotated[list[int], I8, 6]  # tunnels
    turned_n: Annotated[int, I8]  # tunnels
    pad_59: Annotated[list[int], I8, 7]
    delivered: Annotated[list[int], I64, 5]  # mail
    bag: Annotated[list[int], I8, 63]  # mail
    bag_seen: Annotated[list[int], I8, 63]  # mail
    carried: Annotated[list[int], I8, 15]  # mail
    carried_from: Annotated[list[int], I8, 15]  # mail
    carried_seen: Annotated[list[int], I8, 15]  # mail


class Board(tunnels.Board, ferries.Board, stations.Board, terrain.Board, festivals.Board, drafts.Board, mail.Board):
    """What never changes during a game: the map as tables, and shuffles written by hand."""

    twins: Annotated[list[int], I64, 252]
    payable: Annotated[list[int], I64, 360]
    fits: Annotated[list[int], I64, 20]
    at_place: Annotated[list[int], I64, 126]
    ticket_a: Annotated[list[int], I64, 72]
    ticket_b: Annotated[list[int], I64, 72]
    dead_ends: Annotated[int, I64]
    tunnels: Annotated[list[int], I64, 2]  # tunnels
    ferry_ok: Annotated[list[int], I64, 20]  # ferries
    station_sites: Annotated[int, I64]  # stations
    ticket_points: Annotated[list[int], I16, 72]
    points: Annotated[list[int], I16, 10]
    train_rig_n: Annotated[list[int], I16, 12]
    position_words: Annotated[int, I16]
    festival_table: Annotated[list[int], I16, 64]  # festivals
    track_a: Annotated[list[int], I8, 126]
    track_b: Annotated[list[int], I8, 126]
    length: Annotated[list[int], I8, 126]
    colour: Annotated[list[int], I8, 126]
    long_ticket: Annotated[list[int], I8, 72]
    n_places: Annotated[int, I8]
    n_tracks: Annotated[int, I8]
    n_tickets: Annotated[int, I8]
    trains: Annotated[int, I8]
    cards_per_colour: Annotated[int, I8]
    locomotives: Annotated[int, I8]
    first_hand: Annotated[int, I8]
    display: Annotated[int, I8]
    sweep_at: Annotated[int, I8]
    last_round_at: Annotated[int, I8]
    both_tracks_from: Annotated[int, I8]
    deal_normal: Annotated[int, I8]
    deal_long: Annotated[int, I8]
    keep_first: Annotated[int, I8]
    unkept_removed: Annotated[int, I8]
    ticket_draw: Annotated[int, I8]
    ticket_keep: Annotated[int, I8]
    longest_path: Annotated[int, I8]
    globetrotter: Annotated[int, I8]
    ties: Annotated[list[int], I8, 3]
    train_rig: Annotated[list[int], I8, 2016]
    ticket_rig_n: Annotated[list[int], I8, 3]
    ticket_rig: Annotated[list[int], I8, 216]
    long_rig_n: Annotated[int, I8]
    long_rig: Annotated[list[int], I8, 72]
    tunnel_cards: Annotated[int, I8]  # tunnels
    ferries: Annotated[int, I8]  # ferries
    ferry: Annotated[list[int], I8, 126]  # ferries
    stations_each: Annotated[int, I8]  # stations
    station_points: Annotated[int, I8]  # stations
    terrains: Annotated[int, I8]  # terrain
    terrain_cards: Annotated[list[int], I8, 3]  # terrain
    terrain_deal: Annotated[int, I8]  # terrain
    terrain_up: Annotated[int, I8]  # terrain
    terrain_of: Annotated[list[int], I8, 9]  # terrain
    to_double: Annotated[list[int], I8, 10]  # terrain
    terrain_rig_n: Annotated[list[int], I8, 12]  # terrain
    terrain_rig: Annotated[list[int], I8, 576]  # terrain
    group: Annotated[list[int], I8, 63]  # festivals
    groups: Annotated[int, I8]  # festivals
    group_cards: Annotated[list[int], I8, 18]  # festivals
    draft_cards: Annotated[int, I8]  # drafts
    draft_keep: Annotated[int, I8]  # drafts
    depth_num: Annotated[list[int], I8, 6]  # drafts
    depth_den: Annotated[list[int], I8, 6]  # drafts
    depth_jitter: Annotated[int, I8]  # drafts
    mail: Annotated[list[int], I8, 63]  # mail
    mail_carry: Annotated[int, I8]  # mail
    stamps: Annotated[list[int], I8, 30]  # mail
    mail_rig_n: Annotated[int, I8]  # mail
    mail_rig: Annotated[list[int], I8, 63]  # mail


class Work(stations.Work, festivals.Work, mail.Work):
    """Scratch space, the menu of legal actions, the events of the last move and the score sheet."""

    menu: Annotated[list[int], I64, 29]
    open_tracks: Annotated[list[int], I64, 2]
    near: Annotated[list[int], I64, 63]
    edges: Annotated[list[int], I64, 63]
    trail: Annotated[list[int], I64, 63]
    digest: Annotated[int, I64]
    loans: Annotated[list[int], I64, 6]  # stations
    touched: Annotated[list[int], I64, 3]  # stations
    wanted_a: Annotated[list[int], I64, 72]  # stations
    wanted_b: Annotated[list[int], I64, 72]  # stations
    joined: Annotated[list[int], I64, 15]  # mail
    event: Annotated[list[int], I16, 2000]
    event_n: Annotated[int, I16]
    listening: Annotated[int, I16]
    track_score: Annotated[list[int], I16, 5]
    ticket_score: Annotated[list[int], I16, 5]
    bonus: Annotated[list[int], I16, 5]
    total: Annotated[list[int], I16, 5]
    path: Annotated[list[int], I16, 5]
    codes: Annotated[list[int], I16, 1856]
    station_score: Annotated[list[int], I16, 5]  # stations
    festival_score: Annotated[list[int], I16, 5]  # festivals
    mail_score: Annotated[list[int], I16, 5]  # mail
    done: Annotated[list[int], I8, 72]
    completed: Annotated[list[int], I8, 5]
    place: Annotated[list[int], I8, 5]
    menu_from: Annotated[int, I8]
    menu_to: Annotated[int, I8]
    edge_a: Annotated[list[int], I8, 63]
    edge_b: Annotated[list[int], I8, 63]
    edge_length: Annotated[list[int], I8, 63]
    edge_track: Annotated[list[int], I8, 63]
    via: Annotated[list[int], I8, 64]
    at: Annotated[list[int], I8, 64]
    best_trail: Annotated[list[int], I8, 315]
    best_trail_n: Annotated[list[int], I8, 5]
    cards: Annotated[list[int], I8, 168]
    pool: Annotated[list[int], I8, 168]
    unbuilt: Annotated[list[int], I8, 5]  # stations
    lent: Annotated[list[int], I8, 15]  # stations
    best_lent: Annotated[list[int], I8, 3]  # stations
    node: Annotated[list[int], I8, 63]  # stations
    wanted: Annotated[list[int], I8, 72]  # stations
    wanted_n: Annotated[int, I8]  # stations
    taken_group: Annotated[int, I8]  # festivals
    delivered_n: Annotated[list[int], I8, 5]  # mail
    hidden_bag: Annotated[list[int], I8, 63]  # mail
    before_bag: Annotated[list[int], I8, 63]  # mail
    bag_queue: Annotated[list[int], I8, 63]  # mail


# The words of a position up to the end of each generation of its fields.
GENERATION_ENDS = (
    123,
    150,
)


def words_of_position(b: Board) -> int:
    """How many words of a position the mechanics of a board can write: the signature covers these."""
    if b.mail_carry > 0:
        return GENERATION_ENDS[1]
    return GENERATION_ENDS[0]


def make_tables(b: Board, data: MapData) -> None:
    """A board is made: the mechanic's tables, from a map that was checked. Plain Python, on every map."""
    tunnel_tables(b, data)
    ferry_tables(b, data)
    station_tables(b, data)
    terrain_tables(b, data)
    festival_tables(b, data)
    draft_tables(b, data)
    mail_tables(b, data)


@kernel
def mixes_cards_in(b: Board) -> int:
    """Whether cards are mixed into the train deck after the first deal."""
    return 1 if b.groups > 0 or b.draft_cards > 0 else 0


@kernel
def add_mixed_cards(s: Position, b: Board, n: int) -> int:
    """Lay cards to be mixed into the train deck on its n cards; how many there are then."""
    if b.groups > 0:
        n = add_festival_cards(s, b, n)
    return n


@kernel
def put_cards_in(s: Position, b: Board, n: int) -> int:
    """The n cards of the deck are mixed: put in what lies at a depth of its own; how many there are then."""
    if b.draft_cards > 0:
        n = put_draft_card_in(s, b, n)
    return n


@kernel
def deal_more(s: Position, b: Board, w: Work) -> None:
    """The train cards are dealt: deal what else there is."""
    if b.terrains > 0:
        deal_terrain(s, b, w)
    if b.mail_carry > 0:
        lay_bags(s, b, w)


@kernel
def deal_tickets(s: Position, b: Board, w: Work) -> int:
    """1 if the mechanic gives out the first tickets in a way of its own."""
    answer = 0
    if b.draft_cards > 0:
        answer = first_draft(s, b, w)
    return answer


@kernel
def card_came_up(s: Position, b: Board, w: Work, card: int) -> None:
    """A card of the deck that is no train card came up, and the next comes instead of it."""
    if FESTIVAL <= card < FESTIVAL + GROUPS:
        lay_festival(s, w, card)
    elif card == DRAFT_CARD:
        draft_card_came_up(s, w)


@kernel
def more_draws(s: Position, b: Board) -> int:
    """Draws beside those of train cards, as bits of the word MISC."""
    total = 0
    if b.terrains > 0:
        total |= terrain_draws(s, b)
    return total


@kernel
def more_actions(s: Position, b: Board, w: Work, seat: int) -> None:
    """Write further actions of a turn into words of the menu (`open_words`)."""
    if b.stations_each > 0:
        station_menu(s, b, w, seat)


@kernel
def tickets_closed(s: Position, b: Board) -> int:
    """Whether tickets may not be drawn now, though there are some."""
    return 1 if b.draft_cards > 0 and s.draft < 2 else 0


@kernel
def phase_choices(s: Position, b: Board, w: Work, seat: int) -> int:
    """What a seat may choose in a phase of the mechanic, as bits of the word MISC."""
    if s.phase == TUNNEL:
        return tunnel_menu(s, b, seat)
    if s.phase == PAY_STATION:
        return station_locos_menu(s, seat)
    if s.phase == DOUBLE:
        return double_menu(s, b, seat)
    if s.phase == FESTIVAL_CHOICE:
        return festival_menu()
    if s.phase == DRAFT_PICK:
        return pick_menu(s, seat)
    if s.phase == MAIL:
        return mail_menu(s, b, w, seat)
    return 0


@kernel
def keeps_offered(s: Position) -> int:
    """Whether all awaited say in this phase, at the same time, which of the offered tickets they keep."""
    return 1 if s.phase == DRAFT_KEEP else 0


@kernel
def sets_to_keep(s: Position, b: Board, seat: int) -> int:
    """The sets of offered tickets that may be kept in such a phase, as bits of the word KEEP."""
    if s.phase == DRAFT_KEEP:
        return draft_keep_menu(s, b, seat)
    return 0


@kernel
def is_small_choice(s: Position) -> int:
    """Whether only the number of locomotives is open in this phase."""
    return 1 if s.phase == PAY_STATION else 0


@kernel
def choice_made(s: Position, b: Board, w: Work, seat: int, bit: int) -> None:
    """A bit of the word MISC that is the mechanic's was chosen."""
    if bit == DECLINE:
        give_up_tunnel(s, b, w, seat)
    elif TAKE_TERRAIN <= bit <= TERRAIN_DECK:
        draw_terrain_card(s, b, w, seat, bit)
    elif bit == SINGLE or DOUBLED <= bit < DOUBLED + 16:
        double_chosen(s, b, w, seat, bit)
    elif bit == FESTIVAL_A or bit == FESTIVAL_B:
        festival_chosen(s, b, w, seat, bit)
    elif PICK <= bit < PICK + OFFER:
        pick(s, b, w, seat, bit)
    elif LEAVE_BAGS <= bit < SWAP_BAG + 2 * CARRIED:
        mail_chosen(s, b, w, seat, bit)


@kernel
def word_chosen(s: Position, b: Board, w: Work, seat: int, word: int, bit: int) -> None:
    """A bit of a menu word that is the mechanic's was chosen."""
    if STATION <= word < STATION + CARDS:
        open_station(s, b, w, seat, word, bit)


@kernel
def locos_chosen(s: Position, b: Board, w: Work, seat: int, locos: int) -> None:
    """The number of locomotives was chosen in a phase of the mechanic."""
    if s.phase == TUNNEL:
        pay_extra(s, b, w, seat, locos)
    elif s.phase == PAY_STATION:
        build_station(s, b, w, seat, locos)


@kernel
def offer_chosen(s: Position, b: Board, w: Work, seat: int) -> None:
    """A seat has said in a phase of the mechanic which tickets it keeps."""
    if s.phase == DRAFT_KEEP:
        keep_of_draft(s, b, w, seat)


@kernel
def narrow_claims(s: Position, b: Board, w: Work, seat: int) -> None:
    """Take out of w.open_tracks what this seat may not claim now."""
    if b.ferries > 0:
        close_ferries(s, b, w, seat)


@kernel
def locos_asked(b: Board, track: int) -> int:
    """The fewest locomotives that a track takes."""
    total = 0
    if b.ferries > 0:
        total = max(total, ferry_locos(b, track))
    return total


@kernel
def question_of_claim(s: Position, b: Board, w: Work, seat: int) -> int:
    """The cards of a claim are chosen: ask what else is open, in a phase; 1 if the claim goes on from there."""
    if b.tunnel_cards > 0 and not (s.phase == TUNNEL or s.phase == DOUBLE or s.phase == FESTIVAL_CHOICE):
        if enter_tunnel(s, b, w, seat):
            return 1
    if b.terrains > 0 and not (s.phase == DOUBLE or s.phase == FESTIVAL_CHOICE):
        if ask_to_double(s, b, seat):
            return 1
    if b.groups > 0 and not (s.phase == FESTIVAL_CHOICE):
        if open_festival(s, b, w):
            return 1
    return 0


@kernel
def before_claim(s: Position, b: Board, w: Work, seat: int) -> None:
    """Everything about a claim is chosen; it is about to be paid."""
    if b.terrains > 0:
        play_terrain(s, b, w, seat)


@kernel
def counts_twice(s: Position) -> int:
    """Whether the points of the pending claim count twice."""
    return 1 if s.claim_double > 0 else 0


@kernel
def after_claim(s: Position, b: Board, w: Work, seat: int) -> None:
    """The trains are laid."""
    if b.tunnel_cards > 0:
        discard_turned(s)
    if b.terrains > 0:
        mark_doubled(s)
    if b.groups > 0:
        take_festivals(s, w, seat)


@kernel
def turn_goes_on(s: Position, b: Board, w: Work, seat: int) -> int:
    """A claim is carried out in every part; 1 if a question about it comes before the end of the turn, in a phase."""
    answer = 0
    if b.mail_carry > 0:
        answer = see_to_mail(s, b, w, seat)
    return answer


@kernel
def forget_claim(s: Position) -> None:
    """Nothing is pending any more."""
    s.due = 0
    s.claim_double = 0


@kernel
def turn_ends(s: Position, b: Board, w: Work) -> None:
    """At the end of a turn, when the display is full again (C-40)."""
    if b.terrains > 0:
        fill_terrain(s, b, w)


@kernel
def between_turns(s: Position, b: Board, w: Work) -> int:
    """The next seat is due; 1 if something comes before its turn."""
    answer = 0
    if b.draft_cards > 0:
        answer = second_draft(s, b, w)
    return answer


@kernel
def more_track_points(s: Position, b: Board, seat: int) -> int:
    """Points for tracks beyond the table of lengths, from the board alone."""
    total = 0
    if b.terrains > 0:
        total += doubled_points(s, b, seat)
    return total


@kernel
def more_joins(s: Position, b: Board, w: Work, seat: int) -> None:
    """The tickets are scored by the player's own tracks (w.near): what else joins places for tickets."""
    if b.stations_each > 0:
        score_loans(s, b, w, seat)


@kernel
def score_lines(s: Position, b: Board, w: Work, seat: int) -> int:
    """The lines of the score sheet that are the mechanic's; their sum."""
    total = 0
    total += score_stations(s, b, w, seat)
    total += score_festivals(s, b, w, seat)
    total += score_mail(s, b, w, seat)
    return total


@kernel
def break_tie(s: Position, b: Board, w: Work, rule: int) -> None:
    """Part those who share a place, by a rule of the mechanic (`split_places`)."""
    if rule == TIE_STATIONS:
        fewer_stations_first(s, w)
    elif rule == TIE_MAIL:
        more_mail_first(s, w)


@kernel
def most_loans(b: Board) -> int:
    """How many tracks a player can borrow in a game."""
    total = 0
    if b.stations_each > 0:
        total += station_loans(b)
    return total


@kernel
def lending_places(s: Position, b: Board, seat: int) -> int:
    """The places, as bits, at each of which the player borrows one track."""
    total = 0
    if b.stations_each > 0:
        total |= own_stations(s, seat)
    return total


@kernel
def lending_sites(s: Position, b: Board, seat: int) -> int:
    """The places, as bits, where the player could still get one more track lent."""
    total = 0
    if b.stations_each > 0:
        total |= free_sites(s, b, seat)
    return total


@kernel
def tracks_to_lend(s: Position, b: Board, seat: int, places: int, word: int) -> int:
    """The tracks that could be lent to the player at these places, as bits of this word of a set of tracks."""
    total = 0
    if b.stations_each > 0:
        total |= others_tracks_at(s, b, seat, places, word)
    return total


@kernel
def loan_at(s: Position, b: Board, w: Work, seat: int, place: int) -> int:
    """1 + the track that is lent at a place, by the tickets scored last (`more_joins`); 0 if none is."""
    total = 0
    if b.stations_each > 0:
        total = max(total, lent_by_station(s, w, seat, place))
    return total


@kernel
def is_unfinished(s: Position) -> int:
    """Whether this phase is about an action that can still be taken back: others do not see it yet."""
    return 1 if s.phase == PAY_STATION or s.phase == DOUBLE or s.phase == FESTIVAL_CHOICE else 0


@kernel
def veil_more(s: Position, b: Board, reader: int) -> None:
    """Wipe out what the reader may not know."""
    if b.terrains > 0:
        veil_terrain_deck(s)
    if b.groups > 0:
        veil_piles(s, reader)
    if b.draft_cards > 0:
        veil_packs(s, reader)
    if b.mail_carry > 0:
        veil_bags(s, b, reader)


@kernel
def imagine_mixed_cards(s: Position, b: Board, w: Work, reader: int, n: int, key: int) -> int:
    """Lay the unseen cards of the mechanic that are in the train deck on the n cards of w.cards, and mix them, by
    streams of `key` that no other mechanic uses here or at the next place (1 to 3 are in use)."""
    if b.groups > 0:
        n = imagine_festivals(s, b, w, reader, n, key)
    return n


@kernel
def imagine_cards_put_in(s: Position, b: Board, n: int, key: int) -> None:
    """The deck holds the n cards imagined: put in what lies at a depth of its own."""
    if b.draft_cards > 0:
        insert_draft_card(s, b, n, key)


@kernel
def imagine_more(s: Position, b: Board, w: Work, reader: int, key: int) -> None:
    """Deal what else the reader does not know, tickets apart."""
    if b.terrains > 0:
        imagine_terrain(s, b, key)
    if s.pack_n > 0:
        guess_packs(s, w, reader, key)
    if b.mail_carry > 0:
        imagine_mail(s, b, w, key)


@kernel
def cards_in_sight(s: Position, card: int) -> int:
    """Train cards of a kind that lie neither in a hand nor in display, deck or discards."""
    total = 0
    total += turned_cards(s, card)
    return total


@kernel
def note_tickets(s: Position, cards: list[int]) -> None:
    """Count in `cards` the tickets that lie, known, where a mechanic put them."""
    if s.pack_n > 0:
        note_packs(s, cards)


@kernel
def hidden_tickets_there(s: Position) -> int:
    """How many tickets lie hidden where a mechanic put them."""
    total = 0
    if s.pack_n > 0:
        total += hidden_in_packs(s)
    return total


@kernel
def imagine_tickets(s: Position, w: Work, n: int) -> int:
    """Take tickets from the end of the n in w.pool for those that lie hidden; how many are left."""
    if s.pack_n > 0:
        n = fill_packs(s, w, n)
    return n


@kernel
def offers_lie_elsewhere(s: Position) -> int:
    """Whether offered tickets are counted where a mechanic put them."""
    return 1 if s.pack_n > 0 else 0


@kernel
def imagine_offers(s: Position, reader: int) -> None:
    """The offers of the others, where they follow from what a mechanic put somewhere."""
    if s.pack_n > 0:
        fill_offers_from_packs(s, reader)


@kernel
def find_fault(s: Position, b: Board, w: Work) -> int:
    """What is wrong with the mechanic's part of a true position, or 0."""
    answer = 0
    if b.terrains > 0:
        answer = count_terrains(s, b)
    if answer == 0 and b.groups > 0:
        answer = count_festivals(s, b)
    if answer == 0 and b.mail_carry > 0:
        answer = check_mail(s, b, w)
    return answer


hooks.link(globals())
