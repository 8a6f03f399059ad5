"""Reasons, tickets and open cards: from facts of the game, in every language."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from branchline import load_map
from branchline.review import QUICK, review
from branchline.review.moments import play_again
from branchline.review.open_cards import moments_shown, opened
from branchline.review.reasons import Reason, is_lost, reason_of
from branchline.review.telling import Told
from branchline.review.verdicts import LEAST, accuracy, called, is_close, verdict_on
from branchline.words import LANGUAGES, Language, catalogue
from tests.review.games import quick, record
from tests.review.test_two_worlds import moments

EXAMPLES: dict[str, dict[str, Any]] = {
    "JoinsTicket": {"track": "paris-zurich-1", "ticket": "berlin-roma"},
    "TrackTaken": {"track": "paris-zurich-1", "seat": 1},
    "TicketLost": {"ticket": "berlin-roma"},
    "LastTurn": {"track": "paris-zurich-1"},
    "EndNear": {"track": "paris-zurich-1", "turns": 2},
    "Hoarded": {"track": "paris-zurich-1", "cards": 14},
    "OnTheWay": {"track": "paris-zurich-1"},
    "CouldWait": {"track": "paris-zurich-1"},
    "OffTheWay": {"track": "paris-zurich-1"},
    "KeptInVain": {"ticket": "berlin-roma"},
    "KeepIt": {"ticket": "berlin-roma"},
    "LeaveIt": {"ticket": "berlin-roma"},
    "MoreTickets": {},
    "DrawnInVain": {"ticket": "berlin-roma"},
    "EnoughTickets": {},
    "CardWanted": {"card": "red"},
    "CardFits": {"card": "red"},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", EXAMPLES)
def test_every_reason_is_a_sentence(kind: str, language: Language) -> None:
    told = Told(quick(), load_map("europe"), language).reason(Reason(kind, EXAMPLES[kind]))
    assert told.endswith(".") and told[0].isupper() and "{" not in told and "_" not in told
    if "track" in EXAMPLES[kind]:
        assert "Zürich" in told


def test_there_is_a_sentence_for_each_reason_and_no_other() -> None:
    prefix = "review.reason."
    assert {key.removeprefix(prefix) for key in catalogue("en") if key.startswith(prefix)} == set(EXAMPLES)


def test_only_what_surely_lost_something_gets_a_reason() -> None:
    given = 0
    for move in quick().moves:
        if move.reason is not None:
            assert move.decided and move.decided.loss >= LEAST["inaccuracy"] and not move.decided.close
            given += 1
    assert given > 0


def test_reasons_are_facts_of_the_game() -> None:
    sheets = play_again(record()).end.scores()
    for move in quick().moves:
        match move.reason:
            case Reason("KeptInVain" | "DrawnInVain", {"ticket": ticket}):
                assert not next(t.completed for t in sheets[move.seat].tickets if t.ticket == ticket)
            case Reason("TrackTaken", {"track": track, "seat": seat}):
                assert track in play_again(record()).end.view(None).player(seat).tracks and seat != move.seat
            case Reason("Hoarded", {"cards": cards}):
                assert moments()[move.number - 1].view.me.card_count == cards


def test_what_is_told_of_tickets_is_what_the_sheet_says() -> None:
    sheets = play_again(record()).end.scores()
    told = {(one.seat, one.ticket): one for one in quick().tickets if one.kept}
    assert set(told) == {(p.seat, t.ticket) for p in sheets for t in p.tickets}
    for (seat, ticket), one in told.items():
        assert one.completed == next(t.completed for t in sheets[seat].tickets if t.ticket == ticket)
        assert one.completed == (one.won_at is not None)  # on this map nothing is lent
        assert one.completed <= (one.lost_at is None)
        if one.lost_at is not None:
            assert is_lost(moments()[one.lost_at - 1].view, ticket)


def test_open_cards_tell_the_tickets_chances_and_the_end_is_certain() -> None:
    setting = replace(QUICK, shown=6, games=4)
    shown = moments_shown(play_again(record()), setting)
    assert len(shown) == 6
    for moment in (shown[0], shown[-1]):
        point = opened(moment, setting, 0)
        assert point is not None
        assert sum(point.win) == pytest.approx(1) and point == opened(moment, setting, 0)
        assert all(0 <= chance <= 1 for chance in point.tickets.values())
        held = {t for seat in (0, 1) for t in moments()[moment.number - 1].view.player(seat).tickets}
        assert held <= set(point.tickets)
        for seat in (0, 1):
            view = play_again(record()).moments[moment.number - 1].view
            assert all(point.tickets[t] == 1 for t in view.completed_tickets(seat))


def test_open_cards_and_tickets_stand_in_the_review() -> None:
    setting = replace(QUICK, look=2, most=2, outcomes=1, samples=2, points=1, shown=5, games=2)
    found = review(record(), setting=setting)
    assert len(found.open) == 5 and found.to_json()["open"][0].keys() == {"move", "win"}
    kept = [ticket for ticket in found.tickets if ticket.kept and ticket.offered < found.open[-1].move]
    assert kept and all(ticket.chances for ticket in kept)


def test_verdicts_by_their_thresholds() -> None:
    losses = [0.0, 0.0199, 0.02, 0.0499, 0.05, 0.0999, 0.10, 0.9]
    words = ["good", "good", "inaccuracy", "inaccuracy", "mistake", "mistake", "blunder", "blunder"]
    assert [called(loss) for loss in losses] == words
    assert verdict_on(0.12, 0.0, False) == "blunder"
    assert verdict_on(0.12, 0.02, False) == "mistake"  # the interval begins at 0.08
    assert verdict_on(0.12, 0.06, False) == "good" and not is_close(0.12, 0.06) and is_close(0.12, 0.07)
    assert verdict_on(0.0, 0.01, True) == "best"
    assert accuracy([]) == accuracy([0.0, 0.0]) == 100
    assert accuracy([0.02]) == pytest.approx(90.5, abs=0.1) and accuracy([0.14]) == pytest.approx(49.7, abs=0.1)


def test_a_reason_needs_a_game_that_shows_it() -> None:
    played = play_again(record())
    for move in quick().moves:
        if move.decided and move.decided.loss < LEAST["inaccuracy"]:
            assert reason_of(played, move.decided) is None
