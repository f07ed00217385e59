"""A census on many machines: its plan, its parts, and Ray to place the units.

A plan cuts a census into units, each a pure function of the plan, and a part is a file to which
one process appends the units that it has. So the result has the same bytes wherever the units
were counted, by `gridpaper census run`, by `CensusPlan.count`, or by `run`, which gives them to
the machines of a Ray cluster (`pip install 'gridpaper[ray]'`).

>>> import os, tempfile
>>> from gridpaper import cluster
>>> plan = cluster.CensusPlan("soups = 200\\nunit = 100\\nseed = 'census_seed_a'")
>>> with tempfile.TemporaryDirectory() as folder:
...     with cluster.PartFile(os.path.join(folder, "mine.gpart"), plan) as part:
...         for unit in range(plan.units):
...             part.append(plan.count(unit))
...     cluster.merge(folder).soups
200

From a shell: `python -m gridpaper.cluster census.toml --out parts/ --address auto`.
"""

from __future__ import annotations

import os

from gridpaper._core import Census, CensusPlan, PartFile, merge_parts
from gridpaper.errors import CensusError

# Type checkers take this for true. `typing` itself is half of the time that importing this
# package took.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    _Path = str | os.PathLike[str]

__all__ = ["Census", "CensusPlan", "PartFile", "UnitsFailed", "merge", "run"]

# Tasks under way for each core: one that runs and one that waits.
TASKS_A_CORE = 2
# Seconds between two looks at signals and at the size of the cluster.
PACE = 0.5
# Bytes that Ray's store of objects takes: a unit is some kilobytes.
STORE = 100 * 1024 * 1024


class UnitsFailed(CensusError):
    """Units that could not be counted: `faults` says why, by their numbers. What was counted is in
    the parts."""

    def __init__(self, message: str, *, faults: dict[int, str], hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.faults = faults


def merge(parts: _Path | Iterable[_Path], *, out: _Path | None = None) -> Census:
    """Adds parts, or all parts of folders, in any order; `out` is the file that `gridpaper merge -o`
    writes, to the byte. Where units are missing, `CensusError` names them."""
    paths = [parts] if isinstance(parts, (str, os.PathLike)) else list(parts)
    census, missing, faults, result = merge_parts(paths)
    if census is None:
        raise CensusError("there is no part with a plan")
    if faults:
        raise _failed(faults)
    if missing:
        hint = f"`gridpaper census run` with --units {missing} counts them, as does `run`"
        raise CensusError(f"units are missing: {missing}", hint=hint)
    if out is not None:
        with open(out, "w", encoding="utf-8", newline="") as file:
            file.write(result)
    return census


def run(
    plan: CensusPlan | _Path,
    address: str | None = None,
    out: _Path = "parts/",
    *,
    tasks: int | None = None,
    retries: int = 3,
    retry_faults: bool = False,
    progress: Any = None,
    count: Callable[[CensusPlan, int], str] | None = None,
) -> Census:
    """Counts what the parts in the folder `out` lack of a plan on a Ray cluster, and gives the sum.

    `plan` is a `CensusPlan` or the path of its TOML file. Without an `address` Ray starts on this
    machine, with a worker for each core; "auto" or "ray://..." joins a cluster, whose machines
    need the same version of this package. A program that has called `ray.init` itself keeps what
    it has.

    Each unit is a task of one core. At most `tasks` are under way, two for each core of the cluster
    without it. The unit of a worker that died is tried `retries` times more. What is finished is
    appended to a part of this process's own before the next is taken, so whatever is killed, the
    same call goes on and counts nothing twice. A unit that raises is not tried again: the part
    says why, the others are counted, and `UnitsFailed` tells at the end. `retry_faults=True` tries
    those that earlier calls have failed at.

    `progress` is called with the number of soups that are done. `count` is called in the workers
    in the place of `CensusPlan.count`.
    """
    if not isinstance(plan, CensusPlan):
        plan = CensusPlan.read(plan)
    try:
        import ray
    except ImportError:
        message = "gridpaper.cluster.run needs Ray: pip install 'gridpaper[ray]'"
        raise ImportError(message) from None
    from gridpaper._progress import function

    folder = os.fspath(out)
    os.makedirs(folder, exist_ok=True)
    tell = function(progress, plan.soups)
    with PartFile(os.path.join(folder, f"ray-{_host()}.gpart"), plan) as part:
        missing = plan.missing(folder, faulty=retry_faults)
        if any(missing):
            is_ours = not ray.is_initialized()
            if is_ours:
                _start(ray, address)
            try:
                driver = _Driver(ray, plan, part, retries, count)
                driver.run((unit for units in missing for unit in units), tasks, tell)
            finally:
                if is_ours:
                    ray.shutdown()
    faults = plan.faults(folder)
    if faults:
        raise _failed(faults)
    return merge(folder)


def _failed(faults: dict[int, str]) -> UnitsFailed:
    first = next(iter(faults))
    message = f"{len(faults)} units could not be counted; unit {first}: {faults[first]}"
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
        plan: CensusPlan,
        part: PartFile,
        retries: int,
        count: Callable[[CensusPlan, int], str] | None,
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
        self.soups = 0

    def run(
        self, units: Iterator[int], tasks: int | None, tell: Callable[[int], object] | None
    ) -> None:
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
                    tell(self.soups)
        finally:
            # what is under way when this ends early is not needed
            for task in self.running:
                self.ray.cancel(task, force=True)

    def cores(self) -> int:
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def fill(self, units: Iterator[int], most: int) -> None:
        while len(self.running) < most:
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
            # it was not counted at all: another version, or a `count` that cannot be sent
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
        self.soups += len(self.plan.unit(unit))


# Plans that this process has counted units of: each keeps what it has learnt of objects.
_plans: dict[str, CensusPlan] = {}


def _counted(
    plan: CensusPlan, count: Callable[[CensusPlan, int], str] | None, unit: int
) -> tuple[str | None, str]:
    """In a worker: the line of a unit, or why there is none."""
    plan = _plans.setdefault(plan.digest, plan)
    try:
        return (count or CensusPlan.count)(plan, unit), ""
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as fault:  # a panic is no Exception
        return None, f"{type(fault).__name__}: {fault}"


def main(words: list[str] | None = None) -> int:
    """`python -m gridpaper.cluster`: counts a plan, or what is missing of it."""
    import argparse
    import sys

    parser = argparse.ArgumentParser(
        prog="python -m gridpaper.cluster", description="Counts a census on a Ray cluster."
    )
    parser.add_argument("plan", help="a TOML file")
    parser.add_argument("--address", help="of a cluster, or auto; without it, this machine")
    parser.add_argument("--out", default="parts/", help="the folder of the parts")
    parser.add_argument("-o", "--result", help="write the sum here, as `gridpaper merge` does")
    given = parser.parse_args(words)
    progress = None
    if sys.stderr.isatty():

        def progress(soups: int) -> None:
            print(f"\r{soups} soups", end="", file=sys.stderr, flush=True)

    try:
        census = run(given.plan, given.address, given.out, progress=progress)
        if given.result is not None:
            merge(given.out, out=given.result)
    except (CensusError, OSError) as fault:
        print(f"error: {fault}", file=sys.stderr)
        return 1
    print(census)
    return 0
