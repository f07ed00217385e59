"""A census or a search on many machines: its plan, its parts, and Ray to place the units.

A plan cuts the work into units, each a pure function of the plan, and a part is a file to which
one process appends the units that it has. So the result has the same bytes wherever the units
were done, by `gridpaper census run` and `gridpaper search run`, by `CensusPlan.count` and
`SearchPlan.search`, or by `run`, which gives them to the machines of a Ray cluster
(`pip install 'gridpaper[ray]'`).

>>> import os, tempfile
>>> from gridpaper import cluster
>>> plan = cluster.CensusPlan("soups = 200\\nunit = 100\\nseed = 'census_seed_a'")
>>> with tempfile.TemporaryDirectory() as folder:
...     with cluster.PartFile(os.path.join(folder, "mine.gpart"), plan) as part:
...         for unit in range(plan.units):
...             part.append(plan.count(unit))
...     cluster.merge(folder).soups
200

>>> plan = cluster.SearchPlan("search = 'osc'\\nperiod = 2\\nsize = '3x3'\\ncubes = 2")
>>> with tempfile.TemporaryDirectory() as folder:
...     with cluster.PartFile(os.path.join(folder, "mine.gpart"), plan) as part:
...         for unit in range(plan.units):
...             part.append(plan.search(unit))
...     [blinker.apgcode for blinker in cluster.merge(folder)]
['xp2_7']

From a shell: `python -m gridpaper.cluster census.toml --out parts/ --address auto`.
"""

from __future__ import annotations

import json
import os

from gridpaper._core import Census, CensusPlan, PartFile, Pattern, SearchPlan, merge_parts
from gridpaper.errors import CensusError, SearchError

# Type checkers take this for true. `typing` itself is half of the time that importing this
# package took.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, TypeAlias

    _Path: TypeAlias = str | os.PathLike[str]
    _Plan: TypeAlias = CensusPlan | SearchPlan

__all__ = ["Census", "CensusPlan", "PartFile", "SearchPlan", "UnitsFailed", "merge", "run"]

# Tasks under way for each core: one that runs and one that waits.
TASKS_A_CORE = 2
# Seconds between two looks at signals and at the size of the cluster.
PACE = 0.5
# Bytes that Ray's store of objects takes: a unit is some kilobytes.
STORE = 100 * 1024 * 1024


class UnitsFailed(CensusError):
    """Units that could not be done: `faults` says why, by their numbers. What was done is in the
    parts."""

    def __init__(self, message: str, *, faults: dict[int, str], hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.faults = faults


def merge(parts: _Path | Iterable[_Path], *, out: _Path | None = None) -> Any:
    """Adds parts, or all parts of folders, in any order: a `Census`, or the patterns that a search has
    found. `out` is the file that `gridpaper merge -o` writes, to the byte. Where units are missing,
    `CensusError` names them."""
    paths = [parts] if isinstance(parts, (str, os.PathLike)) else list(parts)
    merged, missing, faults, result = merge_parts(paths)
    if merged is None:
        raise CensusError("there is no part with a plan")
    if faults:
        raise _failed(faults)
    if missing:
        command = "census" if isinstance(merged, Census) else "search"
        hint = f"`gridpaper {command} run` with --units {missing} does them, as does `run`"
        raise CensusError(f"units are missing: {missing}", hint=hint)
    if out is not None:
        with open(out, "w", encoding="utf-8", newline="") as file:
            file.write(result)
    if isinstance(merged, Census):
        return merged
    return [Pattern(rle) for rle in merged]


def _read(path: _Path) -> _Plan:
    """The plan of a file: a search says what it searches for."""
    with open(path, encoding="utf-8") as file:
        lines = [line.partition("=")[0].strip() for line in file]
    return SearchPlan.read(path) if "search" in lines else CensusPlan.read(path)


def run(
    plan: _Plan | _Path,
    address: str | None = None,
    out: _Path = "parts/",
    *,
    tasks: int | None = None,
    retries: int = 3,
    retry_faults: bool = False,
    progress: Any = None,
    count: Callable[[Any, int], str] | None = None,
) -> Any:
    """Does what the parts in the folder `out` lack of a plan on a Ray cluster, and gives the sum, as
    `merge` does.

    `plan` is a `CensusPlan`, a `SearchPlan`, or the path of the TOML file of one. Without an `address` Ray starts on this
    machine, with a worker for each core; "auto" or "ray://..." joins a cluster, whose machines
    need the same version of this package. A program that has called `ray.init` itself keeps what
    it has.

    Each unit is a task of one core. At most `tasks` are under way, two for each core of the cluster
    without it. The unit of a worker that died is tried `retries` times more. What is finished is
    appended to a part of this process's own before the next is taken, so whatever is killed, the
    same call goes on and does nothing twice. A unit that raises is not tried again: the part
    says why, the others are done, and `UnitsFailed` tells at the end. `retry_faults=True` tries
    those that earlier calls have failed at.

    `progress` is called with the number of soups that are done, or of cubes. `count` is called in the
    workers in the place of `CensusPlan.count` or `SearchPlan.search`.
    """
    if not isinstance(plan, (CensusPlan, SearchPlan)):
        plan = _read(plan)
    try:
        import ray
    except ImportError:
        message = "gridpaper.cluster.run needs Ray: pip install 'gridpaper[ray]'"
        raise ImportError(message) from None
    from gridpaper._progress import function

    folder = os.fspath(out)
    os.makedirs(folder, exist_ok=True)
    tell = function(progress, plan.soups if isinstance(plan, CensusPlan) else None)
    with PartFile(os.path.join(folder, f"ray-{_host()}.gpart"), plan) as part:
        missing = plan.missing(folder, faulty=retry_faults)
        if any(missing):
            is_ours = not ray.is_initialized()
            if is_ours:
                _start(ray, address)
            try:
                driver = _Driver(ray, plan, part, retries, count)
                while any(missing):
                    driver.run((unit for units in missing for unit in units), tasks, tell)
                    # cubes that took too many guesses have left others; faults are not tried again
                    missing = plan.missing(folder, faulty=False)
            finally:
                if is_ours:
                    ray.shutdown()
    faults = plan.faults(folder)
    if faults:
        raise _failed(faults)
    return merge(folder)


def _failed(faults: dict[int, str]) -> UnitsFailed:
    first = next(iter(faults))
    message = f"{len(faults)} units could not be done; unit {first}: {faults[first]}"
    return UnitsFailed(message, faults=faults, hint="retry_faults=True tries them again")


def _host() -> str:
    """The name of this machine, as part of a file's name."""
    import socket

    name = "".join(sign if sign.isalnum() else "-" for sign in socket.gethostname())
    return name or "host"


def _start(ray: Any, address: str | None) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    options: dict[str, Any] = {"log_to_driver": False}
    if address is None and "RAY_ADDRESS" not in os.environ:
        options |= {"include_dashboard": False, "object_store_memory": STORE}
    ray.init(address=address, **options)


class _Driver:
    """Gives out units, and appends what comes back."""

    def __init__(
        self,
        ray: Any,
        plan: _Plan,
        part: PartFile,
        retries: int,
        count: Callable[[Any, int], str] | None,
    ) -> None:
        self.ray = ray
        self.plan = plan
        self.part = part
        self.retries = retries
        # by this process and not by Ray, so that a unit has one bound whatever its workers die of
        self.task = ray.remote(num_cpus=1, max_retries=0)(_counted)
        self.arguments = (ray.put(plan), ray.put(count))
        self.running: dict[Any, int] = {}
        self.deaths: dict[int, int] = {}
        # soups, or cubes
        self.done = 0
        # one pattern is enough, and units that come later are behind it
        self.is_enough = False

    def run(
        self, units: Iterator[int], tasks: int | None, tell: Callable[[int], object] | None
    ) -> None:
        self.is_enough = False
        try:
            while True:
                self.fill(units, tasks or TASKS_A_CORE * self.cores())
                if not self.running:
                    return
                waiting = list(self.running)
                done, _ = self.ray.wait(waiting, num_returns=1, timeout=PACE)
                for task in done:
                    self.take(task)
                if tell is not None:
                    tell(self.done)
        finally:
            # what is under way when this ends early is not needed
            for task in self.running:
                self.ray.cancel(task, force=True)

    def cores(self) -> int:
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def fill(self, units: Iterator[int], most: int) -> None:
        while len(self.running) < most and not self.is_enough:
            unit = next(units, None)
            if unit is None:
                return
            self.submit(unit)

    def submit(self, unit: int) -> None:
        self.running[self.task.remote(*self.arguments, unit)] = unit

    def take(self, task: Any) -> None:
        """Appends what a task came to, or tries it again where its worker died."""
        unit = self.running.pop(task)
        try:
            line, problem = self.ray.get(task)
        except self.ray.exceptions.RayTaskError:
            # it was not tried at all: another version, or a `count` that cannot be sent
            raise
        except self.ray.exceptions.RayError as fault:
            self.deaths[unit] = self.deaths.get(unit, 0) + 1
            if self.deaths[unit] <= self.retries:
                self.submit(unit)
                return
            name = type(fault).__name__
            line, problem = None, f"its worker died {self.deaths[unit]} times: {name}"
        if line is None:
            self.part.append_fault(unit, problem)
            return
        self.part.append(line)
        self.done += len(self.plan.unit(unit)) if isinstance(self.plan, CensusPlan) else 1
        if isinstance(self.plan, SearchPlan):
            self.is_enough |= json.loads(line)["end"] == "first"


# Plans that this process has done units of: that of a census keeps what it has learnt of objects.
_plans: dict[str, _Plan] = {}


def _counted(
    plan: _Plan, count: Callable[[Any, int], str] | None, unit: int
) -> tuple[str | None, str]:
    """In a worker: the line of a unit, or why there is none."""
    plan = _plans.setdefault(plan.digest, plan)
    try:
        if count is not None:
            return count(plan, unit), ""
        return plan.count(unit) if isinstance(plan, CensusPlan) else plan.search(unit), ""
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as fault:  # a panic is no Exception
        return None, f"{type(fault).__name__}: {fault}"


def main(words: list[str] | None = None) -> int:
    """`python -m gridpaper.cluster`: does a plan, or what is missing of it."""
    import argparse
    import sys

    parser = argparse.ArgumentParser(
        prog="python -m gridpaper.cluster",
        description="Does a census or a search on a Ray cluster.",
    )
    parser.add_argument("plan", help="a TOML file")
    parser.add_argument("--address", help="of a cluster, or auto; without it, this machine")
    parser.add_argument("--out", default="parts/", help="the folder of the parts")
    parser.add_argument("-o", "--result", help="write the sum here, as `gridpaper merge` does")
    given = parser.parse_args(words)
    progress = None
    if sys.stderr.isatty():

        def progress(done: int) -> None:
            print(f"\r{done} soups or cubes", end="", file=sys.stderr, flush=True)

    try:
        merged = run(given.plan, given.address, given.out, progress=progress)
        if given.result is not None:
            merge(given.out, out=given.result)
    except (CensusError, SearchError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    if isinstance(merged, Census):
        print(merged)
    for pattern in [] if isinstance(merged, Census) else merged:
        print(pattern.apgcode or "", pattern.to("rle"), sep="\n", end="")
    return 0
