"""How a census on Ray scales from one core to two, and what Ray costs.

    python measure/ray_scaling.py                    # 2,000,000 soups: some minutes, on an idle machine
    python measure/ray_scaling.py --soups 20000      # to try it

Three times the same plan: by a plain loop in one process, by Ray with one worker, and by Ray with two.
Ray's own start is not in the times, since it is one for the whole of a job; the first unit of each
worker, which loads the package, is. The results are compared to the byte.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import tempfile
import time

from gridpaper import cluster


def by_a_loop(plan: cluster.CensusPlan, folder: pathlib.Path) -> float:
    """One process without Ray, which appends its units as well."""
    folder.mkdir()
    begun = time.perf_counter()
    with cluster.PartFile(folder / "loop.gpart", plan) as part:
        for unit in range(plan.units):
            part.append(plan.count(unit))
    cluster.merge(folder)
    return time.perf_counter() - begun


def on_ray(plan: cluster.CensusPlan, folder: pathlib.Path, workers: int) -> float:
    import ray

    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(
        num_cpus=workers,
        include_dashboard=False,
        log_to_driver=False,
        object_store_memory=cluster.STORE,
    )
    try:
        begun = time.perf_counter()
        cluster.run(plan, out=folder)
        return time.perf_counter() - begun
    finally:
        ray.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--soups", type=int, default=2_000_000)
    parser.add_argument("--unit", type=int, default=20_000, help="soups in a unit")
    parser.add_argument("--runs", type=int, default=1, help="the quickest of so many is taken")
    given = parser.parse_args()
    plan = cluster.CensusPlan(f"soups = {given.soups}\nunit = {given.unit}\nseed = 'ray_scaling'\n")
    print(f"{plan.soups} soups in {plan.units} units, {os.cpu_count()} cores")
    times: dict[str, float] = {}
    results: set[bytes] = set()
    with tempfile.TemporaryDirectory() as place:
        for run in range(given.runs):
            for name, work in [
                ("one process", by_a_loop),
                ("Ray, one worker", lambda plan, folder: on_ray(plan, folder, 1)),
                ("Ray, two workers", lambda plan, folder: on_ray(plan, folder, 2)),
            ]:
                folder = pathlib.Path(place) / f"{run}-{name}"
                seconds: float = work(plan, folder)
                times[name] = min(seconds, times.get(name, seconds))
                result = folder.with_suffix(".json")
                cluster.merge(folder, out=result)
                results.add(result.read_bytes())
                print(f"{name}: {seconds:.2f} s, {plan.soups / seconds:.0f} soups a second")
    one, ray_one, ray_two = times.values()
    print(f"results: {'equal' if len(results) == 1 else 'DIFFERENT'}")
    print(f"scaling, two workers over one: {ray_one / ray_two:.3f} (asked: at least 1.85)")
    print(
        f"overhead of Ray, one worker over a loop: {100 * (ray_one / one - 1):.2f} % (asked: under 3)"
    )


if __name__ == "__main__":
    main()
