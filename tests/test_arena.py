"""The arena: its statistics against known values, its games against the simulation's, its files, its command."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from branchline import load_map
from branchline.arena import (
    BadResults,
    Contest,
    Header,
    Ledger,
    Results,
    Sprt,
    Summary,
    match_of,
    merge,
    play,
    playing,
    pool_of,
    read_results,
    run,
    write_results,
)
from branchline.arena.contest import enter, seated
from branchline.arena.playing import Job, Means, play_job
from branchline.arena.ratings import fit_elo, rate_openskill
from branchline.arena.results import DealResult
from branchline.arena.running import Watch, missing_jobs
from branchline.arena.statistics import (
    ELO_PER_NAT,
    Numbers,
    elo_of_rate,
    log_likelihood_ratio,
    mean_interval,
    normal_quantile,
    rate_interval,
    rate_of_elo,
    t_quantile,
)
from branchline.arena.summary import credits_of, share_of
from branchline.arena.writing import write_report
from branchline.cli import main
from branchline.record import load_game, verify
from branchline.simulation import Series
from branchline.simulation import play as simulate
from branchline.simulation.intervals import wilson_interval
from tests.processes import eventually

ROOT = Path(__file__).parent.parent
TINY = ROOT / "tests" / "data" / "maps" / "tiny.json"

BOTS = '''
import os
from pathlib import Path

class First:
    """The first of the legal actions."""
    def choose(self, view, actions):
        return actions[0]

class Crash(First):
    def __init__(self, seed):
        self.left = 3
    def choose(self, view, actions):
        self.left -= 1
        if self.left < 0:
            raise RuntimeError("out of steam")
        return actions[0]

class Nonsense:
    def choose(self, view, actions):
        return "the moon"

class Hang(First):
    def choose(self, view, actions):
        while True:
            pass

class Unmade(First):
    def __init__(self):
        raise OSError("no table of mine")

class Interrupts(First):
    """Somebody presses Ctrl-C in the fifth game."""
    games = 0
    def __init__(self):
        Interrupts.games += 1
    def choose(self, view, actions):
        if Interrupts.games == 6:  # one was made to try it out
            raise KeyboardInterrupt
        return actions[0]

class Marks(First):
    """Says in which process it plays."""
    def __init__(self):
        Path(__file__).with_name(f"{os.getpid()}.worker").touch()
'''


@pytest.fixture
def bots(tmp_path: Path) -> str:
    """A file with bots of all kinds."""
    path = tmp_path / "some_bots.py"
    path.write_text(BOTS, encoding="utf-8")
    return str(path)


def arena(*words: str) -> int:
    """Run the command; argparse leaves by SystemExit."""
    try:
        return main(["arena", *words])
    except SystemExit as left:
        return int(left.code or 0)


def typed(words: str) -> int:
    return arena(*words.split())


def deal(number: int, scores: list[list[int]], lineup: tuple[str, ...] = ("a", "b"), seed: int = 0) -> DealResult:
    """A deal by the scores of its games; the highest score wins, ties share."""
    places = tuple(tuple(1 + sum(other > score for other in row) for score in row) for row in scores)
    rows = tuple(tuple(row) for row in scores)
    return DealResult(seed, number, lineup, rows, places, (100,) * len(rows), ("last round",) * len(rows))


def results(*deals: DealResult, sprt: Sprt | None = None) -> Results:
    """Results made by hand, of bots that need not exist."""
    header = Header.of(match_of(load_map("usa"), ("path", "random")))
    names = list(dict.fromkeys(name for d in deals for name in d.lineup))
    entrants = tuple(replace(header.bots[0], name=name) for name in names)
    lineups = tuple(dict.fromkeys(d.lineup for d in deals))
    players, seeds = len(lineups[0]), tuple(dict.fromkeys(d.seed for d in deals))
    header = replace(header, bots=entrants, lineups=lineups, players=players, seeds=seeds, sprt=sprt)
    return Results(header, deals).ordered()


# ---------------------------------------------------------------- intervals


def test_quantiles_are_those_of_the_tables() -> None:
    assert normal_quantile(0.975) == pytest.approx(1.959964, abs=1e-6)
    for df, value in {1: 12.7062, 2: 4.30265, 4: 2.77645, 9: 2.26216, 29: 2.04523, 999: 1.96234}.items():
        assert t_quantile(0.975, df) == pytest.approx(value, rel=5e-4)
    assert t_quantile(0.95, 10) == pytest.approx(1.81246, rel=1e-4)


def test_the_interval_of_a_mean_is_students() -> None:
    low, high = mean_interval(np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    assert (low, high) == pytest.approx((3 - 1.9632, 3 + 1.9632), abs=2e-3)
    assert mean_interval(np.array([7.0])) == (-math.inf, math.inf)


def test_wilsons_interval_is_his() -> None:
    assert wilson_interval(0.5, 100, 1.959964) == pytest.approx((0.40383, 0.59617), abs=1e-5)
    assert wilson_interval(1.0, 10, 1.959964) == pytest.approx((0.72247, 1.0), abs=1e-5)
    assert wilson_interval(0.9, 50, 1.959964) == pytest.approx((0.78640, 0.95652), abs=1e-4)


def test_games_that_hang_together_count_once() -> None:
    games = np.array([1.0] * 600 + [0.0] * 400)
    apart = rate_interval(np.random.default_rng(1).permutation(games).reshape(500, 2).mean(axis=1), 2)
    together = rate_interval(games.reshape(500, 2).mean(axis=1), 2)  # both games of a deal always end alike
    assert apart[1] - apart[0] == pytest.approx(np.subtract(*wilson_interval(0.6, 1000, 1.962)[::-1]), rel=0.1)
    assert together[1] - together[0] == pytest.approx(np.subtract(*wilson_interval(0.6, 500, 1.965)[::-1]), rel=0.02)


def test_a_few_equal_deals_prove_little() -> None:
    assert rate_interval(np.array([1.0, 1.0, 1.0]), 2)[0] < 0.5
    assert rate_interval(np.array([0.5, 0.5, 0.5]), 2)[0] < 0.2
    assert rate_interval(np.ones(100), 2) == pytest.approx((0.962, 1.0), abs=1e-3)
    assert rate_interval(np.array([1.0]), 2) == pytest.approx((0.0, 1.0), abs=0.01)


@pytest.mark.parametrize(("chance", "deals"), [(0.5, 20), (0.85, 60), (0.97, 200)])
def test_the_interval_holds_the_true_rate_in_95_of_100_contests(chance: float, deals: int) -> None:
    rng = np.random.default_rng(5)
    luck = rng.random((1000, deals, 1)) * 0.4 - 0.2  # of the cards: it makes the games of a deal hang together
    edge = np.clip(chance + luck * min(1, 5 * (1 - chance)), 0, 1)
    won = (rng.random((1000, deals, 2)) < edge).mean(axis=2)
    truth = float(np.clip(chance + np.linspace(-0.2, 0.2, 4001) * min(1, 5 * (1 - chance)), 0, 1).mean())
    held = [low <= truth <= high for low, high in (rate_interval(row, 2) for row in won)]
    assert 0.925 <= np.mean(held) <= 0.985


def test_elo_and_win_rate_are_two_names_of_one_thing() -> None:
    assert elo_of_rate(0.64) == pytest.approx(99.95, abs=0.01)
    assert rate_of_elo(400) == pytest.approx(10 / 11)
    assert elo_of_rate(rate_of_elo(-37)) == pytest.approx(-37)
    assert (elo_of_rate(1), elo_of_rate(0)) == (math.inf, -math.inf)


# ---------------------------------------------------------------- the sequential test


def test_of_two_outcomes_the_ratio_is_the_binomial_one() -> None:
    ratio = log_likelihood_ratio(np.array([7.0, 13.0]), np.array([0.0, 1.0]), 0.5, 0.64)
    assert ratio == pytest.approx(13 * math.log(0.64 / 0.5) + 7 * math.log(0.36 / 0.5))


def test_of_three_outcomes_the_ratio_is_that_of_the_likeliest_distributions() -> None:
    counts, middles = (5.0, 9.0, 16.0), np.linspace(1e-6, 1, 400_000)

    def best(mean: float) -> float:
        """By trying: the chance of a half determines those of 0 and 1."""
        ones = mean - middles / 2
        zeros = 1 - middles - ones
        fits = (ones > 0) & (zeros > 0)
        logs = counts[0] * np.log(zeros[fits]) + counts[1] * np.log(middles[fits]) + counts[2] * np.log(ones[fits])
        return float(logs.max())

    ratio = log_likelihood_ratio(np.array(counts), np.array([0.0, 0.5, 1.0]), 0.5, 0.64)
    assert ratio == pytest.approx(best(0.64) - best(0.5), abs=1e-6)


def paired_contests(rate: float, contests: int, deals: int, seed: int) -> Numbers:
    """Shares of pairs of games in which the first seat is worth ten points in a hundred."""
    rng = np.random.default_rng(seed)
    first, second = rng.random((2, contests, deals))
    shares: Numbers = ((first < rate + 0.1) * 1.0 + (second < rate - 0.1)) / 2
    return shares


def test_the_test_errs_as_rarely_as_it_says() -> None:
    sprt = Sprt.of("0.5:0.64", 2, alpha=0.05, beta=0.05)
    for rate, wrong in ((sprt.low, "high"), (sprt.high, "low")):
        verdicts = [sprt.verdict(sprt.path(row)) for row in paired_contests(rate, 400, 150, seed=11)]
        errors = np.mean([verdict == wrong for verdict, _ in verdicts])
        assert errors <= 0.08  # 0.05 and 2.7 standard errors of 400 contests
        assert np.mean([verdict == "open" for verdict, _ in verdicts]) < 0.05


def test_a_test_is_read_in_rates_or_in_elo() -> None:
    assert (Sprt.of("0.25:0.35", 4).low, Sprt.of("0.25:0.35", 4).high) == (0.25, 0.35)
    assert Sprt.of("0:100", 2).high == pytest.approx(0.64, abs=1e-3)
    assert Sprt.of("0.5:0.6", 2).bounds == pytest.approx((-math.log(19), math.log(19)))
    for text, players in (("0:100", 4), ("0.6:0.5", 2), ("much", 2), ("0.5", 2), ("100:0", 2)):
        with pytest.raises(ValueError, match=r"test|Elo"):
            Sprt.of(text, players)
    with pytest.raises(ValueError, match="chances of error"):
        Sprt.of("0.5:0.6", 2, alpha=0.7)


def test_a_path_can_be_taken_up_where_it_was_left() -> None:
    sprt, shares = Sprt.of("0.5:0.64", 2), paired_contests(0.6, 1, 60, seed=2)[0]
    assert sprt.path(shares, 40) == pytest.approx(sprt.path(shares)[40:])


def test_deals_are_watched_in_their_order_whatever_ends_first() -> None:
    sprt = Sprt.of("0.5:0.9", 2)
    contest = match_of(load_map("usa"), ("path", "random"), sprt=sprt)
    ledger = Ledger(Header.of(contest))
    watch = Watch(contest, ledger, 0, 100)
    for number in range(1, 60):
        ledger.add(deal(number, [[9, 1], [9, 1]], ("path", "random")))
        assert not watch.decided()
    ledger.add(deal(0, [[9, 1], [9, 1]], ("path", "random")))
    assert watch.decided()


# ---------------------------------------------------------------- ratings


def test_elo_of_a_chain_is_what_the_hand_computes() -> None:
    ratings = fit_elo([[("a", "b", 3, 1), ("b", "c", 3, 1)]], "c", at=1000, virtual=0)
    step = 400 * math.log10(3)
    assert [ratings[name].value for name in "abc"] == pytest.approx([1000 + 2 * step, 1000 + step, 1000])
    assert ratings["c"].margin == 0


def test_elo_of_a_circle_is_equal_and_the_anchor_stays() -> None:
    ratings = fit_elo([[("a", "b", 3, 1), ("b", "c", 3, 1), ("c", "a", 3, 1)]], "b", at=700)
    assert [rating.value for rating in ratings.values()] == pytest.approx([700] * 3)


def test_the_error_of_elo_is_the_binomial_one_and_grows_where_games_hang_together() -> None:
    apart = [[("a", "b", won, 1 - won)] for won in [1] * 300 + [0] * 200]
    together = [[("a", "b", 2 * won, 2 - 2 * won)] for won in [1] * 150 + [0] * 100]
    error = 1.959964 * ELO_PER_NAT / math.sqrt(500 * 0.6 * 0.4)
    assert fit_elo(apart, "b")["a"].margin == pytest.approx(error, rel=0.01)
    assert fit_elo(together, "b")["a"].margin == pytest.approx(error * math.sqrt(2), rel=0.01)


def test_a_clean_sweep_has_a_finite_rating_and_a_wide_margin() -> None:
    sweep = fit_elo([[("a", "b", 2, 0)]] * 100, "b")["a"]
    assert 1000 + elo_of_rate(200.5 / 201) == pytest.approx(sweep.value)
    assert sweep.margin > 300


def test_who_never_met_the_anchors_friends_has_no_rating() -> None:
    assert set(fit_elo([[("a", "b", 1, 1), ("c", "d", 1, 1)]], "a")) == {"a", "b"}


def test_openskill_knows_tables_of_three_and_holds_the_anchor() -> None:
    ratings = rate_openskill([(("a", "b", "c"), (1, 2, 3)), (("b", "c", "a"), (2, 3, 1))] * 20, anchor="b")
    assert ratings["a"].value > ratings["b"].value > ratings["c"].value
    assert ratings["b"].value == 25
    assert rate_openskill([(("a", "b", "a", "b"), (1, 3, 2, 4))] * 5, anchor="b")["a"].value > 25


# ---------------------------------------------------------------- who meets whom


def test_bots_move_one_seat_on() -> None:
    assert [seated("abc", rotation) for rotation in range(3)] == [("a", "b", "c"), ("c", "a", "b"), ("b", "c", "a")]


def test_a_bot_named_twice_has_two_names_and_seats_left_over_are_filled_in_turn() -> None:
    assert [entrant.name for entrant in enter(["path", "random", "path", "path"])] == [
        "path",
        "random",
        "path#2",
        "path#3",
    ]
    contest = match_of(load_map("usa"), ("path", "random"), players=5)
    assert contest.lineups == (("path", "random", "path", "random", "path"),)
    assert match_of(load_map("usa"), ("path",)).lineups == (("path", "path"),)


def test_a_pool_meets_in_all_ways_a_gauntlet_with_the_first() -> None:
    data = load_map("usa")
    names = ("path", "random", "path", "random")
    assert len(pool_of(data, names).lineups) == 6
    assert len(pool_of(data, names, players=3).lineups) == 4
    gauntlet = pool_of(data, names, gauntlet=True).lineups
    assert gauntlet == (("path", "random"), ("path", "path#2"), ("path", "random#2"))


def test_a_clock_is_for_bots_that_need_one(bots: str) -> None:
    path, own, slow = enter(["path", f"{bots}:First", f"{bots}:Marks"], seconds=0.5)
    assert (path.seconds, own.seconds, slow.seconds) == (None, 0.5, 0.5)
    assert path.code == "" and len(own.code) == 16
    assert path.is_compiled and not own.is_compiled


# ---------------------------------------------------------------- games


@pytest.mark.parametrize("name", ["europe", "iberia"])
def test_compiled_games_and_games_at_the_table_are_the_same(name: str) -> None:
    contest = match_of(load_map(name), ("path", "random", "path"), seed=3)
    job = Job(contest.lineups[0], rotation=1, first=4)
    compiled = play_job(contest, Means(), job)
    at_table = playing._play_at_table(contest, Means(), job, 4)
    assert [replace(at_table, clocks=())] == compiled
    assert [choices for choices, _, _ in at_table.clocks] != [0, 0, 0]


def test_a_deal_in_its_first_rotation_is_a_game_of_the_simulation() -> None:
    data = load_map("usa")
    contest = match_of(data, ("path", "random"), seed=9)
    deals = play(contest, 30).deals
    series = simulate(Series(data, ("path", "random"), games=30, seed=9))
    assert [d.scores[0][0] for d in deals] == series.seats[0].scores.tolist()
    moved = simulate(Series(data, ("random", "path"), games=30, seed=9))
    assert [d.scores[1][0] for d in deals] == moved.seats[1].scores.tolist()


def test_the_number_of_threads_changes_nothing() -> None:
    contest = pool_of(load_map("africa"), ("path", "random", "path"), seed=2)
    assert play(contest, 60, processes=1) == play(contest, 60, processes=3)


@pytest.mark.parametrize(
    ("kind", "said"), [("Crash", "RuntimeError: out of steam"), ("Nonsense", "'the moon'"), ("Hang", "no choice after")]
)
def test_a_bot_that_fails_loses_the_game(kind: str, said: str, bots: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "PATIENCE", 0.05)
    contest = match_of(load_map(str(TINY)), (f"{bots}:First", f"{bots}:{kind}", "path"), seed=1)
    played = play(contest, 1, processes=1).deals[0]
    assert [fault.bot for fault in played.faults] == [f"{bots}:{kind}"] * 3
    assert all(said in fault.error for fault in played.faults)
    assert all(places[1] == 3 and scores[1] == 0 for places, scores in zip(played.places, played.scores, strict=True))
    assert all(sorted({places[0], places[2]}) in ([1], [1, 2]) for places in played.places)


def test_those_behind_a_bot_that_failed_move_up() -> None:
    assert playing._forfeit([90, 120, 80], [2, 1, 3], [False, True, False]) == ([90, 0, 80], [1, 3, 2])
    assert playing._forfeit([90, 120, 90], [2, 1, 2], [False, True, False]) == ([90, 0, 90], [1, 3, 1])


# ---------------------------------------------------------------- counting


def test_a_shared_victory_counts_in_parts() -> None:
    shared = deal(0, [[90, 90], [100, 80]])
    assert credits_of(shared) == [[0.5, 0.5], [1.0, 0.0]]
    assert (share_of(shared, "a"), share_of(shared, "b")) == (0.75, 0.25)


def test_the_figures_are_those_of_the_hand() -> None:
    summary = Summary(results(deal(0, [[100, 90], [80, 110]]), deal(1, [[120, 100], [100, 90]])))
    a, b = summary.bots
    assert (a.win_rate.value, b.win_rate.value) == (0.75, 0.25)
    assert (a.mean_score.value, b.mean_score.value) == (100, 97.5)
    assert a.difference.value == pytest.approx(2.5)
    assert a.difference.interval[1] - 2.5 == pytest.approx(12.7062 * 12.5, rel=1e-4)  # of -10 and 15
    assert [seat.value for seat in summary.seats] == [0.75, 0.25]  # seat 0 wins deal 0 twice, deal 1 once
    assert (len(summary.units), summary.games, a.expected) == (2, 4, 0.5)


def test_a_pool_is_counted_over_all_its_tables() -> None:
    deals = [deal(n, [[9, 1], [9, 1]], pair) for n, pair in product(range(5), (("a", "b"), ("a", "c"), ("b", "c")))]
    summary = Summary(results(*deals), anchor="c", anchor_elo=500)
    assert [bot.win_rate.value for bot in summary.bots] == [1, 0.5, 0]
    assert len(summary.units) == 5 and summary.games == 30
    assert summary.elo["a"].value > summary.elo["b"].value > summary.elo["c"].value == 500
    first = summary.pairs[0]
    assert (first.bot, first.other, first.win_rate.value) == ("a", "b", 1.0)


def test_what_was_stopped_early_is_weighed_by_its_games() -> None:
    deals = [deal(0, [[9, 1], [9, 1]]), deal(0, [[9, 1], [9, 1]], ("a", "c")), deal(1, [[1, 9], [9, 1]])]
    assert Summary(results(*deals)).bots[0].win_rate.value == pytest.approx(5 / 6)


def test_bots_at_several_seats_have_their_fair_share() -> None:
    four = ("a", "b", "a", "b")
    summary = Summary(results(*(deal(n, [[9, 1, 1, 1]] * 4, four) for n in range(3))))
    assert [(bot.expected, bot.win_rate.value) for bot in summary.bots] == [(0.5, 1.0), (0.5, 0.0)]
    assert summary.bots[0].mean_score.value == 5
    assert summary.to_json()["elo"] is None


# ---------------------------------------------------------------- files


def begun(tmp_path: Path, deals: int, **changes: Any) -> tuple[Contest, Path]:
    contest = match_of(load_map(str(TINY)), ("path", "random"), **changes)
    path = tmp_path / f"results{deals}-{len(changes)}.jsonl"
    ledger = Ledger(Header.of(contest), path)
    run(contest, ledger, deals)
    ledger.close()
    return contest, path


def test_a_file_is_taken_up_and_only_the_rest_is_played(tmp_path: Path) -> None:
    contest, path = begun(tmp_path, 7)
    with path.open("a") as file:
        file.write('{"seed":0,"deal":7,"line')  # the machine went down
    played: list[int] = []
    ledger = Ledger(Header.of(contest), path)
    run(contest, ledger, 130, on_games=played.append)
    ledger.close()
    assert sum(played) == 2 * (130 - 7)
    assert read_results(path) == play(contest, 130)
    ledger = Ledger(Header.of(contest), path)
    assert not list(missing_jobs(contest, ledger, 0, 130))
    ledger.close()


def test_a_file_of_other_code_is_taken_up_if_one_asks_for_it_and_then_names_both(tmp_path: Path) -> None:
    contest, path = begun(tmp_path, 7)
    ours = Header.of(contest).code
    path.write_text(path.read_text().replace(ours, "cafe"))
    before = path.read_text()
    with pytest.raises(BadResults, match="--any-code"):
        Ledger(Header.of(contest), path)
    assert path.read_text() == before
    for _ in range(2):
        ledger = Ledger(Header.of(contest), path, any_code=True)
        run(contest, ledger, 9)
        ledger.close()
    kept = read_results(path)
    assert kept.header.code == f"cafe {ours}"
    assert kept.deals == play(contest, 9).deals
    assert list(tmp_path.iterdir()) == [path]


def test_gaps_are_filled() -> None:
    contest = match_of(load_map(str(TINY)), ("path", "random"))
    ledger = Ledger(Header.of(contest))
    for number in (0, 1, 4):
        ledger.add(deal(number, [[1, 0], [1, 0]], ("path", "random")))
    assert [(job.first, job.deals) for job in missing_jobs(contest, ledger, 0, 7) if job.rotation == 0] == [
        (2, 2),
        (5, 2),
    ]


def test_parts_make_the_whole(tmp_path: Path) -> None:
    contest = match_of(load_map(str(TINY)), ("path", "random"))
    paths = []
    for n, (first, deals) in enumerate(((0, 4), (4, 3), (2, 4))):  # the third overlaps, with the same results
        ledger = Ledger(Header.of(contest), tmp_path / f"{n}.jsonl")
        run(contest, ledger, deals, first=first)
        ledger.close()
        paths.append(tmp_path / f"{n}.jsonl")
    assert arena("merge", *map(str, paths), "--out", str(tmp_path / "all.jsonl")) == 0
    assert read_results(tmp_path / "all.jsonl") == play(contest, 7)


def test_files_of_several_pairs_and_seeds_make_a_pool() -> None:
    one = results(deal(0, [[9, 1], [9, 1]], ("a", "b")))
    other = results(deal(0, [[9, 1], [9, 1]], ("b", "c"), seed=4))
    both = merge([(Path("one"), one), (Path("other"), other)])
    assert [bot.name for bot in both.header.bots] == ["a", "b", "c"]
    assert both.header.seeds == (0, 4)
    assert set(Summary(both).elo) == {"a", "b", "c"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"map_hash": "0" * 64}, "map hash"),
        ({"players": 3}, "players 3, theirs 2"),
        ({"rules_version": 99}, "rules version 99"),
        ({"version": "9.9"}, "version of Branchline 9.9"),
        ({"code": "cafe"}, "--any-code"),
    ],
)
def test_what_does_not_belong_together_is_not_merged(change: dict[str, Any], said: str) -> None:
    one = results(deal(0, [[9, 1], [9, 1]]))
    other = results(deal(1, [[9, 1], [9, 1]]))
    other = replace(other, header=replace(other.header, **change))
    with pytest.raises(BadResults, match=re.escape(said)):
        merge([(Path("one"), one), (Path("other"), other)])


def test_results_of_different_code_are_merged_if_one_asks_for_it_and_the_header_tells() -> None:
    parts = []
    for n, code in enumerate(("cafe", "beef", "cafe")):
        part = results(deal(n, [[9, 1], [9, 1]]))
        first, *others = part.header.bots
        header = replace(part.header, code=code, bots=(replace(first, code=f"own-{code}"), *others))
        parts.append((Path(code), replace(part, header=header)))
    both = merge(parts[:2], any_code=True)
    again = merge([(Path("both"), both), parts[2]], any_code=True)
    assert len(again.deals) == 3
    for header in (both.header, again.header):
        assert header.code == "cafe beef"
        assert [bot.code for bot in header.bots] == ["own-cafe own-beef", ""]


def test_other_seconds_and_other_results_are_not_merged() -> None:
    one, other = results(deal(0, [[9, 1], [9, 1]])), results(deal(0, [[9, 1], [8, 1]]))
    with pytest.raises(BadResults, match=r"deal 0 of seed 0 is in another file with another result"):
        merge([(Path("one"), one), (Path("other"), other)])
    slower = replace(one, header=replace(one.header, bots=tuple(replace(b, seconds=2.0) for b in one.header.bots)))
    with pytest.raises(BadResults, match=r"seconds of a 2\.0"):
        merge([(Path("one"), one), (Path("slower"), slower)])


@pytest.mark.parametrize(
    "words",
    ["--seed 1", "--bots random,path", "--map usa", "--players 3", "--sprt 0.5:0.6"],
)
def test_a_file_of_another_contest_is_not_taken_up(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, path = begun(tmp_path, 2)
    before = path.read_bytes()
    assert arena("--map", str(TINY), "--bots", "path,random", "--deals", "3", "--out", str(path), *words.split()) == 2
    assert "holds a" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "an empty file"),
        ("hello\n", "line 1: not JSON"),
        ("[]\n", "line 1: not a JSON object"),
        ('{"map":"usa"}\n', "no results of the arena"),
        ('{"format":"branchline arena 1"}\n', "not what a results file begins with"),
        ("HEADER{}\n", "line 2: not the results of a deal"),
        ('HEADER{"seed":0,"deal":0,"lineup":["x","y"],"scores":[[1,2],[1,2]],"places":[[1,2],[1,2]],'
         '"decisions":[1,1],"ends":["",""]}\n', "line 2: a line-up or a seed that the first line does not name"),
        ('HEADER{"seed":0,"deal":0,"lineup":["path","random"],"scores":[[1],[1,2]],"places":[[1,2],[1,2]],'
         '"decisions":[1,1],"ends":["",""]}\n', "line 2: not the results of a deal"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_with_place_and_reason(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.jsonl"
    write_results(Results(Header.of(match_of(load_map("usa"), ("path", "random"))), ()), path)
    path.write_text(text.replace("HEADER", path.read_text()))
    assert arena("report", str(path)) == 2
    assert said in capsys.readouterr().err


# ---------------------------------------------------------------- the command


def test_json_has_what_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("--map europe --bots path,random --deals 20 --seed 5 --sprt 0.5:0.64 --json") == 0
    out = json.loads(capsys.readouterr().out)
    text = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    assert all(f"`{key}`" in text for key in out)
    assert (out["map"], out["players"], out["bots"], out["seed"]) == ("europe", 2, ["path", "random"], 5)
    assert (out["deals"], out["games"]) == (20, 40)
    assert out["win_rate"]["path"] + out["win_rate"]["random"] == pytest.approx(1)
    for name in out["bots"]:
        low, high = out["win_rate_interval"][name]
        assert low <= out["win_rate"][name] <= high
        low, high = out["mean_score_interval"][name]
        assert low < out["mean_score"][name] < high
    assert out["sprt"]["verdict"] == "high"
    assert out["elo"]["path"]["rating"] == 1000


def test_a_pool_of_three_at_tables_of_three(capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("--pool path,random,random,path --players 3 --deals 4 --json --anchor random=500") == 0
    out = json.loads(capsys.readouterr().out)
    assert (len(out["lineups"]), out["games"], out["elo"]) == (4, 4 * 4 * 3, None)
    assert out["openskill"]["path"]["rating"] > out["openskill"]["random"]["rating"] == 25
    assert out["anchor"] == {"bot": "random", "elo": 500}


def test_the_tables_say_who_won_and_how_sure_that_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("--pool path,random,path --deals 10 --seed 3") == 0
    printed = capsys.readouterr().out
    assert "USA, 2 players, 10 deals, each played 2 times by every table (60 games), seed 3" in printed
    assert "path : random" in printed and "1000 ±" in printed
    assert max(len(line.rstrip()) for line in printed.splitlines()) <= 120


def test_a_sequential_test_stops_the_contest(capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("--bots path,random --deals 5000 --sprt 0.5:0.64 --processes 1 --json") == 0
    out = json.loads(capsys.readouterr().out)
    assert out["deals"] < 300
    assert out["sprt"]["deals"] == 12  # twelve deals won twice: 12 log(0.64 / 0.5) = 2.96 > log 19


def test_a_failure_is_told_with_the_command_that_shows_it_again(bots: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--map", str(TINY), "--bots", "path", "--bot", f"{bots}:Crash", "--processes", "1"]
    assert arena(*words, "--deals", "2", "--first", "3", "--json") == 0
    printed = capsys.readouterr()
    out = json.loads(printed.out)
    assert out["win_rate"][f"{bots}:Crash"] == 0
    assert len(out["faults"]) == 4
    assert out["clock"]["path"]["decisions"] > 0
    assert "out of steam" in printed.err
    assert "--first 3 --deals 1 --seed 0" in printed.err


def test_a_bot_that_cannot_be_made_is_refused_at_once(bots: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert arena("--bots", f"path,{bots}:Unmade", "--processes", "1") == 2
    assert "Unmade cannot be made: OSError: no table of mine" in capsys.readouterr().err


def test_games_are_written_as_records(bots: str, tmp_path: Path) -> None:
    for n, (bot, words) in enumerate((("random", ""), (f"{bots}:First", "--processes 1"))):
        folder = tmp_path / str(n)
        command = ["--map", str(TINY), "--bots", f"path,{bot}", "--deals", "2", "--records", str(folder)]
        assert arena(*command, *words.split()) == 0
        files = sorted(folder.iterdir())
        assert [file.name.partition("-deal")[2] for file in files] == [
            f"00000{d}-rotation{r}.json" for d in range(2) for r in range(2)
        ]
        assert all(verify(load_game(file, map=load_map(str(TINY)))) is None for file in files)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--bots path,pth", 'no bot "pth" (did you mean "path"?)'),
        ("--bots path,random,path", "3 bots for 2 seats"),
        ("--pool path --players 2", "a pool of 1 bots for 2 seats"),
        ("--pool path,random --bots path", "--pool goes without"),
        ("--gauntlet", "--gauntlet is for a --pool"),
        ("--deals 0", "deals 0 to -1"),
        ("--first -1", "deals -1"),
        ("--players 9", "for 2 to 5 players"),
        ("--map europ", 'did you mean "europe"'),
        ("--time 0", "--time 0"),
        ("--sprt 0.5", "a test is two numbers"),
        ("--bots path --sprt 0.5:0.6", "needs two bots"),
        ("--anchor path", "as in path=1000"),
        ("--anchor hungry=3", "does not take part"),
        ("--processes 0", "0 processes"),
        ("--records games --ray", "--records is for games played on this machine"),
        ("report nowhere.jsonl", "cannot be read"),
        ("merge", "required"),
    ],
)
def test_wrong_arguments_are_refused_with_a_word(words: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert arena("--players", "2", *words.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert said in printed.err


def test_every_option_is_documented() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "branchline", "arena", "--help"], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    text = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    options = set(re.findall(r"--[a-z][a-z-]+", shown)) - {"--help"}
    assert len(options) > 15
    assert all(f"`{option}" in text for option in options)


def test_ctrl_c_keeps_what_was_played(bots: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "results.jsonl"
    words = ["--map", str(TINY), "--bots", f"{bots}:Interrupts,path", "--deals", "1000", "--processes", "1"]
    assert arena(*words, "--out", str(path), "--json") == 130
    printed = capsys.readouterr()
    assert json.loads(printed.out)["deals"] == len(read_results(path).deals) == 2
    assert "stopped; 2 deals are kept" in printed.err


def test_many_ctrl_c_at_once_are_one(bots: str, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    words = ["--map", str(TINY), "--bots", f"{bots}:Marks,{bots}:First", "--deals", "20000", "--processes", "2"]
    with begin(*words, "--out", str(path), "--json") as process:
        await_lines(path)
        for _ in range(5):
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert json.loads(out)["deals"] == len(read_results(path).deals)
    assert "are kept" in err and "Traceback" not in err


def test_a_contest_can_be_run_beside_the_main_thread() -> None:
    with ThreadPoolExecutor(1) as pool:
        words = ("--map", str(TINY), "--bots", "path,random", "--deals", "1", "--json")
        assert pool.submit(arena, *words).result() == 0


def test_a_killed_contest_leaves_its_deals_and_no_workers(bots: str, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    words = ["--map", str(TINY), "--bots", f"{bots}:Marks,{bots}:First", "--deals", "20000", "--processes", "2"]
    with begin(*words, "--out", str(path)) as process:
        await_lines(path)
        workers = {int(mark.stem) for mark in Path(bots).parent.glob("*.worker")} - {process.pid}
        process.kill()
    assert workers
    assert len(read_results(path).deals) >= 1
    eventually(lambda: not any(is_running(worker) for worker in workers))  # nobody waits for them any more


def begin(*words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "branchline", "arena", *words]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def await_lines(path: Path) -> None:
    """Wait until a deal is in the file."""
    eventually(lambda: path.exists() and path.read_text().count("\n") > 1)


def is_running(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


# ---------------------------------------------------------------- the report


def test_the_report_has_all_figures_and_needs_nothing_else(tmp_path: Path) -> None:
    deals = [deal(n, [[60 + n, 50], [40, 55 + n]], pair) for n in range(6) for pair in (("a<b>", "c"), ("a<b>", "d|e"))]
    written = write_report(Summary(results(*deals)), tmp_path / "report" / "strength.html")
    assert {path.suffix for path in written} == {".md", ".svg", ".html"}
    page = (tmp_path / "report" / "strength.html").read_text(encoding="utf-8")
    assert "a&lt;b&gt;" in page and "a<b>" not in page
    assert not re.search(r"(src|href)=|url\(|https?://", page)
    for path in written:
        if path.suffix == ".svg":
            ElementTree.fromstring(path.read_text(encoding="utf-8"))
    markdown = (tmp_path / "report" / "strength.md").read_text(encoding="utf-8")
    assert "d\\|e" in markdown
    for target in re.findall(r"\]\(([^)]+)\)", markdown):
        assert (tmp_path / "report" / target).exists()


def test_a_sequential_test_is_drawn_and_told(tmp_path: Path) -> None:
    for deals, said in ((5, "not decided yet after 5 deals"), (9, "the lower rate is accepted after 6 deals")):
        even = (deal(n, [[60, 50], [40, 55]]) for n in range(deals))
        summary = Summary(results(*even, sprt=Sprt.of("0.5:0.7", 2)))  # -2.94 > 6 log(0.6) = -3.06
        assert tmp_path / "r-test.svg" in write_report(summary, tmp_path / "r")
        assert said in (tmp_path / "r.md").read_text(encoding="utf-8")


# ---------------------------------------------------------------- on more machines


def test_on_ray_the_same_games_are_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("ray")
    words = ["--map", str(TINY), "--bots", "path,random", "--deals", "60", "--json"]
    assert arena(*words) == 0
    here = capsys.readouterr().out
    assert arena(*words, "--ray", "--processes", "1") == 0
    assert json.loads(capsys.readouterr().out) == json.loads(here)
