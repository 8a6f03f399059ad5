"""How the map Carpathians is balanced: the planner against itself with 2 to 5 players, and styles against each other.

    python bench/carpathians.py --out results/carpathians [--games 20000] [--deals 1000] [--seed 20270301]

Of the planner's self-play: each seat's share of the victories, routes that hardly anybody takes, what the luckiest and
the unluckiest first ticket are worth (as `branchline lab` counts them), and what the mail brings. Then matches of two
styles (branchline/mechanics/mail/tuning.py) on paired deals: each deal is played twice, with the seats changed. Prints
tables and writes balance.json.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from branchline.bots.games.columns import S_PLACE, S_SCORE
from branchline.bots.games.match import GAME_NOTES, N_PLACE, SEAT_NOTES
from branchline.bots.warm import warm
from branchline.lab.counting import count_games
from branchline.lab.findings import DEAD
from branchline.lab.playing import play_games
from branchline.maps import load_map
from branchline.mechanics.mail.columns import S_DELIVERED, S_MAIL_POINTS
from branchline.simulation import Series
from branchline.simulation.series import SeriesRoom

MAP = "carpathians"
MATCHES = (("planner", "mail-blind"), ("collector", "postman"), ("collector", "planner"), ("postman", "planner"))
CHUNK = 20  # deals one thread plays in a row
# What the map is held to.
MOST_OFF, MOST_DEAD, MOST_LUCK = 0.02, 0.03, 6.0
MAIL_SHARE, FEWEST_WITH_MAIL = (0.05, 0.25), 0.80
LEAST_AGAINST_BLIND, LEAST_OF_A_STYLE = 0.58, 0.45

Numbers = np.ndarray[Any, Any]


# ---------------------------------------------------------------- the planner against itself


def self_play(players: int, games: int, seed: int, threads: int) -> dict[str, Any]:
    """The figures of a series in which the planner sits at all seats, each game with a deal of its own."""
    series = Series(load_map(MAP), ("planner",) * players, games=games, seed=seed)
    begun, done = time.monotonic(), 0

    def progress(more: int) -> None:
        nonlocal done
        if (done + more) * 10 // games > done * 10 // games:
            print(f"  {players} players: {done + more:,} of {games:,}, {time.monotonic() - begun:.0f} s", flush=True)
        done += more

    played = play_games(series, threads, progress)
    seats = played.seat.astype(int)
    first = seats[:, :, S_PLACE] == 1
    wins = (first / first.sum(axis=1, keepdims=True)).mean(axis=0)
    study = count_games(played)
    dead = [route for route in study.routes if route.taken.value < DEAD]
    luck = sorted(study.tickets, key=lambda ticket: ticket.dealt_score.value)
    mail = seats[:, :, S_MAIL_POINTS]
    return {
        "players": players,
        "games": games,
        "seed": seed,
        "seat_wins": [round(float(share), 5) for share in wins],
        "most_off": round(float(np.abs(wins - 1 / players).max()), 5),
        "seat_wins_half_interval": round(1.96 * math.sqrt((players - 1) / players**2 / games), 5),
        "seat_scores": [round(float(score), 2) for score in seats[:, :, S_SCORE].mean(axis=0)],
        "mean_score": round(float(seats[:, :, S_SCORE].mean()), 2),
        "mail_points": round(float(mail.mean()), 2),
        "mail_share": round(float(mail.mean() / seats[:, :, S_SCORE].mean()), 4),
        "bags_delivered": round(float(seats[:, :, S_DELIVERED].mean()), 2),
        "players_with_mail": round(float((seats[:, :, S_DELIVERED] > 0).mean()), 4),
        "routes": len(study.routes),
        "dead_routes": [route.name for route in dead],
        "dead_share": round(len(dead) / len(study.routes), 4),
        "luckiest": [[t.name, t.points, round(t.dealt_score.value, 2)] for t in luck[:-4:-1]],
        "unluckiest": [[t.name, t.points, round(t.dealt_score.value, 2)] for t in luck[:3]],
        "luck": round(luck[-1].dealt_score.value - luck[0].dealt_score.value, 2),
        "turns_each": round(float(played.game[:, 0].mean()) / players, 1),
        "seconds": round(time.monotonic() - begun, 1),
    }


# ---------------------------------------------------------------- styles against each other


def wins(bots: tuple[str, str], entry: int, seed: int, deal: int, deals: int) -> Numbers:
    """What one of two bots wins of each deal: 1, a half where the victory is shared, or 0."""
    notes = SeriesRoom(Series(load_map(MAP), bots, seed=seed)).play(deal, deals)
    places = notes[:, [GAME_NOTES + N_PLACE, GAME_NOTES + SEAT_NOTES + N_PLACE]]
    mine: Numbers = places[:, entry] == 1
    won: Numbers = mine / (places == 1).sum(axis=1)
    return won


def match(first: str, second: str, deals: int, seed: int, threads: int) -> dict[str, Any]:
    """How often the first of two styles wins, over deals that are played twice."""

    def work(deal: int) -> Numbers:
        n = min(CHUNK, deals - deal)
        return (wins((first, second), 0, seed, deal, n) + wins((second, first), 1, seed, deal, n)) / 2

    with ThreadPoolExecutor(threads) as pool:
        parts = [done.result() for done in as_completed([pool.submit(work, d) for d in range(0, deals, CHUNK)])]
    pairs = np.concatenate(parts)
    half = 1.96 * float(pairs.std(ddof=1)) / math.sqrt(deals) if deals > 1 else math.nan
    rate = float(pairs.mean())
    print(f"  {first} against {second}: {100 * rate:.1f} % ± {100 * half:.1f}, {deals:,} deals", flush=True)
    return {
        "first": first,
        "second": second,
        "deals": deals,
        "seed": seed,
        "rate": round(rate, 4),
        "half": round(half, 4),
    }


# ---------------------------------------------------------------- the whole


def verdicts(tables: list[dict[str, Any]], matches: list[dict[str, Any]]) -> Iterator[tuple[str, bool]]:
    """What the map is held to, and whether it holds."""
    for table in tables:
        players = f"{table['players']} players"
        yield f"{players}: a seat is {100 * table['most_off']:.2f} points off at most", table["most_off"] <= MOST_OFF
        yield f"{players}: {100 * table['dead_share']:.1f} % dead routes", table["dead_share"] <= MOST_DEAD
        yield f"{players}: {table['luck']:.1f} points between the first tickets", table["luck"] < MOST_LUCK
        share = table["mail_share"]
        yield f"{players}: the mail is {100 * share:.1f} % of the score", MAIL_SHARE[0] <= share <= MAIL_SHARE[1]
        some = table["players_with_mail"]
        yield f"{players}: {100 * some:.1f} % of the players deliver a bag", some >= FEWEST_WITH_MAIL
    for game in matches:
        what = f"{game['first']} against {game['second']}: {100 * game['rate']:.1f} %"
        if game["second"] == "mail-blind":
            yield what, game["rate"] >= LEAST_AGAINST_BLIND
        else:
            even = game["first"] == "collector" and game["second"] == "postman"
            yield what, game["rate"] >= LEAST_OF_A_STYLE and (not even or game["rate"] <= 1 - LEAST_OF_A_STYLE)


def show(table: dict[str, Any]) -> None:
    wins = ", ".join(f"{100 * share:.2f}" for share in table["seat_wins"])
    print(
        f"{table['players']} players, {table['games']:,} games, {table['seconds']} s: mean score {table['mean_score']}"
    )
    print(f"  seats win {wins} % (± {100 * table['seat_wins_half_interval']:.2f}); scores {table['seat_scores']}")
    print(
        f"  mail {table['mail_points']} points, {100 * table['mail_share']:.1f} %; {table['bags_delivered']} bags; "
        f"{100 * table['players_with_mail']:.1f} % of the players deliver one"
    )
    print(
        f"  dead routes {len(table['dead_routes'])} of {table['routes']}: {', '.join(table['dead_routes']) or 'none'}"
    )
    print(f"  luck {table['luck']}: {table['luckiest']} … {table['unluckiest']}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=2, help="how many cores play")
    parser.add_argument("--out", type=Path, default=None, help="folder for balance.json")
    parser.add_argument("--games", type=int, default=20_000, help="games of self-play for each number of players")
    parser.add_argument("--deals", type=int, default=1_000, help="deals of each match, played twice")
    parser.add_argument("--seed", type=int, default=20270301)
    parser.add_argument("--players", default="2,3,4,5", help="numbers of players; empty: only the matches")
    options = parser.parse_args()
    begun = time.monotonic()
    warm()
    tables = []
    for players in [int(n) for n in options.players.split(",") if n]:
        tables.append(self_play(players, options.games, options.seed, options.processes))
        show(tables[-1])
    matches = [match(*pair, options.deals, options.seed + 1, options.processes) for pair in MATCHES if options.deals]
    held = [{"what": what, "holds": holds} for what, holds in verdicts(tables, matches)]
    for row in held:
        print(f"{'holds ' if row['holds'] else 'MISSED'}  {row['what']}")
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        map_hash = load_map(MAP).hash
        whole = {"map": MAP, "hash": map_hash, "self_play": tables, "matches": matches, "held": held}
        (options.out / "balance.json").write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
