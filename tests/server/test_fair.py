"""The fair deal: it follows from every seed and from nothing else, and whatever is changed afterwards is found."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from branchline import Game
from branchline.cli import main
from branchline.deal import SEEDS
from branchline.fair import (
    FairDeal,
    SeatSeed,
    bot_seed,
    check,
    commitment,
    deal_seed,
    fair_deal,
    seat_order,
    seed_fault,
    server_seat_seed,
)
from branchline.record import BadRecord, Record, explicit_deal, read_game, record_of, replay, verify, write_game
from branchline.record.summary import fair_json
from branchline.server.people.guests import new_user_id
from tests.server.keeping import keeper, run

SERVER = bytes(range(32))
ADA, BO = "ab" * 16, "0123456789abcdef" * 4
Json = dict[str, Any]


def example(**changes: Any) -> FairDeal:
    return replace(fair_deal(SERVER, "table-7", [ADA, None, BO]), **changes)


# ---------------------------------------------------------------- what follows from what


def by_hand(purpose: str, *parts: str) -> bytes:
    """HMAC-SHA256 as docs/records.md writes it."""
    tag = "branchline fair deal 1: " + purpose
    message = b"".join(len(part).to_bytes(4, "big") + part.encode() for part in (tag, *parts))
    return hmac.new(SERVER, message, hashlib.sha256).digest()


def test_the_numbers_are_those_of_the_page() -> None:
    tag = b"branchline fair deal 1: commitment"
    message = len(tag).to_bytes(4, "big") + tag + (32).to_bytes(4, "big") + SERVER
    assert commitment(SERVER) == hashlib.sha256(message).hexdigest()
    assert server_seat_seed(SERVER, "table-7", 1) == by_hand("seat", "table-7", "1").hex()
    seeds = [ADA, server_seat_seed(SERVER, "table-7", 1), BO]
    first = int.from_bytes(by_hand("deal", "table-7", *seeds)[:8], "big")
    assert deal_seed(SERVER, "table-7", seeds) == first >> 1
    words = by_hand("order 0", "table-7", *seeds)
    order = [0, 1, 2]
    for i, word in ((2, words[:4]), (1, words[4:8])):
        j = int.from_bytes(word, "big") % (i + 1)
        order[i], order[j] = order[j], order[i]
    assert seat_order(SERVER, "table-7", seeds, 3) == order


def test_the_numbers_never_change() -> None:
    """Records are checked for ever: a change of these needs a new version."""
    fair = example()
    assert fair.commitment == "c0fc94d6afd92200105ff62231c309e1a33b559517c23f68efaffa15612cc4c6"
    assert (fair.seed, fair.order) == (5910019392979126875, (0, 2, 1))


def test_everything_given_changes_the_deal() -> None:
    seeds = [ADA, BO]
    deals = [
        deal_seed(SERVER, "t", seeds),
        deal_seed(bytes(32), "t", seeds),
        deal_seed(SERVER, "u", seeds),
        deal_seed(SERVER, "t", [BO, ADA]),
        deal_seed(SERVER, "t", [ADA]),
        deal_seed(SERVER, "t", [ADA, BO, ADA]),
        deal_seed(SERVER, "t", ["bb" * 16, BO]),
        deal_seed(SERVER, "t", ["", ADA + BO]),
        deal_seed(SERVER, "t", [ADA + BO]),
        deal_seed(SERVER, "t", [ADA + BO[:1], BO[1:]]),
        deal_seed(SERVER, "t" + ADA, [BO]),
    ]
    assert len(set(deals)) == len(deals)
    assert all(0 <= seed < SEEDS for seed in deals)


def test_seeds_spread_over_all_bits() -> None:
    seeds = [deal_seed(SERVER, str(n), [ADA]) for n in range(2000)]
    for bit in range(63):
        assert 850 < sum(seed >> bit & 1 for seed in seeds) < 1150
    assert all(seed < SEEDS for seed in seeds)


@pytest.mark.parametrize(("count", "orders"), [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)])
def test_every_order_of_seats_is_equally_likely(count: int, orders: int) -> None:
    games = 60 * orders
    found = Counter(tuple(seat_order(SERVER, str(n), [ADA] * count, count)) for n in range(games))
    assert len(found) == orders
    assert all(sorted(order) == list(range(count)) for order in found)
    chi_squared = sum((n - 60) ** 2 / 60 for n in found.values())
    assert chi_squared < orders + 5 * (2 * orders) ** 0.5


def test_a_long_order_needs_more_than_one_block() -> None:
    order = seat_order(SERVER, "t", [ADA], 40)
    assert sorted(order) == list(range(40))
    assert order != list(range(40))


def test_a_seat_without_a_seed_gets_one_nobody_could_choose() -> None:
    fair = example()
    assert fair.seat_seeds[0] == SeatSeed(ADA, "browser")
    assert fair.seat_seeds[1] == SeatSeed(server_seat_seed(SERVER, "table-7", 1), "server")
    assert server_seat_seed(SERVER, "table-7", 0) != server_seat_seed(SERVER, "table-7", 1)
    assert not seed_fault(fair.seat_seeds[1].seed)


def test_a_table_may_keep_the_order_of_sitting_down() -> None:
    fair = fair_deal(SERVER, "t", [ADA, BO, None, None, None], drawn=False)
    assert fair.order == (0, 1, 2, 3, 4)
    assert check(fair, fair.seed) == ""


def test_bots_have_chance_of_their_own() -> None:
    seeds = {bot_seed(SERVER, table, seat, moves) for table in "tu" for seat in range(5) for moves in range(20)}
    assert len(seeds) == 200
    assert all(0 <= seed < SEEDS for seed in seeds)


# ---------------------------------------------------------------- promises


def test_a_promise_is_kept_to_its_guest_alone(tmp_path: Path) -> None:
    async def job() -> None:
        ada, bo = new_user_id(), new_user_id()
        async with keeper(tmp_path / "a") as our, keeper(tmp_path / "b") as their:
            promise = our.promises.new(ada)
            kept = our.promises.kept(promise.ticket, ada)
            assert kept is not None
            assert (kept.table, kept.key) == (promise.table, our.keys.signing("deal").id)
            assert commitment(kept.server_seed) == promise.commitment
            assert our.promises.kept(promise.ticket, bo) is None
            assert their.promises.kept(promise.ticket, ada) is None
            table, key, proof = promise.ticket.split(".")
            wrong = ["", ".", table, f"{table}.", f"{table}.{proof}", f"{table}.1.{proof}", f"{table}.{key}.", "\ud800"]
            wrong += [promise.ticket.swapcase(), promise.ticket + "x", promise.ticket + "\n"]
            for ticket in wrong:
                assert our.promises.kept(ticket, ada) is None
            assert our.promises.new(ada).commitment != promise.commitment
        async with keeper(tmp_path / "a") as again:  # after a restart
            assert again.promises.kept(promise.ticket, ada) == kept

    run(job)


# ---------------------------------------------------------------- what cannot be, and what is found out


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"commitment": "0" * 63}, "commitment: must be 64 hexadecimal digits"),
        ({"server_seed": "AB" * 32}, "server_seed: must be 64 hexadecimal digits"),
        ({"table": ""}, "table: must be 1 to 60"),
        ({"table": "a\n"}, "table: must be 1 to 60"),
        ({"order": (0, 1)}, "order: must name each seat from 0 to 2 once"),
        ({"order": (0, 1, 1)}, "order: must name each seat"),
        ({"seat_seeds": (SeatSeed("ab", "browser"),)}, r"seat_seeds\[0\]: 2 characters; a seed has 32 to 128"),
        ({"seat_seeds": (SeatSeed("XY" * 16, "browser"),)}, r"seat_seeds\[0\]: must be hexadecimal digits"),
        ({"seat_seeds": (), "order": ()}, "order: 0 seeds"),
    ],
)
def test_a_proof_of_another_form_is_refused(change: Json, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        example(**change)


def test_a_server_seed_has_32_bytes() -> None:
    for wrong in (b"", bytes(31), bytes(33)):
        with pytest.raises(ValueError, match="has 32 bytes"):
            commitment(wrong)
        with pytest.raises(ValueError, match="has 32 bytes"):
            fair_deal(wrong, "t", [ADA])


def test_check_finds_whatever_was_changed() -> None:
    fair = example()
    seed = fair.seed
    assert check(fair, seed) == ""
    other = bytes(32)
    given = fair.seat_seeds
    assert "not the one it committed to" in check(example(server_seed=other.hex()), seed)
    assert "not the one it committed to" in check(example(commitment="0" * 64), seed)
    assert f"and {seed + 1} was played" in check(fair, seed + 1)
    assert "lead to the deal" in check(example(seat_seeds=(SeatSeed(BO, "browser"), *given[1:])), seed)
    assert "lead to the deal" in check(example(table="table-8", seat_seeds=(given[0],), order=(0,)), seed)
    ground = (given[0], SeatSeed("ff" * 32, "server"), given[2])
    assert "seed 2 is said to be the server's" in check(example(seat_seeds=ground), seed)
    swapped = (fair.order[1], fair.order[0], fair.order[2])
    assert "the seeds lead to the seats" in check(example(order=swapped), seed)
    assert "version 2" in check(example(version=2), seed)
    sitting = example(drawn=False, order=(2, 1, 0))
    assert "the order of sitting down is" in check(sitting, seed)


# ---------------------------------------------------------------- in a record


def fair_record(map: str = "usa", moves: int = 40) -> Record:
    fair = example()
    game = Game.new(map, 3, seed=fair.seed)
    rng = random.Random(1)
    for _ in range(moves):
        seat = rng.choice(game.to_act)
        game.play(rng.choice(game.legal_actions(seat)), seat)
    return record_of(game, ["Ada", "Bo", "Cy"], fair=fair)


def test_a_record_keeps_its_proof() -> None:
    record = fair_record()
    text = write_game(record)
    assert read_game(text) == record
    assert write_game(read_game(text)) == text
    assert verify(record) is None
    assert text.count('"by": "browser"') == 2
    kept = replace(record, fair=fair_deal(SERVER, "t", [ADA, None, BO], drawn=False))
    assert read_game(write_game(kept)) == kept


def test_a_record_without_a_proof_is_written_as_ever() -> None:
    assert "fair" not in write_game(replace(fair_record(), fair=None))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"server_seed": bytes(32).hex()}, "fair: C-04: the server's seed is not the one it committed to"),
        ({"order": (1, 2, 0)}, "fair: C-04: the seeds lead to the seats"),
    ],
)
def test_verify_finds_a_false_proof(change: Json, told: str) -> None:
    fault = verify(replace(fair_record(), fair=example(**change)))
    assert fault is not None
    assert (fault.place, fault.clause, fault.move) == ("fair", "C-04", 0)
    assert str(fault).startswith(told)


@pytest.mark.parametrize("map", ["usa", "europe", "iberia", "africa", "carpathians"])
def test_decks_that_are_written_are_checked_too(map: str) -> None:
    record = fair_record(map)
    *_, last = replay(record)
    written = replace(record, deal=explicit_deal(last.game))
    assert verify(written) is None
    deck = list(written.deal.train_deck)
    at = next(i for i in range(60, len(deck)) if deck[i] != deck[i + 1])
    deck[at], deck[at + 1] = deck[at + 1], deck[at]
    fault = verify(replace(written, deal=replace(written.deal, train_deck=deck)))
    assert fault is not None
    assert "the decks that are written are not those of the seed" in str(fault)


def set_to(*way: str | int, to: object) -> Callable[[Json], None]:
    def change(raw: Json) -> None:
        holder: Any = raw
        for key in way[:-1]:
            holder = holder[key]
        holder[way[-1]] = to

    return change


@pytest.mark.parametrize(
    ("change", "path", "told"),
    [
        (set_to("fair", to=None), "fair", "must be an object, not null"),
        (set_to("fair", to={}), "fair.version", "missing"),
        (set_to("fair", "version", to=2), "fair.version", "2 is not one this program checks; it checks 1"),
        (set_to("fair", "commitment", to="x"), "fair.commitment", "must be 64 hexadecimal digits"),
        (set_to("fair", "server_seed", to=7), "fair.server_seed", "must be text, not 7"),
        (set_to("fair", "table", to=""), "fair.table", "must be 1 to 60 printable"),
        (set_to("fair", "comitment", to=""), "fair.comitment", '(did you mean "commitment"?)'),
        (set_to("fair", "drawn", to=1), "fair.drawn", "must be true or false, not 1"),
        (set_to("fair", "seat_seeds", to=[]), "fair.seat_seeds", "0 entries for 3 players"),
        (set_to("fair", "seat_seeds", 0, "seat", to=3), "fair.seat_seeds[0].seat", "must be from 0 to 2, not 3"),
        (set_to("fair", "seat_seeds", 0, "by", to="me"), "fair.seat_seeds[0].by", 'no giver "me"; one of: browser'),
        (set_to("fair", "seat_seeds", 0, "seed", to="ab"), "fair.seat_seeds[0].seed", "2 characters; a seed has 32"),
        (set_to("fair", "seat_seeds", 0, "hat", to="ab"), "fair.seat_seeds[0].hat", "unknown key"),
        (set_to("fair", "seat_seeds", 0, to=[]), "fair.seat_seeds[0]", "must be an object, not a list"),
    ],
)
def test_a_proof_that_cannot_be_read_is_refused_by_place(change: Callable[[Json], None], path: str, told: str) -> None:
    raw = json.loads(write_game(fair_record(moves=0)))
    change(raw)
    with pytest.raises(BadRecord) as refused:
        read_game(json.dumps(raw))
    assert refused.value.path == path
    assert told in refused.value.reason


def test_a_seat_is_named_once() -> None:
    raw = json.loads(write_game(fair_record(moves=0)))
    raw["fair"]["seat_seeds"][0]["seat"] = raw["fair"]["seat_seeds"][1]["seat"]
    with pytest.raises(BadRecord, match=r"fair\.seat_seeds: must name each seat from 0 to 2 once"):
        read_game(json.dumps(raw))


def test_changed_proofs_never_pass() -> None:
    """One changed character anywhere in the proof: refused, or a fault."""
    text, rng = write_game(fair_record(moves=0)), random.Random(4)
    begin, end = text.index('"fair"'), text.index('"moves"')
    for _ in range(300):
        at = rng.randrange(begin, end)
        new = rng.choice("0123456789abcdef")
        if text[at] == new:
            continue
        try:
            record = read_game(text[:at] + new + text[at + 1 :])
        except BadRecord:
            continue
        fault = verify(record)
        assert fault is not None or record == read_game(text)


# ---------------------------------------------------------------- the command


def test_verify_tells_of_the_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, file = fair_record(), tmp_path / "game.json"
    file.write_text(write_game(record), encoding="utf-8")
    assert main(["replay", str(file), "--verify"]) == 0
    out = capsys.readouterr().out
    told = "the deal is the one committed to before the game, if the commitment you were shown is"
    assert out.endswith(f"; {told} {commitment(SERVER)}\n")
    assert main(["replay", str(file), "--verify", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"right": True, "moves": 40, "fair": True}
    file.write_text(write_game(replace(record, fair=example(commitment="0" * 64))), encoding="utf-8")
    assert main(["replay", str(file), "--verify"]) == 1
    assert "game.json: fair: C-04: the server's seed is not the one it committed to\n" in capsys.readouterr().err
    assert main(["replay", str(file), "--verify", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["place"] == "fair"


def test_the_proof_stands_in_the_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record, file = fair_record(), tmp_path / "game.json"
    file.write_text(write_game(record), encoding="utf-8")
    assert main(["replay", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])["fair"]
    assert record.fair is not None
    assert told == fair_json(record.fair)
    assert told["seed"] == record.deal.seed
    assert [row["seat"] for row in told["seat_seeds"]] == list(record.fair.order)


def test_the_example_of_the_page_is_right() -> None:
    page = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
    begin = page.index('"fair": {\n')
    shown = json.loads("{" + page[begin : page.index("```", begin)] + "}")["fair"]
    fair = fair_deal(SERVER, "table-7", [ADA, None])
    told = fair_json(fair)
    assert shown == {key: told[key] for key in shown}
    assert "fair: C-04: " + check(replace(fair, commitment="0" * 64), fair.seed) in page
