"""A census in units: parts, their sum, and Ray with workers that are killed."""

from __future__ import annotations

import os
import pathlib
import pickle
import signal
import subprocess
import sys

import pytest
from conftest import Interrupt, Run

import gridpaper as gp
from gridpaper import cluster

# 12 units
TEXT = "soups = 600\nunit = 50\nseed = 'cluster'\n"
UNITS = 12


def merged(folder: pathlib.Path, out: pathlib.Path) -> bytes:
    cluster.merge(folder, out=out)
    return out.read_bytes()


@pytest.fixture(scope="module")
def plan() -> cluster.CensusPlan:
    return cluster.CensusPlan(TEXT)


@pytest.fixture(scope="module")
def lines(plan: cluster.CensusPlan) -> list[str]:
    return [plan.count(unit) for unit in range(plan.units)]


@pytest.fixture(scope="module")
def whole(plan: cluster.CensusPlan, lines: list[str], tmp_path_factory) -> bytes:
    """What one process counts, without any cluster."""
    folder = tmp_path_factory.mktemp("whole")
    with cluster.PartFile(folder / "whole.gpart", plan) as part:
        for line in lines:
            part.append(line)
    return merged(folder, folder / "result.json")


def test_a_plan_is_what_its_text_says(plan: cluster.CensusPlan, tmp_path: pathlib.Path) -> None:
    assert (plan.rule, plan.symmetry, plan.seed, plan.first) == ("b3s23", "C1", "cluster", 0)
    assert (plan.units, plan.soups, plan.unit(11)) == (UNITS, 600, range(550, 600))
    path = tmp_path / "census.toml"
    path.write_text(TEXT)
    assert cluster.CensusPlan.read(path) == plan == pickle.loads(pickle.dumps(plan))
    assert hash(pickle.loads(pickle.dumps(plan))) == hash(plan)
    other = cluster.CensusPlan(TEXT + "rule = 'B36/S23'\n")
    assert other != plan and other.digest != plan.digest


def test_the_sum_is_the_census(whole: bytes, plan: cluster.CensusPlan, lines, tmp_path) -> None:
    with cluster.PartFile(tmp_path / "a.gpart", plan) as part:
        for line in reversed(lines):
            part.append(line)
    census = cluster.merge([tmp_path / "a.gpart"])
    other = gp.census(600, seed="cluster", threads=2)
    assert census.counts == other.counts and census.lifespans == other.lifespans
    for code in census.counts:
        assert census.samples(code) == other.samples(code)
    assert merged(tmp_path, tmp_path / "result.json") == whole
    # the first line of a part as it stands, as `gridpaper merge` writes it
    first = (tmp_path / "a.gpart").read_bytes().split(b"\n")[0]
    assert whole.startswith(b'{"plan":' + first + b",\n")


def test_what_is_wrong_with_parts_is_said(plan: cluster.CensusPlan, lines, tmp_path) -> None:
    path = tmp_path / "a.gpart"
    with cluster.PartFile(path, plan) as part:
        part.append(lines[3])
        with pytest.raises(gp.CensusError, match="another program is writing"):
            cluster.PartFile(path, plan)
        for wrong in ["", "{}", lines[4].replace('"soups":50', '"soups":51')]:
            with pytest.raises(gp.CensusError):
                part.append(wrong)
        with pytest.raises(IndexError):
            part.append_fault(UNITS, "no such unit")
    with pytest.raises(ValueError, match="closed"):
        part.append(lines[5])
    assert plan.missing(tmp_path) == [range(0, 3), range(4, UNITS)]
    with pytest.raises(gp.CensusError, match="units are missing: 0-2,4-11"):
        cluster.merge(tmp_path)
    other = cluster.CensusPlan(TEXT + "rule = 'B36/S23'\n")
    with pytest.raises(gp.CensusError, match="rule"):
        other.missing(tmp_path)
    with pytest.raises(IndexError):
        plan.count(UNITS)
    with pytest.raises(gp.CensusError, match="unknown field"):
        cluster.CensusPlan("sops = 3")
    with pytest.raises(gp.RuleError):
        cluster.CensusPlan("soups = 3\nrule = 'B3/S2x'")
    with pytest.raises(FileNotFoundError):
        cluster.CensusPlan.read(tmp_path / "no.toml")
    with pytest.raises(FileNotFoundError):
        cluster.merge(tmp_path / "no.gpart")
    with pytest.raises(gp.CensusError, match="no part"):
        cluster.merge([])


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent with os.kill")
def test_ctrl_c_stops_a_unit(run_interrupted: Interrupt) -> None:
    census = "CensusPlan('soups = 10_000_000\\nunit = 10_000_000').count"
    search = 'SearchPlan(\'search = "osc"\\nperiod = 3\\nsize = "16x16"\\ncubes = 0\').search'
    for work in [census, search]:
        head = f"from gridpaper.cluster import CensusPlan, SearchPlan; work = {work}"
        run_interrupted(head, "work(0, progress=progress)")


@pytest.fixture(scope="module")
def address():
    """A cluster of three cores on this machine, for all tests here."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = pytest.importorskip("ray")
    ray.init(
        num_cpus=3,
        include_dashboard=False,
        log_to_driver=False,
        object_store_memory=cluster.STORE,
    )
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()


@pytest.mark.parametrize("tasks", [1, 2, 3])
def test_any_number_of_workers(address, plan, whole: bytes, tmp_path, tasks: int) -> None:
    told: list[int] = []
    census = cluster.run(plan, out=tmp_path / "parts", tasks=tasks, progress=told.append)
    assert census.soups == told[-1] == 600 and told == sorted(told)
    assert merged(tmp_path / "parts", tmp_path / "result.json") == whole
    # all is there: nothing is given out again
    told.clear()
    assert cluster.run(plan, out=tmp_path / "parts", progress=told.append).soups == 600
    assert not told


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_worker_that_is_killed(address, plan, whole: bytes, tmp_path: pathlib.Path) -> None:
    mark = tmp_path / "killed"

    def count(plan: cluster.CensusPlan, unit: int) -> str:
        if unit in (3, 4) and not mark.with_suffix(f".{unit}").exists():
            mark.with_suffix(f".{unit}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return plan.count(unit)

    cluster.run(plan, out=tmp_path / "parts", count=count)
    assert len(list(tmp_path.glob("killed.*"))) == 2
    assert merged(tmp_path / "parts", tmp_path / "result.json") == whole


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_unit_that_kills_its_workers(address, plan, whole: bytes, tmp_path) -> None:
    log = tmp_path / "log"

    def count(plan: cluster.CensusPlan, unit: int) -> str:
        if unit == 5:
            with log.open("a") as file:
                file.write(f"{unit}\n")
            os.kill(os.getpid(), signal.SIGKILL)
        return plan.count(unit)

    with pytest.raises(cluster.UnitsFailed, match="its worker died 2 times") as failed:
        cluster.run(plan, out=tmp_path / "parts", count=count, retries=1)
    assert list(failed.value.faults) == [5] and log.read_text() == "5\n5\n"
    cluster.run(plan, out=tmp_path / "parts", retry_faults=True)
    assert merged(tmp_path / "parts", tmp_path / "result.json") == whole


def test_an_error_is_a_units_result(address, plan, whole: bytes, tmp_path) -> None:
    log = tmp_path / "log"

    def count(plan: cluster.CensusPlan, unit: int) -> str:
        with log.open("a") as file:
            file.write(f"{unit}\n")
        if unit == 7:
            raise ArithmeticError("seven")
        return plan.count(unit)

    for _ in range(2):
        with pytest.raises(cluster.UnitsFailed, match="ArithmeticError: seven") as failed:
            cluster.run(plan, out=tmp_path / "parts", count=count)
        assert failed.value.faults == {7: "ArithmeticError: seven"}
    # each unit was tried once, in two calls
    assert sorted(map(int, log.read_text().split())) == list(range(UNITS))
    with pytest.raises(cluster.UnitsFailed):
        cluster.merge(tmp_path / "parts")
    cluster.run(plan, out=tmp_path / "parts", retry_faults=True)
    assert merged(tmp_path / "parts", tmp_path / "result.json") == whole


class Unsendable:
    """What workers cannot have."""

    def __call__(self, plan: cluster.CensusPlan, unit: int) -> str:
        return plan.count(unit)

    def __reduce__(self) -> tuple[object, ...]:
        return pickle.loads, (b"no pickle",)


def test_what_no_worker_can_count_ends_the_call(address, plan, tmp_path) -> None:
    ray = pytest.importorskip("ray")
    with pytest.raises(ray.exceptions.RayError):
        cluster.run(plan, out=tmp_path / "parts", count=Unsendable(), retries=0)
    assert plan.faults(tmp_path / "parts") == {}


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_driver_that_is_killed(address, plan, whole: bytes, run_child, tmp_path) -> None:
    (tmp_path / "census.toml").write_text(TEXT)
    program = """
        import os, signal, sys
        from gridpaper import cluster
        log = os.path.join(sys.argv[1], "log")
        def count(plan, unit):
            with open(log, "a") as file:
                file.write(f"{unit}\\n")
            return plan.count(unit)
        def look(soups):
            if len(sys.argv) > 2 and soups >= 150:
                os.kill(os.getpid(), signal.SIGKILL)
        os.chdir(sys.argv[1])
        cluster.run("census.toml", os.environ.get("CLUSTER"), progress=look, tasks=2, count=count)
        """
    os.environ["CLUSTER"] = address
    try:
        run_child(program, str(tmp_path), "kill", status=-signal.SIGKILL)
    finally:
        del os.environ["CLUSTER"]
    (part,) = (tmp_path / "parts").glob("*.gpart")
    before = part.read_bytes()
    kept = before[: before.rindex(b"\n") + 1]
    units = kept.count(b"\n") - 1
    assert 3 <= units < UNITS
    # started again, without the cluster: Ray starts on this machine
    run_child(program, str(tmp_path))
    assert part.read_bytes().startswith(kept)
    assert merged(tmp_path / "parts", tmp_path / "result.json") == whole
    # what was lost is what was under way, two tasks, and what had come back since
    tried = (tmp_path / "log").read_text().split()
    assert set(map(int, tried)) == set(range(UNITS)) and len(tried) <= UNITS + 3


# 4 cubes, of which one at least takes so many guesses that it is cut further
SEARCH = """search = "osc"
period = 2
size = "7x6"
cubes = 2
nodes = 4096
split = 2
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory) -> bytes:
    """What one process finds, without any cluster."""
    folder = tmp_path_factory.mktemp("found")
    plan = cluster.SearchPlan(SEARCH)
    with cluster.PartFile(folder / "whole.gpart", plan) as part:
        while missing := plan.missing(folder):
            for unit in (unit for units in missing for unit in units):
                part.append(plan.search(unit))
    return merged(folder, folder / "result.json")


def test_a_search_in_parts(found: bytes, tmp_path: pathlib.Path) -> None:
    plan = cluster.SearchPlan(SEARCH)
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan and hash(again) == hash(plan) and again.digest == plan.digest
    assert plan != cluster.SearchPlan(SEARCH.replace("7x6", "6x6"))
    assert (plan.units, plan.rule, plan.unit(3)) == (4, "B3/S23", "cube 3")
    assert plan.missing(tmp_path / "nothing") == [range(0, 4)]
    with cluster.PartFile(tmp_path / "a.gpart", plan) as part:
        part.append(plan.search(1))
        part.append_fault(2, "lost")
        with pytest.raises(gp.CensusError, match="no digest"):
            part.append("{}")
    assert plan.faults(tmp_path) == {2: "lost"}
    assert not any(2 in units for units in plan.missing(tmp_path, faulty=False))
    with pytest.raises(cluster.UnitsFailed, match="lost"):
        cluster.merge(tmp_path)
    with cluster.PartFile(tmp_path / "b.gpart", plan) as part:
        while missing := plan.missing(tmp_path):
            for unit in (unit for units in missing for unit in units):
                part.append(plan.search(unit))
    assert merged(tmp_path, tmp_path / "result.json") == found
    patterns = cluster.merge(tmp_path)
    everything = gp.search.osc(2, (7, 6)).all()
    assert sorted(p.apgcode for p in patterns) == sorted(p.apgcode for p in everything)
    for wrong, words in [("sarch = 3", "unknown field"), (SEARCH + "first = 3", "first")]:
        with pytest.raises(gp.SearchError, match=words):
            cluster.SearchPlan(wrong)
    with pytest.raises(gp.SearchError, match="size"):
        cluster.SearchPlan("search = 'still'\nsize = '3'\ncubes = 1")
    with pytest.raises(IndexError):
        plan.search(2**63)


@pytest.mark.parametrize("tasks", [1, 3])
def test_a_search_on_ray(address, found: bytes, tmp_path, tasks: int) -> None:
    (tmp_path / "search.toml").write_text(SEARCH)
    told: list[int] = []
    patterns = cluster.run(
        tmp_path / "search.toml", out=tmp_path / "parts", tasks=tasks, progress=told.append
    )
    assert merged(tmp_path / "parts", tmp_path / "result.json") == found
    assert patterns and told[-1] > 4, "cubes that were cut further are among them"


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_a_search_whose_worker_is_killed(address, found: bytes, tmp_path: pathlib.Path) -> None:
    mark = tmp_path / "killed"

    def count(plan: cluster.SearchPlan, unit: int) -> str:
        if unit == 2 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return plan.search(unit)

    cluster.run(cluster.SearchPlan(SEARCH), out=tmp_path / "parts", count=count)
    assert mark.exists()
    assert merged(tmp_path / "parts", tmp_path / "result.json") == found


def test_one_pattern_is_enough(address, tmp_path: pathlib.Path) -> None:
    text = "search = 'osc'\nperiod = 2\nsize = '5x5'\ncubes = 4\nfirst = true"
    results = []
    for tasks in [1, 3]:
        folder = tmp_path / str(tasks)
        (pattern,) = cluster.run(cluster.SearchPlan(text), out=folder, tasks=tasks)
        results.append(merged(folder, tmp_path / "result.json"))
    assert pattern.period == 2 and results[0] == results[1]


def test_the_command(address, whole: bytes, tmp_path: pathlib.Path) -> None:
    (tmp_path / "census.toml").write_text(TEXT)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "gridpaper.cluster", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)

    done = run("census.toml", "--address", address, "-o", "result.json")
    assert done.returncode == 0 and "Warning" not in done.stderr, done.stderr
    assert "from 600 soups" in done.stdout
    assert (tmp_path / "result.json").read_bytes() == whole
    done = run("no.toml")
    assert done.returncode == 1 and "no.toml" in done.stderr


def test_classes_are_found_by_their_names() -> None:
    from gridpaper import search

    for thing in (cluster.CensusPlan, cluster.SearchPlan, cluster.PartFile, search.Question):
        assert pickle.loads(pickle.dumps(thing)) is thing
