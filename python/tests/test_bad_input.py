"""Nothing that a program gives may be a panic: each is an exception that says what is wrong."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import gridpaper as gp
from gridpaper import _core

BAD = [
    # rules and patterns
    (lambda: gp.Rule("B3/S2x"), gp.RuleError, "offset 5"),
    (lambda: gp.Rule(""), gp.RuleError, ""),
    (lambda: gp.Rule("B3/S23:X9"), gp.RuleError, ""),
    (lambda: gp.Rule(3), TypeError, ""),
    (lambda: gp.World("x = 3, y = 1\nbo?!"), gp.PatternError, "2:3"),
    (lambda: gp.World("glidre"), gp.PatternError, "no such file"),
    (lambda: gp.World("glider", rule="B9/S23"), gp.RuleError, ""),
    (lambda: gp.World("glider", engine="fast"), ValueError, "expected auto"),
    (lambda: gp.World("glider", engine="torus"), gp.Unsupported, "torus"),
    (lambda: gp.World("glider", threads=0), ValueError, "1 to 1024"),
    (lambda: gp.World("glider", memory=-1), OverflowError, ""),
    (lambda: gp.World(object()), TypeError, "expected a pattern"),
    (lambda: gp.World(3.5), TypeError, "expected a pattern"),
    (lambda: gp.Pattern(b"\xff\xfe\x00"), gp.PatternError, ""),
    (lambda: gp.Pattern("glider").to("pdf"), ValueError, "no format"),
    (lambda: gp.Pattern("glider").save("glider.pdf"), ValueError, "ending"),
    (lambda: gp.Pattern("glider").transform("upside"), ValueError, "no transformation"),
    (lambda: gp.Pattern("glider")[-1], ValueError, "0 or more"),
    (lambda: gp.Pattern("glider")["a"], TypeError, ""),
    (lambda: gp.Pattern("glider") | gp.Pattern("o!", rule="B36/S23"), ValueError, "two rules"),
    (lambda: gp.Pattern("glider") | 7, TypeError, ""),
    (lambda: gp.Pattern("glider").shift(2**62, 0), ValueError, "out of reach"),
    (lambda: gp.Pattern("glider").match(gp.Pattern()), ValueError, "everywhere"),
    (lambda: gp.Pattern("glider").components(0), ValueError, "1 to 64"),
    (lambda: gp.Pattern.from_coords([[1, 2, 3, 4]]), ValueError, "rows of"),
    (lambda: gp.Pattern.from_coords([[1.5, 2]]), TypeError, "whole numbers"),
    (lambda: gp.Pattern.from_coords([[1, 2, 256]]), OverflowError, ""),
    # arrays
    (lambda: gp.World(np.zeros(3, np.uint8)), ValueError, "two dimensions"),
    (lambda: gp.World(np.zeros((2, 2, 2), np.uint8)), ValueError, "two dimensions"),
    (lambda: gp.World(np.zeros((2, 2))), TypeError, "float64"),
    (lambda: gp.World(np.full((2, 2), 300)), ValueError, "0 to 255"),
    (lambda: gp.World(np.full((2, 2), -1)), ValueError, "-1"),
    (lambda: gp.World(np.full((2, 2), 7)), gp.Unsupported, "state 7"),
    (lambda: gp.World().put(0, 0, np.full((2, 2), 2)), gp.Unsupported, "state 2"),
    (
        lambda: gp.World(rule="B3/S23:T8,8").put(2, 2, np.ones((8, 8), int)),
        ValueError,
        "do not fit",
    ),
    (lambda: gp.World(rule="B3/S23:P8,8").put(9, 9, "glider"), ValueError, "clip=True"),
    (lambda: gp.World().put(0, 0, "glider", "and"), ValueError, "no mode"),
    (lambda: gp.World().put(2**63 - 2, 0, "glider"), ValueError, "reaches further"),
    (lambda: gp.World("glider").cells(0, 0, 3), TypeError, "all of x"),
    (lambda: gp.World("glider").cells(0, 0, -3, 3), ValueError, "0 or more"),
    (lambda: gp.World("glider").cells(0, 0, 2**40, 2**40), MemoryError, "smaller window"),
    (lambda: gp.World("glider").cells(2**62, 0, 2**62, 1), ValueError, "reaches further"),
    (lambda: gp.Rule("B3/S23").next(np.zeros((2, 3), int)), ValueError, "3 x 3"),
    (lambda: gp.Rule("B3/S23").next(np.full((3, 3), 9)), gp.Unsupported, "state 9"),
    # running
    (lambda: gp.World("glider").run(-1), ValueError, "0 or more"),
    (lambda: gp.World("glider").run(10**5000), ValueError, "2^1024"),
    (lambda: gp.Pattern("glider")[10**5000], ValueError, "2^1024"),
    (lambda: gp.World("glider").run(1.5), TypeError, ""),
    (lambda: gp.World("glider").run("4"), TypeError, ""),
    (lambda: gp.World("glider").run(4, progress=3), TypeError, "progress"),
    (lambda: gp.World("glider").run_back(1), ValueError, ""),
    (lambda: gp.World("glider").set(0, 0, 2), gp.Unsupported, "state 2"),
    (lambda: gp.World("glider").set(0, 0, 256), OverflowError, ""),
    (lambda: gp.World("glider").get(2**63, 0), OverflowError, ""),
    (lambda: gp.World(rule="B3/S23:P8,8").set(100, 0), gp.Unsupported, ""),
    (lambda: gp.World("glider").svg(theme="mauve"), ValueError, "no theme"),
    (lambda: gp.World("glider").png(width=0), ValueError, "1 to"),
    (lambda: gp.World("glider").png(width=10**6), ValueError, "1 to"),
    (lambda: gp.World("glider").gif(0), ValueError, "frames"),
    (lambda: gp.World("glider").gif(delay=float("nan")), ValueError, "delay"),
    # soups, censuses, lasers
    (lambda: gp.soup(1, 10**9), ValueError, ""),
    (lambda: gp.soup(1, 8, density=2.0), ValueError, ""),
    (lambda: gp.soup(-1), OverflowError, ""),
    (lambda: gp.soup("seed", 8), TypeError, "Catagolue"),
    (lambda: gp.soup("seed", symmetry="X9"), ValueError, "X9"),
    (lambda: gp.census(10, "nonsense"), gp.RuleError, ""),
    (lambda: gp.census(10, "B2/S/C3"), gp.CensusError, ""),
    (lambda: gp.census(10, symmetry="X9"), gp.CensusError, "X9"),
    (lambda: gp.census(10, threads=0), ValueError, "threads"),
    (lambda: gp.census(10, first=2**64 - 5), ValueError, "no such numbers"),
    (lambda: gp.census(10, store="/dev/null/x"), gp.CensusError, ""),
    (lambda: gp.laser.Board("3 2\nW W W\nW ? W\n"), gp.LevelError, ""),
    (lambda: gp.laser.Board(""), gp.LevelError, ""),
    (lambda: gp.laser.level("nowhere"), KeyError, "nowhere"),
    (lambda: gp.laser.generate(1000, 2), ValueError, "columns"),
    (lambda: gp.laser.generate(pieces="many"), ValueError, ""),
    (lambda: gp.laser.generate(difficulty="awful"), ValueError, "difficulty"),
    # games
    (lambda: gp.Position("chess"), gp.GameError, "chess"),
    (lambda: gp.Position("mnk:99,99,5"), gp.GameError, ""),
    (lambda: gp.Position("tictactoe", "what"), gp.GameError, ""),
    (lambda: gp.Position().apply(9), gp.GameError, "action 9"),
    (lambda: gp.Position().apply(-1), gp.GameError, "action -1"),
    (lambda: gp.Position().apply("Z9"), gp.GameError, "Z9"),
    (lambda: gp.Position().apply(0, 1), gp.GameError, "one action"),
    (lambda: gp.Position().apply(), gp.GameError, "one action"),
    (lambda: gp.Position("duel").apply(0), gp.GameError, "two actions"),
    (lambda: gp.Position("duel").apply(255, 0), gp.GameError, "legal"),
    (lambda: gp.Position().apply(1.5), TypeError, "float"),
    (lambda: gp.Position().board(2), ValueError, "seats are 0 and 1"),
    (lambda: gp.Position("duel:32x8").mask(), ValueError, "not listed"),
    (lambda: gp.Position().think("deepest"), gp.GameError, "deepest"),
    (lambda: gp.Position().think("random", seat=1), gp.GameError, "not to move"),
    (lambda: gp.Player("stones", "random").think(gp.Position()), gp.GameError, "plays stones"),
    (lambda: gp.play_match("stones", "cmd:./bot", "random"), gp.GameError, "sandbox"),
    (lambda: gp.play_match("stones", "nobody", "random"), gp.GameError, "nobody"),
    (lambda: gp.play_match("stones", "random", "random", 0), ValueError, "0 games"),
    (lambda: gp.VectorPosition("stones", 0), ValueError, "0 games"),
    (lambda: gp.VectorPosition("duel:32x8", 2), gp.GameError, "too many"),
    (lambda: gp.VectorPosition("tictactoe", 3).step([0, 1]), ValueError, "3 actions"),
    (lambda: gp.VectorPosition("tictactoe", 2).step([0.0, 1.0]), TypeError, "whole numbers"),
    (lambda: gp.VectorPosition("tictactoe", 2).step([0, 9]), gp.GameError, "action 9 of game 1"),
    (lambda: gp.VectorPosition("tictactoe", 2).step([0, -1]), gp.GameError, "action -1"),
    # pickles of other versions
    (lambda: _core._restore_world(2, b""), ValueError, "format 2"),
    (lambda: _core._restore_world(1), ValueError, "not whole"),
    (lambda: _core._restore_pattern(99), ValueError, "format 99"),
    (lambda: _core._restore_census(7), ValueError, "format 7"),
    (lambda: _core._restore_census(1), ValueError, "not whole"),
    (lambda: _core._restore_position(0), ValueError, "format 0"),
    (lambda: _core._restore_census_plan(7), ValueError, "format 7"),
    (lambda: _core._restore_census_plan(1, "{}"), ValueError, "not whole"),
    (lambda: _core._restore_search_plan(7), ValueError, "format 7"),
    (lambda: _core._restore_search_plan(1), ValueError, "not whole"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_bad_input_is_an_exception_that_says_so(number: int) -> None:
    call, kind, words = BAD[number]
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value).__name__ != "PanicException"
    assert words in str(caught.value)


def test_exceptions_have_fields() -> None:
    with pytest.raises(gp.RuleError) as rule:
        gp.Rule("B3/S2x")
    assert (rule.value.text, rule.value.offset) == ("B3/S2x", 5)
    with pytest.raises(gp.PatternError) as pattern:
        gp.World("x = 3, y = 1\nbo?!")
    assert (pattern.value.line, pattern.value.column) == (2, 3)
    with pytest.raises(gp.PatternError) as pattern:
        gp.Pattern("glidre")
    assert pattern.value.hint == "did you mean glider?"
    for kind in [
        gp.RuleError,
        gp.PatternError,
        gp.Unsupported,
        gp.GameError,
        gp.LevelError,
        gp.CensusError,
    ]:
        assert issubclass(kind, ValueError)


def test_a_world_without_room_stands_at_a_whole_generation() -> None:
    world = gp.World(gp.soup(1, 200), rule="B1/S012345678", engine="tiles", memory=8 << 20)
    with pytest.raises(gp.Exhausted) as caught:
        world.run(10**6)
    assert isinstance(caught.value, MemoryError)
    assert caught.value.generation == world.generation > 0
    assert world.population > 0


def test_an_illegal_step_changes_nothing() -> None:
    games = gp.VectorPosition("tictactoe", 2)
    with pytest.raises(gp.GameError):
        games.step([4, 9])
    assert games.boards().sum() == 0
    games.step([4, 4])
    assert games.boards().sum() == 2


def test_a_pickle_that_was_cut_is_no_world() -> None:
    data = pickle.dumps(gp.World("acorn"))
    broken = data.replace(b"[M2]", b"[M9]")
    assert broken != data
    with pytest.raises(gp.PatternError):
        pickle.loads(broken)
