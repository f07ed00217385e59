"""Golly's calls, held against what they are for; its own scripts where they are at hand.

The scripts are Golly's and not part of this project: `GRIDPAPER_DATA` names the folder whose
`golly-scripts` has them. What they make is known by reason: see each row.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from collections.abc import Callable

import pytest

import gridpaper as gp
from gridpaper import golly as g
from gridpaper.golly import glife

GLIDER = [1, 0, 2, 1, 0, 2, 1, 2, 2, 2]


@pytest.fixture(autouse=True)
def begin_anew() -> None:
    g.start(quiet=True)


def test_cell_lists() -> None:
    assert g.parse("bo$2bo$3o!") == GLIDER
    assert g.parse("x = 3, y = 1, rule = LifeHistory\n.AC!") == [1, 0, 1, 2, 0, 3, 0]
    assert g.parse("pA!") == [0, 0, 25]
    assert g.parse("3o!", 5, 6, 0, -1, 1, 0) == [5, 6, 5, 7, 5, 8]
    assert g.join([1, 2], [3, 4]) == [1, 2, 3, 4]
    assert g.join([1, 2], [3, 4, 5]) == [1, 2, 1, 3, 4, 5, 0]
    assert g.transform([1, 2], 10, 20, -1, 0, 0, -1) == [9, 18]
    assert g.evolve(GLIDER, 4) == g.transform(GLIDER, 1, 1)
    g.setrule("WireWorld")
    assert g.evolve([0, 0, 2, 1, 0, 1, 2, 0, 3], 1) == [0, 0, 3, 1, 0, 2, 2, 0, 1]
    g.putcells([0, 0, 3, 1, 0, 3, 0])
    assert g.getcells([0, 0, 9, 9]) == [0, 0, 3, 1, 0, 3, 0], "a number more, so that they are odd"
    assert g.getcells([5, 5, 2, 2]) == [] and g.getcells([]) == []


def test_cells_are_put_in_each_mode() -> None:
    for mode, cells in [
        ("or", [0, 0, 1, 0, 2, 0]),
        ("xor", [0, 0, 2, 0]),
        ("copy", [0, 0, 1, 0, 2, 0]),
        ("not", [0, 0]),
        ("and", [0, 0, 1, 0]),
    ]:
        g.new(mode)
        g.putcells([0, 0, 1, 0])
        g.putcells([1, 0, 2, 0], 0, 0, 1, 0, 0, 1, mode)
        assert g.getcells([0, 0, 9, 9]) == cells, mode


def test_control() -> None:
    g.putcells(GLIDER)
    g.run(3)
    g.setbase(10)
    g.setstep(2)
    g.step()
    assert (g.getgen(), g.getpop(), g.getbase(), g.getstep()) == ("103", "5", 10, 2)
    assert (g.getrect(), g.empty()) == ([26, 26, 3, 3], False)
    g.reset()
    assert (g.getgen(), g.getcells(g.getrect())) == ("0", GLIDER)
    g.setgen("1000000")
    assert g.getgen(",") == "1,000,000"
    g.setgen("-1")
    assert g.getgen() == "999999"
    g.setrule("B36/S23:T30,20")
    assert (g.getrule(), g.getwidth(), g.getheight(), g.numstates()) == (
        "B36/S23:T30,20",
        30,
        20,
        2,
    )
    assert g.getpop() == "5", "the cells stay"


def test_the_selection() -> None:
    g.putcells(GLIDER)
    g.select([0, 0, 3, 3])
    g.copy()
    assert g.getclip()[:2] == [3, 3] and g.getclip()[2] == GLIDER
    g.flip(0)
    assert g.getcells([0, 0, 3, 3]) == sorted_cells((2 - x, y) for x, y in pairs(GLIDER))
    g.flip(0)
    g.rotate(0)
    assert g.getcells([0, 0, 3, 3]) == sorted_cells((2 - y, x) for x, y in pairs(GLIDER))
    g.rotate(1)
    assert g.getcells([0, 0, 3, 3]) == GLIDER
    g.paste(10, 10)
    assert g.getpop() == "10"
    g.clear(1)
    assert g.getrect() == [0, 0, 3, 3]
    g.select([-5, -5, 20, 20])
    g.shrink()
    assert g.getselrect() == [0, 0, 3, 3]
    g.advance(0, 4)
    assert g.getgen() == "0" and g.getpop() != "5"
    g.randfill(50)
    assert 1 <= int(g.getpop()) <= 9
    g.cut()
    assert g.empty()


def pairs(cells: list[int]) -> list[tuple[int, int]]:
    return list(zip(cells[::2], cells[1::2]))


def sorted_cells(points) -> list[int]:
    return [number for x, y in sorted(points, key=lambda p: (p[1], p[0])) for number in (x, y)]


def test_layers() -> None:
    g.putcells(GLIDER)
    g.setname("first")
    assert (g.addlayer(), g.numlayers(), g.empty()) == (1, 2, True)
    g.putcells([0, 0])
    g.setlayer(0)
    assert g.clone() == 1 and g.numlayers() == 3
    g.setcell(50, 50, 1)
    g.setlayer(0)
    assert g.getcell(50, 50) == 1, "clones share their cells"
    g.duplicate()
    g.setcell(50, 50, 0)
    g.setlayer(0)
    assert g.getcell(50, 50) == 1
    g.movelayer(0, 2)
    assert (g.getlayer(), g.getname()) == (2, "first")
    while g.numlayers() > 1:
        g.dellayer()
    with pytest.raises(RuntimeError):
        g.dellayer()


def test_glife() -> None:
    glider = glife.pattern("bo$2bo$3o!")
    assert glider[4] == glider(1, 1) and list(glider) == GLIDER
    for turn in [glife.flip, glife.flip_x, glife.flip_y, glife.swap_xy, glife.swap_xy_flip]:
        assert glife.pattern(g.transform(glider(0, 0, turn), 0, 0, *turn)) == glider
    assert glider.apply(glife.rcw).apply(glife.rccw) == glider
    assert glife.compose(glife.rcw, glife.rccw) == glife.identity
    (glider + glider(20, 0, glife.flip_x)).display("two gliders")
    assert g.getpop() == "10" and g.getname() == "two gliders"
    box = glife.getminbox(glider)
    assert (box.left, box.top, box.right, box.bottom, box.wd, box.ht) == (0, 0, 2, 2, 3, 3)
    assert glife.rect().empty and not glife.rect([0, 0, 1, 1]).empty
    assert [glife.validint(text) for text in ["12", "-3", "+1,000", "", "1.5", "x"]] == [
        True
    ] * 3 + [False] * 3
    from gridpaper.golly.glife.gun30 import gun30

    g.new("gun")
    gun30.put()
    assert g.getcells([0, 0, 3, 3]) == GLIDER
    assert world_kind() == ("gun", 30)


def world_kind() -> tuple[str, int | None]:
    found = g.world().identify()
    return found.kind, found.period


def test_rule_trees(tmp_path: pathlib.Path) -> None:
    """A tree of transitions, one of a function, and a table say what the rule says."""
    from gridpaper.golly.glife import RuleTree as trees
    from gridpaper.golly.glife.ReadRuleTable import ReadRuleTable

    g.start(folder=str(tmp_path), quiet=True)
    every = [0, 1]
    life = trees.RuleTree(2, 8)
    for number in range(256):
        around = [number >> i & 1 for i in range(8)]
        for centre in every:
            count = sum(around)
            alive = count == 3 or (centre and count == 2)
            life.add_rule([[centre], *[[state] for state in around]], int(alive))
    life.write(g.getdir("rules") + "OwnLife.tree")
    trees.ConvertTreeToRule("OwnLife", 2, [])
    trees.MakeRuleTreeFromTransitionFunction(
        2,
        8,
        lambda a: int(sum(a[:8]) == 3 or (a[8] and sum(a[:8]) == 2)),
        g.getdir("rules") + "ByFunction.tree",
    )
    trees.ConvertTreeToRule("ByFunction", 2, [])
    table = tmp_path / "ByTable.table"
    lines = ["n_states:2", "neighborhood:Moore", "symmetries:permute", "var a={0,1}"]
    for count in range(9):
        around = ",".join("1" if i < count else "0" for i in range(8))
        lines += [f"0,{around},{int(count == 3)}", f"1,{around},{int(count in (2, 3))}"]
    table.write_text("\n".join(lines))
    n_states, neighborhood, transitions = ReadRuleTable(str(table))
    trees.ConvertRuleTableTransitionsToRuleTree(neighborhood, n_states, transitions, str(table))
    hashes = set()
    for rule in ["B3/S23", "OwnLife", "ByFunction", "ByTable"]:
        g.setrule(rule)
        g.new(rule)
        g.putcells(g.parse("bo5b$3bo3b$2o2b3o!"))
        g.run(300)
        hashes.add((g.hash(g.getrect()), tuple(g.getrect())))
    assert len(hashes) == 1


def test_a_tree_with_directions(tmp_path: pathlib.Path) -> None:
    """States go to where the tree's order of neighbours says: north becomes the cell."""
    from gridpaper.golly.glife import RuleTree as trees

    g.start(folder=str(tmp_path), quiet=True)
    tree = trees.RuleTree(2, 4)
    every = [0, 1]
    for north in every:
        tree.add_rule([every, every, every, every, [north]], north)
    tree.write(g.getdir("rules") + "Falling.tree")
    trees.ConvertTreeToRule("Falling", 2, [])
    g.setrule("Falling")
    g.setcell(3, 4, 1)
    g.run(5)
    assert g.getcells(g.getrect()) == [3, 9]


def run_script(script: pathlib.Path, *options: str, folder: pathlib.Path | None = None) -> str:
    command = [sys.executable, "-m", "gridpaper.golly", str(script), *options]
    child = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert child.returncode == 0, child.stderr
    return child.stderr


def test_a_script_runs_by_itself(tmp_path: pathlib.Path) -> None:
    script, out = tmp_path / "script.py", tmp_path / "out.mc"
    script.write_text(
        "from glife.base import *\nimport golly as g\n"
        "(glider + block(10, 10)).display('both')\n"
        "answer = g.getstring('how far?', '7')\n"
        "g.run(int(answer))\ng.show('ran ' + answer)\n"
        "while True:\n    event = g.getevent()\n    g.setcell(int(event.split()[1]), 0, 1)\n"
    )
    options = ["-o", str(out), "--answer", "12", "--event", "click 100 0 left none"]
    assert run_script(script, *options) == "ran 12\n"
    pattern = gp.Pattern(out)
    assert (pattern.population, pattern.generation) == (10, 12)
    script.write_text("print 'Python 2'\n")
    child = subprocess.run(
        [sys.executable, "-m", "gridpaper.golly", str(script)], capture_output=True, text=True
    )
    assert child.returncode == 1 and "script.py:1:" in child.stderr


DATA = os.environ.get("GRIDPAPER_DATA")
SCRIPTS = pathlib.Path(DATA or "", "golly-scripts")

Check = Callable[[gp.Pattern, str], bool]


def emits(pattern: gp.Pattern, period: int) -> bool:
    """Whether it gains the same number of cells in each period, once it runs well."""
    sizes = [pattern[i * period].population for i in (2, 3, 4, 5)]
    return len({b - a for a, b in zip(sizes, sizes[1:])}) == 1 and sizes[1] > sizes[0]


def grows(pattern: gp.Pattern, period: int) -> bool:
    """Whether it lays cells on and on, and not more than a row of bricks takes."""
    sizes = [pattern[i * period].population for i in range(4)]
    return all(0 < b - a < 400 for a, b in zip(sizes, sizes[1:]))


WIRES = """n_states:4
neighborhood:Moore
symmetries:permute
var a={0,2,3}
var b={a}
var c={a}
var d={a}
var e={a}
var f={a}
var g={a}
var i={0,1,2,3}
var j={i}
var k={i}
var l={i}
var m={i}
var n={i}
var o={i}
var p={i}
3,1,a,b,c,d,e,f,g,1
3,1,1,a,b,c,d,e,f,1
1,i,j,k,l,m,n,o,p,2
2,i,j,k,l,m,n,o,p,3
"""
PARITY = (
    'name = "Parity"\nn_states = 5\nn_neighbors = 4\n'
    "def transition_function(s):\n    return (s[0] + s[1] + s[2]) % 5\n"
)
# a line from (0, 0) to (10, 5): each column once, half a row at a time
LINE = {(x, (x + 1) // 2) for x in range(11)}


def points(pattern: gp.Pattern) -> set[tuple[int, int]]:
    return set(map(tuple, pattern.coords().tolist()))


# Each script, how it is run, and what must come out.
ROWS: list[tuple[str, list[str], Check]] = [
    ("bricklayer", [], lambda p, said: p.population == 968 and grows(p, 20 * 154)),
    ("density", ["--open", "acorn"], lambda p, said: said == "Density = 0.333333\n"),
    (
        "draw-lines",
        ["--event", "click 0 0 left none", "--event", "click 10 5 left none"],
        lambda p, said: points(p) == LINE,
    ),
    (
        "envelope",
        ["--open", "acorn", "--generations", "50"],
        lambda p, said: p.hash == gp.Pattern("acorn")[50].hash,
    ),
    (
        "flood-fill",
        ["--open", "5o$o3bo$o3bo$5o!", "--event", "click 2 1 left none"],
        lambda p, said: points(p) == {(x, y) for x in range(5) for y in range(4)},
    ),
    ("FredkinModN-gen", ["--answer", "N3"], lambda p, said: "Fredkin_mod3_vonNeumann.rule" in said),
    (
        "goto",
        ["--open", "acorn", "--answer", "5,206"],
        lambda p, said: (p.population, p.generation) == (633, 5206),
    ),
    (
        "heisenburp",
        ["--event", "key return none", "--generations", "500"],
        lambda p, said: p.generation == 500 and p.population > 10_000,
    ),
    ("invert", ["--open", "glider", "--select", "0,0,5,5"], lambda p, said: p.population == 20),
    (
        "Langtons-Ant-gen",
        ["--answer", "RL"],
        lambda p, said: p.rule_text == "LangtonsAnt_RL" and p.population == 1,
    ),
    (
        "make-torus",
        ["--open", "glider", "--select", "0,0,10,10"],
        lambda p, said: (
            p.rule_text == "B3/S23:T10,10" and p[40].hash == p.hash and p.bounds == (-5, -5, 3, 3)
        ),
    ),
    ("make-ruletree", ["--clip", "PARITY"], lambda p, said: "switched to that rule" in said),
    (
        "metafier",
        ["--open", "glider", "--select", "0,0,3,3"],
        lambda p, said: p.bounds[2:] == (6154, 6154),
    ),
    (
        "oscar",
        ["--open", "lwss"],
        lambda p, said: said.endswith("Spaceship detected (speed = 2c/4)\n"),
    ),
    (
        "p1100-MWSS-gun",
        [],
        lambda p, said: (p.population, p.generation) == (19528, 0) and emits(p, 1100),
    ),
    ("pd-glider", [], lambda p, said: p.population == 15 * 19 * (12 + 5)),
    ("pop-plot", ["--open", "acorn"], lambda p, said: p.bounds[2] > 500 and p.bounds[3] > 500),
    ("RuleTableToTree", ["--answer", "WIRES"], lambda p, said: "Created Wires.rule" in said),
    (
        "shift",
        ["--open", "glider", "--select", "0,0,3,3", "--answer", "5 6"],
        lambda p, said: p.bounds == (5, 6, 3, 3) and p.hash == gp.Pattern("glider").hash,
    ),
    (
        "tile",
        ["--open", "glider", "--select", "0,0,9,9"],
        lambda p, said: p.population == 45 and p.bounds == (0, 0, 9, 9),
    ),
    ("Turmite-gen", [], lambda p, said: p.rule_text.startswith("Turmite_") and p.population == 1),
]


@pytest.mark.skipif(
    not SCRIPTS.is_dir(), reason="GRIDPAPER_DATA names no folder with golly-scripts"
)
@pytest.mark.parametrize(("name", "options", "check"), ROWS, ids=[row[0] for row in ROWS])
def test_scripts_of_golly(
    name: str, options: list[str], check: Check, tmp_path: pathlib.Path
) -> None:
    files = {"PARITY": ("parity.txt", PARITY), "WIRES": ("Wires.table", WIRES)}
    for i, option in enumerate(options):
        if option in files:
            file = tmp_path / files[option][0]
            file.write_text(files[option][1])
            options = [*options[:i], str(file), *options[i + 1 :]]
    out = tmp_path / f"{name}.mc"
    said = run_script(SCRIPTS / f"{name}.py", "-o", str(out), *options)
    assert check(gp.Pattern(out), said), said


def test_the_rules_that_scripts_make_are_right(tmp_path: pathlib.Path) -> None:
    """An ant of the tree that `glife` makes leaves the same cells as one that is walked here, for
    eleven thousand steps: until its highway has begun."""
    if not SCRIPTS.is_dir():
        pytest.skip("GRIDPAPER_DATA names no folder with golly-scripts")
    out = tmp_path / "ant.rle"
    run_script(SCRIPTS / "Langtons-Ant-gen.py", "-o", str(out), "--folder", str(tmp_path))
    rule = next((tmp_path / "rules").glob("*.rule"))
    world = gp.World(rule=str(rule))
    pattern = gp.Pattern(out)
    world.put(
        0,
        0,
        gp.Pattern.from_coords([[0, 0, int(pattern.coords(states=True)[0][2])]], rule=str(rule)),
    )
    world.run(11_000)
    # black cells, and the ant: counted with a walk of its own
    x = y = 0
    direction, black = (-1, 0), set()
    for _ in range(11_000):
        if (x, y) in black:
            black.remove((x, y))
            direction = (direction[1], -direction[0])
        else:
            black.add((x, y))
            direction = (-direction[1], direction[0])
        x, y = x + direction[0], y + direction[1]
    cells = world.coords(states=True)
    ours = {(int(a), int(b)) for a, b, state in cells if state == 1}
    assert ours - {(x, y)} == black - {(x, y)}
