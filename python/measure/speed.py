"""What is promised of the wheel in figures, but for its size: the import takes at most 20 ms, and one
core steps 10^6 moves of stones or tic-tac-toe a second. To be run with the wheel and not with what
`maturin develop` builds, from a folder without one of the name, on an idle machine:

    cd /tmp && .../target/python/installed/bin/python .../python/measure/speed.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import gridpaper as gp

IMPORT = "import time; t = time.process_time(); import gridpaper; print(time.process_time() - t)"


def main() -> None:
    print(gp.__file__)
    times = [
        float(subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True).stdout)
        for _ in range(21)
    ]
    # of the processor, so that other work does not count
    print(f"import: {1000 * statistics.median(times):.1f} ms (asked: at most 20)")
    for game in ["tictactoe", "stones"]:
        count = 10_000
        games = gp.VectorPosition(game, count, seed=4)
        steps, spent = 0, 0.0
        while spent < 0.2:
            actions = games.random_actions()
            begun = time.process_time()
            games.step(actions)
            spent += time.process_time() - begun
            steps += count
        print(f"{game}: {steps / spent:,.0f} moves a second (asked: at least 1,000,000)")


if __name__ == "__main__":
    main()
