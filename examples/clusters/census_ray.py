"""Counts a census on a Ray cluster: each share of the plan is a task.

    python census_ray.py census.toml parts/ --shares 64 [--address auto]

The machines need `gridpaper` in their PATH and the folder in common.
"""

import argparse
import os
import subprocess
import sys

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray  # noqa: E402


@ray.remote(num_cpus=1, max_retries=3, retry_exceptions=True)
def count(plan: str, share: int, shares: int, parts: str) -> str:
    """Counts one share, or what is missing of it."""
    command = ["gridpaper", "census", "run", plan, "--threads", "1"]
    command += ["--shard", f"{share}/{shares}", "--out", parts]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return done.stdout.strip()


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("plan", type=os.path.abspath)
    arguments.add_argument("parts", type=os.path.abspath)
    arguments.add_argument("--shares", type=int, default=64)
    arguments.add_argument("--address", help="a cluster's address, or auto; without it, this machine")
    arguments.add_argument("--out", default="result.json")
    given = arguments.parse_args()

    ray.init(address=given.address, include_dashboard=False, log_to_driver=False)
    most = 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))
    waiting = list(range(given.shares, 0, -1))
    running = {}
    failed = 0
    while waiting or running:
        while waiting and len(running) < most:
            share = waiting.pop()
            running[count.remote(given.plan, share, given.shares, given.parts)] = share
        finished, _ = ray.wait(list(running), num_returns=1)
        share = running.pop(finished[0])
        try:
            print(ray.get(finished[0]), flush=True)
        except ray.exceptions.RayError as error:
            failed += 1
            print(f"share {share}: {error}", file=sys.stderr)
    ray.shutdown()
    merge = ["gridpaper", "merge", given.parts, "-o", given.out]
    return max(subprocess.run(merge).returncode, 1 if failed else 0)


if __name__ == "__main__":
    sys.exit(main())
