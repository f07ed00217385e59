"""Searches: what is found, listed, counted and proven, and what ends them."""

from __future__ import annotations

import itertools
import pathlib
import sys
import threading

import numpy as np
import pytest
from conftest import Interrupt

import gridpaper as gp
from gridpaper import search

# Questions that no machine is done with soon.
HARD = {
    "sat": "search.osc(7, (24, 24)).find(engine='sat')",
    "cells": "search.osc(7, (24, 24)).find(engine='cells')",
    "both": "search.osc(7, (24, 24)).all()",
    "rows": "search.ship('c/5', width=9).all()",
    "list": "search.still(max_cells=24).all()",
    "count": "search.still((14, 14)).count()",
    "densest": "search.still((14, 14)).densest()",
    "parents": "search.predecessor('10b10o$' * 10 + '!', margin=0).count()",
    "orphan": "search.orphan((10, 10), beam=4).find()",
    "proof": "search.osc(7, (24, 24)).proof('proof.drat')",
}


def codes(patterns: list[gp.Pattern]) -> list[str | None]:
    return sorted(pattern.apgcode or "" for pattern in patterns)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (lambda: search.still((2, 2)), ["xs4_33"]),
        (lambda: search.still((3, 3), min_cells=6), ["xs6_356"]),
        (lambda: search.osc(2, (4, 4), max_cells=5), ["xp2_7"]),
        (lambda: search.osc(3, (4, 4)), []),
        (lambda: search.ship("c/4 diagonal", (4, 4)), ["xq4_153"]),
        (lambda: search.ship("(0,2)c/4", (6, 5)), []),
        (lambda: search.ship("c/2", (3, 3), rule="B2/S"), None),
    ],
)
def test_both_engines_list_the_same(question, expected: list[str] | None) -> None:
    lists = [codes(question().all(engine=engine)) for engine in ("sat", "cells", "auto")]
    assert lists[0] == lists[1] == lists[2]
    if expected is not None:
        assert lists[0] == expected
    found = question().find()
    assert (found is None) == (not lists[0])


def test_a_list_has_an_end() -> None:
    whole = search.still((5, 5)).all(threads=1)
    assert len({life.apgcode for life in whole}) == len(whole) > 20
    assert search.still((5, 5)).all(7, threads=1) == whole[:7]
    assert search.still((5, 5)).all(0) == []
    assert len(search.still(max_cells=8).all()) == 2 + 1 + 5 + 4 + 10


def test_ships_of_any_height() -> None:
    assert codes(search.ship("2c/4", width=5).all(time=600)) == ["xq4_6frc"]
    assert search.ship("2c/4", width=3).find() is None


def test_parents_become_the_pattern() -> None:
    for target, generations in [("block", 1), ("glider", 2), ("3o!", 1)]:
        parent = search.predecessor(target, generations).find()
        assert parent is not None
        pattern = gp.Pattern(target)
        # beside the pattern and its margin the parent may become anything
        (x, y, width, height) = pattern.bounds
        box = gp.World(parent[generations]).cells(x - 2, y - 2, width + 4, height + 4)
        assert (box == gp.World(pattern).cells(x - 2, y - 2, width + 4, height + 4)).all()


def test_parents_are_counted_as_by_trying_all() -> None:
    rows = np.array(list(itertools.product([0, 1], repeat=16)), np.uint8).reshape(-1, 4, 4)
    near = sum(
        np.roll(rows, (dy, dx), (1, 2))
        for dy, dx in itertools.product((-1, 0, 1), repeat=2)
        if (dy, dx) != (0, 0)
    )
    after = ((near == 3) | ((near == 2) & (rows == 1)))[:, 1:3, 1:3]
    for text in ["2o$2o!", "o$bo!", "2o$bo!"]:
        wanted = gp.World(text).cells(0, 0, 2, 2).astype(bool)
        expected = int((after == wanted).all(axis=(1, 2)).sum())
        assert search.predecessor(text, margin=0).count() == expected > 0


def test_what_is_drawn_is_kept() -> None:
    found = search.fill("o????$?????$?????$?????$????o!", period=3).find(time=600)
    assert found is None or (found[3] == found and {(0, 0), (4, 4)} <= set(map(tuple, found.coords())))
    assert search.fill("3?$?o?$3?!", period=1).find() is not None
    history = search.fill("5?$5?$5?$5?$5?!5.$2.o2.$2.o2.$2.o2.$5.!").find()
    assert history is not None and history[1] == gp.Pattern("o$o$o!")(2, 1)


def test_agars_repeat_on_their_torus() -> None:
    question = search.agar((4, 4), 2)
    found = question.all(5, threads=1)
    assert len(found) == 5
    for agar in found:
        world = gp.World(agar, question.rule)
        before = world.hash
        world.run(2)
        assert world.hash == before


def test_orphans() -> None:
    target = search.orphan((2, 3), rule="B/S").find()
    assert target is not None
    assert search.predecessor(target, margin=0, rule="B/S").count() == 0
    # no target of Life as small as this is one
    assert search.orphan((3, 3)).find() is None


def test_a_proof_holds_and_another_does_not(tmp_path: pathlib.Path) -> None:
    path, formula = tmp_path / "none.drat", tmp_path / "none.cnf"
    assert search.osc(3, (5, 4), symmetry="D2|").proof(path) is None
    assert search.verify(formula, path) > 0
    path.write_text("1 0\n" + path.read_text())
    with pytest.raises(gp.SearchError, match="line 1 of the proof"):
        search.verify(formula, path)
    glider = search.ship("(1,1)c/4", (4, 4)).proof(tmp_path / "glider.drat")
    assert glider is not None and glider.apgcode == "xq4_153"
    assert not (tmp_path / "glider.drat").exists()
    with pytest.raises(gp.SearchError, match="one direction"):
        search.ship("2c/4", (6, 5)).proof(path)
    with pytest.raises(FileNotFoundError):
        search.verify(tmp_path / "no.cnf", path)


def test_time_and_memory_end_a_search() -> None:
    with pytest.raises(gp.Unfinished, match="nothing is proven") as ended:
        search.osc(7, (24, 24)).find(time=0.05)
    assert ended.value.found == []
    with pytest.raises(TimeoutError):
        search.still((14, 14)).count(time=0.05)
    with pytest.raises(gp.Unfinished) as ended:
        # blocks abound, and all are too many
        search.still((24, 24)).all(time=2)
    assert ended.value.found
    with pytest.raises(MemoryError):
        search.osc(7, (24, 24)).find(memory=1000)


def test_progress_tells_guesses_and_may_end_it() -> None:
    seen: list[int] = []

    def look(nodes: int) -> None:
        seen.append(nodes)
        if nodes > 0:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search.osc(7, (24, 24)).find(progress=look)
    assert seen == sorted(seen)


@pytest.mark.parametrize(
    ("call", "fault", "words"),
    [
        (lambda: search.osc(0, (3, 3)), gp.SearchError, "no cells"),
        (lambda: search.osc(3, (1 << 20, 1 << 20)), gp.SearchError, "more than"),
        (lambda: search.osc(3, (-1, 3)), OverflowError, "out of range"),
        (lambda: search.osc(3, (4, 5), symmetry="C4"), gp.SearchError, "square box"),
        (lambda: search.osc(3, (4, 5), symmetry="C9"), gp.SearchError, "C9"),
        (lambda: search.osc(3, (4, 5), transform="twist"), ValueError, "twist"),
        (lambda: search.still(), ValueError, "max_cells"),
        (lambda: search.still((3, 3), rule="R2,C2,S3,B3,NM"), gp.SearchError, "."),
        (lambda: search.still((3, 3), rule="B3/S2x"), gp.RuleError, "."),
        (lambda: search.ship("fast", (3, 3)), gp.SearchError, "no velocity"),
        (lambda: search.ship("2c/2", (5, 5)), gp.SearchError, "cannot be reached"),
        (lambda: search.ship("c/4"), ValueError, "box or a width"),
        (lambda: search.ship("c/4 diagonal", width=4), gp.SearchError, "along columns"),
        (lambda: search.predecessor("!"), gp.SearchError, "1 cell"),
        (lambda: search.predecessor("glider", 0), ValueError, "generations"),
        (lambda: search.fill("zz"), gp.SearchError, "drawing"),
        (lambda: search.fill("3?!", period=2, velocity="c/4"), ValueError, "both"),
        (lambda: search.orphan((40, 40)), gp.SearchError, "too large"),
        (lambda: search.still((3, 3)).find(engine="best"), ValueError, "auto, sat or cells"),
        (lambda: search.still((3, 3)).find(time=-1), ValueError, "seconds"),
        (lambda: search.still((3, 3), symmetry="D8").count(), gp.SearchError, "are counted"),
        (lambda: search.still((99, 99)).count(), gp.SearchError, "too large"),
        (lambda: search.osc(2, (3, 3)).densest(), gp.SearchError, "still lifes"),
        (lambda: search.orphan((3, 3)).count(), gp.SearchError, "no count"),
    ],
)
def test_what_cannot_be_asked_is_said(call, fault: type[Exception], words: str) -> None:
    with pytest.raises(fault, match=words):
        call()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent with os.kill")
@pytest.mark.parametrize("name", HARD)
def test_ctrl_c_stops_a_search(run_interrupted: Interrupt, tmp_path, name: str) -> None:
    call = HARD[name].removesuffix(")") + ", progress=progress)"
    call = call.replace("(, ", "(")
    head = f"from gridpaper import search; os.chdir({str(tmp_path)!r})"
    run_interrupted("import os; " + head, call)


def test_others_run_meanwhile() -> None:
    done = threading.Event()

    def look(nodes: int) -> None:
        if done.is_set():
            raise ZeroDivisionError

    def work() -> None:
        with pytest.raises(ZeroDivisionError):
            search.osc(7, (24, 24)).find(progress=look)

    thread = threading.Thread(target=work)
    thread.start()
    # were Python held by the search, this would never be counted to the end
    for _ in range(100):
        threading.Event().wait(0.001)
    done.set()
    thread.join()
