"""Methods with arguments that make no sense: whatever comes is an exception of Python's own kinds."""

from __future__ import annotations

import random

import numpy as np
import pytest

import gridpaper as gp

VALUES = [
    *[0, 1, -1, 2, 3, 7, 255, 256, -(2**63), 2**63 - 1, 2**63, 2**64, 10**30, 2**31],
    *[0.5, float("nan"), None, True, object(), {}, [], (), (1, 2), (0, 0), [[1]], [[0, 1], [1, 0]]],
    *["", "a", "glider", "B3/S23", "bo$2bo$3o!", "B2/S/C3", "x = 3, y=3\n3o!", "xs4_33", "T8,8"],
    *["rotcw", "or", "xor", "rle", "mc", "paper", "fewest", "tictactoe", "stones", "duel", "A1"],
    *["random", "1" * 200, "\0", "é", "C1/seed1", "D8_4", b"", b"3o!", "stones:plies=0"],
    *[np.zeros((3, 3), np.uint8), np.ones((2, 5), np.int64), np.zeros(0), np.full((2, 2), 3)],
    *[np.zeros((0, 5), np.uint8), gp.Pattern("glider"), gp.Rule("B3/S23"), gp.World("glider")],
]
OPERATORS = {"__call__", "__getitem__", "__setitem__", "__or__", "__and__", "__sub__", "__xor__"}
# What writes files, or takes long for a number that makes sense.
LEFT_OUT = {"save", "run", "run_back", "identify", "gif", "think", "__getitem__", "generation"}
EXPECTED = (
    ValueError,
    TypeError,
    OverflowError,
    MemoryError,
    KeyError,
    RuntimeError,
    AttributeError,
)


def objects(dice: random.Random) -> list[object]:
    return [
        gp.World("acorn", rule=dice.choice([None, "B3/S23:T20,20", "B3/S23:P9,9"])),
        gp.World(gp.soup(1, 12, rule="B2/S/C3", states=3)),
        gp.Pattern(dice.choice(["acorn", "pulsar"])),
        gp.Rule(dice.choice(["B3/S23", "B2/S/C3:T5,5", "R2,C0,M1,S5..8,B6..7,NM"])),
        gp.Position(dice.choice(["tictactoe", "duel", "stones", "mnk:4,3,3"])),
        gp.VectorPosition(dice.choice(["tictactoe", "duel", "stones"]), 3),
        gp.laser.level("simple-mirror"),
        gp.Player("tictactoe", "random"),
    ]


@pytest.mark.parametrize("seed", range(4))
def test_calls_that_make_no_sense(seed: int) -> None:
    dice = random.Random(seed)
    refused = 0
    for number in range(600):
        if number % 100 == 0:
            owners = objects(dice)
        owner = dice.choice(owners)
        names = [name for name in dir(owner) if not name.startswith("_") or name in OPERATORS]
        name = dice.choice([name for name in names if name not in LEFT_OUT])
        arguments = [dice.choice(VALUES) for _ in range(dice.randrange(5))]
        try:
            method = getattr(owner, name)
            if callable(method):
                method(*arguments)
        except EXPECTED:
            refused += 1
    assert refused > 100
