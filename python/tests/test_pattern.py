"""The algebra of patterns, rules, the library and soups, held against sets of Python."""

from __future__ import annotations

import pickle
import random

import pytest

import gridpaper as gp


def cells_of(pattern: gp.Pattern) -> set[tuple[int, int]]:
    return set(map(tuple, pattern.coords().tolist()))


def test_the_algebra_is_that_of_sets() -> None:
    dice = random.Random(11)
    for _ in range(30):
        sets = [
            {(dice.randrange(-4, 70), dice.randrange(-3, 5)) for _ in range(dice.randrange(120))}
            for _ in range(2)
        ]
        a, b = (gp.Pattern.from_coords(sorted(cells)) for cells in sets)
        assert cells_of(a | b) == sets[0] | sets[1]
        assert cells_of(a + b) == sets[0] | sets[1]
        assert cells_of(a & b) == sets[0] & sets[1]
        assert cells_of(a - b) == sets[0] - sets[1]
        assert cells_of(a ^ b) == sets[0] ^ sets[1]
        assert cells_of(a.shift(7, -9)) == {(x + 7, y - 9) for x, y in sets[0]}
        assert cells_of(a("rotcw")) == {(-y, x) for x, y in sets[0]}
        assert bool(a) == bool(sets[0])


def test_states_are_the_left_ones() -> None:
    a = gp.Pattern.from_coords([[0, 0, 1], [1, 0, 1]], rule="B2/S/C3")
    b = gp.Pattern.from_coords([[1, 0, 2], [2, 0, 2]], rule="B2/S/C3")
    states = lambda p: p.coords(states=True).tolist()  # noqa: E731
    assert states(a | b) == [[0, 0, 1], [1, 0, 1], [2, 0, 2]]
    assert states(a & b) == [[1, 0, 1]]
    assert states(a ^ b) == [[0, 0, 1], [2, 0, 2]]


def test_patterns_are_advanced_and_named() -> None:
    glider = gp.Pattern("glider")
    assert glider[4] == glider(1, 1) and glider[2] != glider
    assert hash(glider[4]) == hash(glider(1, 1))
    assert (glider.apgcode, glider.period, glider.displacement) == ("xq4_153", 4, (1, 1))
    assert gp.Pattern("xp2_7").period == 2
    gun = gp.identify("gosper-glider-gun")
    assert (gun.kind, gun.period, gun.emission) == ("gun", 30, {"xq4_153": 1})
    assert gp.identify("acorn").lifespan == 5206
    two = (gp.Pattern("block") | gp.Pattern("blinker").shift(20, 0)).identify(parts=True)
    assert sorted(part.kind for _, _, part in two.parts) == ["oscillator", "still_life"]


def test_matches_and_components() -> None:
    block, glider = gp.Pattern("2o$2o!"), gp.Pattern("bo$2bo$3o!")
    field = block | block(10, 3) | glider(30, 0) | block(40, 9)
    assert field.match(block) == [(0, 0), (10, 3), (40, 9)]
    row = gp.Pattern("4o!")
    assert row.match("2o!") == [(0, 0), (1, 0), (2, 0)]
    around = gp.Pattern("4o!").shift(-1, 0) - gp.Pattern("2o!")
    assert row.match("2o!", dead=around) == []
    assert [part.population for part in field.components()] == [4, 5, 4, 4]
    assert field.replace(block, glider).population == 20
    assert gp.Pattern("o2bo!").components(3)[0].population == 2


def test_pickles_keep_all() -> None:
    for pattern in [
        gp.Pattern("gosper-glider-gun"),
        gp.Pattern(),
        gp.Pattern("glider").shift(-5, 9),
    ]:
        again = pickle.loads(pickle.dumps(pattern))
        assert again == pattern and again.bounds == pattern.bounds
    rule = gp.Rule("B36/S23:T8,8")
    assert pickle.loads(pickle.dumps(rule)) == rule == gp.Rule("HighLife:T8,8")


def test_rules_step_a_block() -> None:
    rule = gp.Rule("B3/S23")
    for live in range(9):
        block = [int(i < live) for i in range(8)]
        block.insert(4, 1)
        rows = [block[:3], block[3:6], block[6:]]
        assert rule.next(rows) == int(live in (2, 3))
    assert (rule.states, rule.radius, rule.topology, rule.size) == (2, 1, "", (0, 0))
    assert rule.on("T5,6").size == (5, 6)
    assert "live" in rule.explain() or "birth" in rule.explain() or rule.explain()
    assert gp.Rule("WireWorld").states == 4


def test_the_library_and_soups() -> None:
    assert gp.library.names()[:2] == ["glider", "gosper-glider-gun"]
    assert all(entry.source for entry in gp.library.entries())
    assert gp.library.get("acorn").pattern().population == 7
    with pytest.raises(KeyError, match="did you mean"):
        gp.library.get("glidre")
    assert gp.soup("census_seed_a0").population == 126
    assert gp.soup(9, 64, density=0.1).population in range(300, 520)
    assert gp.soup(1, 8) == gp.soup(1, 8) != gp.soup(2, 8)


def test_a_census_is_the_same_on_any_threads(tmp_path) -> None:
    counts = [gp.census(600, seed="a", threads=threads).counts for threads in (1, 3)]
    assert counts[0] == counts[1] and list(counts[0])[0] == "xs4_33"
    store = tmp_path / "soups.sqlite"
    part = gp.census(300, seed="a", store=store)
    whole = gp.census(600, seed="a", store=store)
    assert (part.soups, whole.soups, whole.counts) == (300, 600, counts[0])
    again = pickle.loads(pickle.dumps(whole))
    assert (again.counts, again.lifespans, repr(again)) == (
        whole.counts,
        whole.lifespans,
        repr(whole),
    )
    assert again.samples("xq4_153") == whole.samples("xq4_153")
    sample = whole.samples("xq4_153")[0]
    assert gp.Pattern(sample).population > 50
    assert sum(whole.lifespans.values()) == 600
    with pytest.raises(gp.CensusError, match="explosive"):
        gp.census(100, "B2/S")


def test_lasers() -> None:
    for name in gp.laser.levels():
        board = gp.laser.level(name)
        assert gp.laser.Board(str(board)) == board
    board, grade, moves = gp.laser.generate(6, 6, pieces=2, seed=7)
    answer = board.solve("fewest")
    assert answer.solvable and answer.is_fewest and len(answer.moves) <= moves
    for start, end in answer.moves:
        board = board.moved(start, end)
    assert board.is_solved and board.lit == board.sensors and grade
    assert board.tiles().shape == board.light().shape == (6, 6)
