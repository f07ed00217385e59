"""Worlds: running, reading, writing, arrays."""

from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import pytest

import gridpaper as gp

ENGINES = ["naive", "tiles", "hashlife"]


def test_the_first_lines_of_the_readme() -> None:
    world = gp.World("r-pentomino")
    world.run(1103)
    assert (world.population, world.generation) == (116, 1103)
    assert world.bounds == (-240, -258, 501, 525)
    assert world.hash == "172a8a5e0ac374cf1ef437d5cce89552"


def test_numbers_have_any_size() -> None:
    world = gp.World("glider")
    world.run(4 * 10**300)
    assert world.generation == 4 * 10**300
    assert world.bounds == (10**300, 10**300, 3, 3)
    world = gp.World("gosper-glider-gun")
    world.run(10**30)
    assert world.population == 166666666666666666666666666713


def read_rle(text: str) -> np.ndarray:
    """An RLE body of two states as an array: what the package is held against."""
    body = "".join(line for line in text.splitlines() if line[:1] not in "#x")
    rows: list[list[int]] = [[]]
    count = ""
    for letter in body.split("!")[0]:
        if letter.isdigit():
            count += letter
            continue
        times = int(count or 1)
        count = ""
        if letter == "$":
            rows.extend([] for _ in range(times))
        else:
            rows[-1].extend([int(letter == "o")] * times)
    width = max(map(len, rows))
    return np.array([row + [0] * (width - len(row)) for row in rows], dtype=np.uint8)


@pytest.mark.parametrize("name", ["glider", "gosper-glider-gun", "pulsar", "acorn"])
def test_arrays_are_those_of_the_rle(name: str) -> None:
    pattern = gp.Pattern(name)
    expected = read_rle(pattern.rle())
    cells = pattern.cells()
    assert cells.dtype == np.uint8 and cells.flags.writeable
    assert np.array_equal(cells, expected)
    assert np.array_equal(gp.World(pattern).cells(), expected)
    assert np.array_equal(gp.Pattern(expected).cells(), expected)


@pytest.mark.parametrize("engine", ENGINES)
def test_putting_what_was_read_changes_nothing(engine: str) -> None:
    world = gp.World(gp.soup(3, 40), engine=engine)
    world.run(57)
    window = (-30, -30, 101, 67)
    cells, before = world.cells(*window), world.hash
    world.put(-30, -30, cells)
    assert world.hash == before
    other = gp.World(engine=engine)
    x, y, width, height = world.bounds
    other.put(x, y, world.cells())
    assert (other.hash, other.bounds) == (world.hash, world.bounds)
    assert world.cells().shape == (height, width)


def test_every_engine_says_the_same() -> None:
    dice = random.Random(7)
    rules = ["B3/S23", "B36/S23", "B2/S/C3", "B3/S23:T64,48", "R2,C0,M1,S5..8,B6..7,NM"]
    for number in range(10):
        rule, steps = rules[number % len(rules)], dice.randrange(60)
        soup = gp.soup(number, 24, rule=rule)
        worlds = [gp.World(soup, engine=engine) for engine in ("naive", "tiles", "auto")]
        for world in worlds:
            world.run(steps)
        assert len({(w.hash, w.population, w.bounds) for w in worlds}) == 1, (rule, steps)


@pytest.mark.parametrize(
    "rule", ["B3/S23", "B0123478/S01234678", "B2/S/C3", "WireWorld", "B3/S23:T30,20"]
)
def test_copies_and_pickles_go_on_alike(rule: str) -> None:
    soup = gp.soup(5, 16, rule=rule, states=gp.Rule(rule).states)
    world = gp.World(soup)
    world.run(7)
    copies = [
        world.copy(),
        copy.copy(world),
        copy.deepcopy(world),
        pickle.loads(pickle.dumps(world)),
    ]
    for other in [world, *copies]:
        other.run(5)
    assert {(w.hash, w.bounds, w.generation, str(w.rule)) for w in copies} == {
        (world.hash, world.bounds, world.generation, str(world.rule))
    }


def test_cells_are_set_and_cleared() -> None:
    world = gp.World(rule="B2/S/C3")
    world[3, 4] = 2
    world.set(5, 4)
    assert (world[3, 4], world.get(5, 4), world.get(0, 0), world.population) == (2, 1, 0, 2)
    assert world.coords(states=True).tolist() == [[3, 4, 2], [5, 4, 1]]
    world.clear(4, 0, 10, 10)
    assert world.coords().tolist() == [[3, 4]]


def test_patterns_are_put_in_three_modes() -> None:
    row = gp.Pattern("3o!")
    for mode, population in [(None, 4), ("or", 4), ("copy", 4), ("xor", 2)]:
        world = gp.World(row)
        world.put(1, 0, row, mode)
        assert world.population == population, mode
    world = gp.World("3o!")
    world.put(0, 0, np.array([[0, 1, 0]]))
    assert world.coords().tolist() == [[1, 0]], "an array replaces what is there"


def test_going_back_undoes() -> None:
    world = gp.World(gp.soup(1, (16, 16), rule="M0,8,4,3,2,5,9,7,1,6,10,11,12,13,14,15:T16,16"))
    before = world.hash
    world.run(20)
    assert world.hash != before
    world.run_back(20)
    assert (world.hash, world.generation) == (before, 0)


def test_progress_is_told() -> None:
    told: list[int] = []
    gp.World("acorn").run(5206, progress=told.append)
    assert told[-1] == 5206 and told == sorted(told)

    class Bar:
        total = 0

        def update(self, count: int) -> None:
            self.total += count

    bar = Bar()
    gp.World("acorn").run(5206, progress=bar)
    assert bar.total == 5206


def test_pictures() -> None:
    world = gp.World("gosper-glider-gun")
    bundle = world._repr_mimebundle_()
    assert bundle.keys() == {"text/plain", "image/svg+xml"}
    assert bundle["image/svg+xml"].startswith("<svg")
    world.run(10**12)
    bundle = world._repr_mimebundle_()
    assert bundle.keys() == {"text/plain", "image/png"} and bundle["image/png"][:4] == b"\x89PNG"
    assert world._repr_mimebundle_(exclude={"image/png"}).keys() == {"text/plain"}
    assert gp.World("glider").png(width=40, height=30)[16:24] == b"\0\0\0(\0\0\0\x1e"
    world = gp.World("glider")
    film = world.gif(8, delay=0.05)
    assert film.data[:6] == b"GIF89a" and film.data.count(b"\x21\xf9\x04") == 8
    assert world.generation == 0 and "data:image/gif" in film._repr_html_()


def test_files(tmp_path) -> None:
    world = gp.World("acorn")
    world.run(100)
    for ending in ["rle", "mc", "cells", "lif"]:
        path = tmp_path / f"acorn.{ending}"
        world.save(path)
        read = gp.Pattern(path)
        assert read.population == world.population and read.hash == world.hash
    assert gp.Pattern((tmp_path / "acorn.mc").read_bytes()).hash == world.hash
