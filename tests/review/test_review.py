"""A review: whole, the same whenever it is made, and only of what has truly been played to its end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from branchline.record import Fault, Move, Record
from branchline.review import QUICK, NotOver, Progress, TooLong, review
from branchline.review.moments import MOST_MOVES
from branchline.review.verdicts import VERDICTS
from branchline.review.worlds import AT_ONCE, ByPlayingOut
from tests.review.games import quick, record
from tests.review.test_two_worlds import moments

TINY = str(Path(__file__).parents[1] / "data" / "maps" / "tiny.json")


def test_it_says_something_of_every_move_and_every_player() -> None:
    found, game = quick(), record()
    told = found.to_json()
    assert told["format"] == "branchline-review/1" and told["map"] == {"id": "usa", "hash": game.map.hash}
    assert [move["number"] for move in told["moves"]] == list(range(1, len(game.moves) + 1))
    assert [player["name"] for player in told["players"]] == list(game.names)
    for player in told["players"]:
        assert 0 <= player["accuracy"] <= 100
        own = [move for move in told["moves"] if move["seat"] == player["seat"] and move["verdict"]]
        assert sum(player["verdicts"].values()) == len(own) > 20
        assert set(player["verdicts"]) == set(VERDICTS)
    assert json.loads(json.dumps(told)) == told


def test_the_curve_has_a_point_before_each_move_and_ends_with_the_result() -> None:
    curve, game = quick().curve, record()
    assert [point.move for point in curve] == list(range(len(game.moves) + 1))
    assert all(sum(point.win) == pytest.approx(1) for point in curve)
    for point in curve[:-1]:
        moment = moments()[point.move]
        assert moment.is_detail or point.own[moment.seat] == point.win[moment.seat]
    assert game.result
    assert curve[-1].own == curve[-1].win and curve[-1].points == game.result.scores
    assert curve[-1].win == tuple(float(place == 1) for place in game.result.places)


def test_a_choice_that_was_best_lost_nothing_and_losses_follow_from_the_options() -> None:
    for move in quick().moves:
        one = move.decided
        if one is None:
            continue
        assert one.loss >= 0 and (one.loss == 0 or one.verdict != "best")
        if one.options:
            assert one.best in {option.line for option in one.options}
            assert move.line in {option.line for option in one.options}
            assert max(option.win for option in one.options) - one.win >= one.loss - 1e-9


def test_the_curve_comes_first() -> None:
    told: list[Progress] = []
    review(record(), setting=replace(QUICK, look=2, most=2, outcomes=1, samples=2), on_progress=told.append)
    assert told[0].done == 0 and len(told[0].curve) == len(record().moves) + 1
    assert [one.done for one in told] == list(range(len(record().moves) + 1))


def test_the_same_game_gets_the_same_review() -> None:
    assert review(record(), setting=QUICK) == quick()


def test_another_seed_imagines_other_worlds() -> None:
    other = review(record(), setting=QUICK, seed=1)
    assert other != quick()
    assert [move.line for move in other.moves] == [move.line for move in quick().moves]


@pytest.mark.parametrize("left_out", [1, 30])
def test_a_game_that_goes_on_is_refused(left_out: int) -> None:
    cut = replace(record(), moves=record().moves[:-left_out], result=None)
    with pytest.raises(NotOver, match="the game is not over"):
        review(cut, setting=QUICK)


def test_a_game_that_cannot_have_been_is_refused() -> None:
    game = record()
    moves = list(game.moves)
    moves[10] = Move(1 - moves[10].seat, moves[10].action)
    with pytest.raises(Fault, match="move 11"):
        review(replace(game, moves=tuple(moves)), setting=QUICK)


def test_a_result_that_was_forged_is_refused() -> None:
    game = record()
    assert game.result
    scores = (game.result.scores[0] + 1, *game.result.scores[1:])
    with pytest.raises(Fault, match=r"result\.scores"):
        review(replace(game, result=replace(game.result, scores=scores)), setting=QUICK)


def test_a_record_without_end_is_refused_before_it_is_played() -> None:
    game = record()
    endless: Record = replace(game, moves=game.moves * (1 + MOST_MOVES // len(game.moves)))
    with pytest.raises(TooLong, match=f"{MOST_MOVES} at the most"):
        review(endless, setting=QUICK)


@pytest.mark.parametrize(
    ("name", "players"), [("europe", 3), ("iberia", 4), ("africa", 5), ("carpathians", 2), (TINY, 2)], ids=str
)
def test_every_map_and_any_number_of_players(name: str, players: int) -> None:
    setting = replace(QUICK, trust=0.0, look=2, most=2, work=(20.0,), outcomes=1, samples=2, points=1, shown=2, games=1)
    found = review(record(name, players), setting=setting)
    is_home = name != TINY  # the network was not trained on it
    assert (found.weights != "") == is_home and (found.note == "") == is_home
    assert len(found.open) == 2 * is_home
    assert any(move.luck for move in found.moves) == is_home
    assert sum(player.result for player in found.players) == pytest.approx(1)
    for player in found.players:
        ledger = player.ledger
        terms = (ledger.start, ledger.own_luck, ledger.own_skill, ledger.others_luck, ledger.others_skill)
        assert sum(terms) + ledger.remainder == pytest.approx(player.result)
    assert sum(move.decided is not None for move in found.moves) > 10 * players
    assert found.tickets and all(1 <= one.offered <= len(found.moves) for one in found.tickets)


def test_more_choices_than_fit_into_one_request_are_played_out_all_the_same() -> None:
    moment = moments()[0]
    bots, code = ByPlayingOut(moment.view, 0), moment.code
    found = bots.tried(0, 2, [code] * (2 * AT_ONCE + 1))
    assert found.shape == (2, 2 * AT_ONCE + 1, 2)
    assert (found == bots.tried(0, 2, [code])).all()
