"""Every bot chooses what it chose when the digests were written: the same move in the same place for the same seed."""

from __future__ import annotations

import json

import pytest

from tests.bots.choices import FILE, digest, golden_choices

CHOICES = golden_choices()
GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))


def test_every_bot_has_its_golden_choices() -> None:
    assert list(GOLDEN) == list(CHOICES)


@pytest.mark.parametrize("name", CHOICES)
def test_the_choices_are_the_golden_ones(name: str) -> None:
    assert digest(CHOICES[name]()) == GOLDEN[name], "where that is meant: `python -m tests.bots.choices`"
