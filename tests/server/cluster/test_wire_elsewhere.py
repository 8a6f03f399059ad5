"""What holds on one process holds on PostgreSQL and Redis, through a process that does not hold the table: two worlds,
nonsense on a socket, made-up requests. These are the tests of one process, with another service under them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.cluster.conftest import start
from tests.server.cluster.pair import Pair
from tests.server.test_api import (
    guest,
    target,
    test_a_frame_of_many_bytes_ends_the_stream_and_nothing_else,
    test_no_bent_move_is_played,
    test_no_frame_breaks_the_service_or_changes_the_game,
    test_what_is_said_is_cleaned_and_told_to_all,
    test_whatever_is_asked_the_answer_is_as_described,
)
from tests.server.test_two_worlds_wire import (
    test_a_claim_begun_and_undone_leaves_no_trace,
    test_a_frame_with_one_hidden_card_more_would_be_noticed,
    test_no_frame_tells_two_worlds_apart,
    test_the_number_of_an_ack_says_nothing_of_silent_choices,
    test_what_another_drafts_leaves_no_trace,
    test_what_spectators_say_leaves_no_trace_with_players,
    test_which_tickets_another_keeps_leaves_no_trace,
)
from tests.servers import Postgres, Redis

__all__ = [
    "guest",
    "target",
    "test_a_claim_begun_and_undone_leaves_no_trace",
    "test_a_frame_of_many_bytes_ends_the_stream_and_nothing_else",
    "test_a_frame_with_one_hidden_card_more_would_be_noticed",
    "test_no_bent_move_is_played",
    "test_no_frame_breaks_the_service_or_changes_the_game",
    "test_no_frame_tells_two_worlds_apart",
    "test_the_number_of_an_ack_says_nothing_of_silent_choices",
    "test_what_another_drafts_leaves_no_trace",
    "test_what_is_said_is_cleaned_and_told_to_all",
    "test_what_spectators_say_leaves_no_trace_with_players",
    "test_whatever_is_asked_the_answer_is_as_described",
    "test_which_tickets_another_keeps_leaves_no_trace",
]


@pytest.fixture(scope="module")
def running(
    tmp_path_factory: pytest.TempPathFactory, postgres_of_worker: Postgres, redis_of_worker: Redis
) -> Iterator[Pair]:
    start(postgres_of_worker, redis_of_worker)
    with Pair(tmp_path_factory.mktemp("pair"), postgres_of_worker.fresh(), redis_of_worker) as up:
        yield up
