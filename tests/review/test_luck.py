"""Luck and skill: what came against all that could have come, and a ledger that leaves nothing out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from branchline.actions import DrawDeck, DrawDisplay, DrawTickets
from branchline.kernel.state import CARDS
from branchline.review import QUICK
from branchline.review.luck import _put_on_top, chances, kind_of, luck_of, values_by_card
from branchline.review.moments import Moment, Played, play_again
from branchline.review.worlds import POSITION, ByNetwork, judge_of
from tests.review.games import quick, record


def played() -> Played:
    return play_again(record())


def blind(number: int = 0) -> Moment:
    """A card drawn blind in the middle of the game."""
    found = [m for m in played().moments if isinstance(m.action, DrawDeck) and m.number > 40]
    return found[number]


def test_over_all_cards_that_could_have_come_luck_is_nothing() -> None:
    moment, setting = blind(), replace(QUICK, outcomes=4)
    odds, total = chances(moment.view), np.zeros(2)
    assert sum(odds.values()) == pytest.approx(1) and len(odds) == CARDS
    for card, share in odds.items():
        before = moment.before.copy()
        before.deck[before.deck_n - 1] = card  # the seat cannot tell: what it knows is the same
        luck = luck_of(replace(moment, before=before), setting, 0)
        assert luck is not None and luck.exact and luck.kind == "card"
        assert sum(luck.by_seat) == pytest.approx(0, abs=1e-9)
        total += share * np.array(luck.by_seat)
    assert total == pytest.approx(0, abs=1e-9)


def test_a_card_is_put_on_top_of_a_world_and_none_is_lost() -> None:
    moment = blind()
    net = judge_of(moment.view.map)
    assert net is not None
    games = ByNetwork(net, moment.view, 0, 0).imagine(0, 2 * CARDS)
    for i, game in enumerate(games.view(POSITION)[:, 0]):
        before = np.bincount(game["deck"][: game["deck_n"]], minlength=CARDS)[:CARDS] + _in_hands(game)
        _put_on_top(game, i % CARDS, np.array(moment.view.position.hand), i)
        assert game["deck"][game["deck_n"] - 1] == i % CARDS
        after = np.bincount(game["deck"][: game["deck_n"]], minlength=CARDS)[:CARDS] + _in_hands(game)
        assert (before == after).all()
        assert (game["hand"] >= np.array(moment.view.position.hand) * (np.arange(len(game["hand"])) % 10 < CARDS)).all()


def _in_hands(game: np.void) -> np.ndarray:
    hands: np.ndarray = game["hand"].reshape(-1, len(game["hand"]) // len(game["trains"]))[:, :CARDS].sum(0)
    return hands


def test_a_locomotive_from_the_deck_is_better_luck_than_the_worst_colour() -> None:
    moment = blind()
    net = judge_of(moment.view.map)
    assert net is not None
    values = values_by_card(moment, ByNetwork(net, moment.view, 0, 0), 6, list(range(CARDS)))
    means = [float(values[card][:, moment.seat].mean()) for card in range(CARDS)]
    assert means[CARDS - 1] > min(means)


def test_every_event_of_chance_has_a_kind_and_other_moves_have_no_luck() -> None:
    for move in quick().moves:
        moment = played().moments[move.number - 1]
        assert (move.luck is not None) == bool(kind_of(moment.events))
        if isinstance(moment.action, DrawDeck):
            assert move.luck and move.luck.kind == "card"
        if isinstance(moment.action, DrawDisplay):
            assert move.luck and move.luck.kind == "display"
        if isinstance(moment.action, DrawTickets):
            assert move.luck and move.luck.kind == "tickets" and not move.luck.exact


def test_the_ledger_adds_up_to_the_result() -> None:
    found = quick()
    for player in found.players:
        ledger = player.ledger
        terms = (ledger.start, ledger.own_luck, ledger.own_skill, ledger.others_luck, ledger.others_skill)
        assert sum(terms) + ledger.remainder == pytest.approx(player.result)
        assert sum(ledger.kinds.values()) == pytest.approx(ledger.own_luck)
        assert player.luck == ledger.own_luck and player.skill == ledger.own_skill
        own = [move for move in found.moves if move.seat == player.seat]
        assert ledger.own_luck == pytest.approx(sum(m.luck.by_seat[player.seat] for m in own if m.luck))
        assert ledger.own_skill == pytest.approx(sum(m.decided.skill[player.seat] for m in own if m.decided))
    one, two = (player.ledger for player in found.players)
    assert one.own_luck == pytest.approx(-two.others_luck) and one.own_skill == pytest.approx(-two.others_skill)
