"""The next game keeps everyone seated: chairs are kept, who comes gives their part of the deal, and it begins by
itself when nobody is missing."""

from __future__ import annotations

from branchline.fair import check
from branchline.server.tables import commands
from branchline.server.tables.state import Playing, Waiting, proof_of
from branchline.server.wire.sentences import code_of
from tests.server.tables.scene import ADA, BO, CY, PIP, Scene, over

SEEDS = {ADA: "ab" * 16, BO: "cd" * 16, CY: "ef" * 16}


def again(*chairs: str) -> Scene:
    """The table of the rematch that Ada asks for."""
    outcome = over(*chairs).tried(commands.Rematch(user=ADA, browser_seed=SEEDS[ADA]), name="Ada")
    assert isinstance(outcome.made, Waiting)
    return Scene(outcome.made)


def sit(user: str) -> commands.Sit:
    return commands.Sit(user=user, browser_seed=SEEDS[user])


def users(scene: Scene) -> list[str | None]:
    return [chair.user or chair.bot for chair in scene.table.chairs]


def test_everybody_has_a_chair_a_seat_further_and_those_who_come_say_so() -> None:
    scene = again(ADA, BO, CY, PIP)
    assert users(scene) == [BO, CY, "random", ADA]
    assert scene.waiting.expected == {0, 1}
    scene.do(sit(CY), name="Cy")
    assert scene.waiting.expected == {0}
    assert scene.ignored(sit(CY), name="Cy")
    outcome = scene.do(sit(BO), name="Bo")
    assert isinstance(scene.table, Playing)
    assert [type(piece).__name__ for piece in outcome.news] == ["TableChanged", "Stands"]


def test_the_deal_is_proved_by_the_parts_of_all_who_came() -> None:
    scene = again(ADA, BO, CY)
    for user in (CY, BO):
        scene.do(sit(user))
    playing = scene.playing
    assert {chair.user: chair.seed for chair in playing.chairs} == SEEDS
    proof = proof_of(playing.agreed, playing.chairs, playing.dealt)
    assert proof is not None and check(proof, playing.dealt.seed) == ""
    assert [seed.by for seed in proof.seat_seeds] == ["browser"] * 3


def test_a_stranger_finds_no_chair_and_nobody_starts_without_the_others() -> None:
    scene = again(ADA, BO)
    assert code_of(scene.refused(commands.Sit(user=CY), name="Cy").reason)[0] == "full"
    assert code_of(scene.refused(commands.Start(user=ADA)).reason)[0] == "expected"


def test_the_host_frees_a_chair_that_is_kept_and_who_comes_late_can_sit_down_again() -> None:
    scene = again(ADA, BO, CY)
    scene.do(commands.SetChair(user=ADA, chair=0, bot=None))
    assert users(scene) == [None, CY, ADA]
    assert scene.waiting.expected == {1}
    scene.do(sit(BO), name="Bo")
    assert users(scene) == [BO, CY, ADA]
    scene.do(commands.SetChair(user=ADA, chair=1, bot="random"))
    assert isinstance(scene.table, Playing)  # nobody is missing any more


def test_who_has_come_is_not_put_out_by_a_bot() -> None:
    scene = again(ADA, BO, CY)
    scene.do(sit(BO))
    assert code_of(scene.refused(commands.SetChair(user=ADA, chair=0, bot=None)).reason)[0] == "taken"


def test_who_does_not_want_to_leaves_and_the_table_goes_to_who_has_come() -> None:
    scene = again(ADA, BO, CY)
    scene.do(sit(CY))
    scene.do(commands.Leave(user=BO))
    assert not scene.waiting.expected
    scene.do(commands.Leave(user=ADA))
    assert scene.waiting.owner == CY
