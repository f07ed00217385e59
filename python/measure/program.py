"""Whether a world in Python and the program say the same: 200 soups under rules of many families, in
every engine that takes them; population, bounds and hash.

    python measure/program.py ../target/release/gridpaper
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from typing import Any

import gridpaper as gp

RULES = [
    "B3/S23",
    "B36/S23",
    "B2/S/C3",
    "345/2/4",
    "B0123478/S01234678",
    "B2-a/S12",
    "B3/S23:T64,48",
    "B36/S125:P30,40",
    "WireWorld",
    "R2,C0,M1,S5..8,B6..7,NM",
    "B2/S34H",
    "B1/S1V",
]
ENGINES: list[Any] = ["naive", "torus", "tiles", "hashlife", "auto"]
SOUPS = 200


def main() -> None:
    program = sys.argv[1]
    dice = random.Random(7)
    compared = dict.fromkeys(ENGINES, 0)
    with tempfile.NamedTemporaryFile("w", suffix=".mc") as file:
        for number in range(SOUPS):
            rule, steps = RULES[number % len(RULES)], dice.randrange(80)
            soup = gp.soup(number, 20, rule=rule, states=gp.Rule(rule).states)
            soup.save(file.name)
            for engine in ENGINES:
                try:
                    world = gp.World(file.name, engine=engine)
                except gp.Unsupported:
                    continue
                world.run(steps)
                command = [program, "run", file.name, "--engine", engine, "--gens", str(steps)]
                done = subprocess.run([*command, "--json"], capture_output=True, text=True)
                assert done.returncode == 0, (rule, engine, done.stderr)
                said = json.loads(done.stdout)
                bounds = world.bounds and dict(zip(("x", "y", "width", "height"), world.bounds))
                ours = (world.population, bounds)
                case = (number, rule, steps, engine)
                assert (said["population"], said["bounds"]) == ours, (case, said, ours)
                assert said["hash"] == world.hash, (case, said)
                compared[engine] += 1
    print(f"equal: {SOUPS} soups,", ", ".join(f"{n} in {name}" for name, n in compared.items()))


if __name__ == "__main__":
    main()
