"""Signals, threads and processes: in children, which may neither hang nor panic."""

from __future__ import annotations

import sys

import pytest
from conftest import Interrupt, Run

import gridpaper as gp

ENGINES = ["naive", "tiles", "hashlife", "auto"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent with os.kill")
@pytest.mark.parametrize("engine", ENGINES)
def test_ctrl_c_stops_a_run(run_interrupted: Interrupt, engine: str) -> None:
    run_interrupted(
        """
        # what explodes: no engine is done with it before the signal
        side = 100 if sys.argv[1] == "naive" else 600
        world = gp.World(gp.soup(1, side, rule="B2/S"), engine=sys.argv[1])
        """,
        "world.run(10**9, progress=progress)",
        """
        generation = world.generation
        assert 0 <= generation < 10**9
        ahead = world.copy()
        ahead.run(1)
        assert ahead.generation == generation + 1
        """,
        engine,
    )


def test_others_run_meanwhile(run_child: Run) -> None:
    run_child(
        """
        import gridpaper as gp, threading, time
        world, enough = gp.World(gp.soup(1, 600), engine="tiles"), threading.Event()
        class Enough(Exception):
            pass
        def look(done):
            if enough.is_set():
                raise Enough
        def work():
            try:
                world.run(10**9, progress=look)
            except Enough:
                pass
        thread = threading.Thread(target=work)
        thread.start()
        # were Python held by the run, this would never be counted to the end
        for _ in range(100):
            time.sleep(0)
        enough.set()
        thread.join()
        assert 0 < world.generation < 10**9
        """
    )


def test_two_threads_share_a_world(run_child: Run) -> None:
    run_child(
        """
        import gridpaper as gp, random, threading
        world = gp.World("acorn")
        faults = []
        def work(seed):
            dice = random.Random(seed)
            calls = [
                lambda: world.run(dice.randrange(30)), lambda: world.population,
                lambda: world.get(dice.randrange(-9, 9), 0), lambda: world.set(dice.randrange(99), 1, 1),
                lambda: world.cells(-20, -20, 40, 40).sum(), lambda: world.hash, lambda: world.bounds,
                lambda: world.put(0, 0, "glider"), lambda: world.clear(-50, -50, 200, 200),
                lambda: world.run(2, progress=lambda done: None), lambda: world.copy(), lambda: repr(world),
            ]
            try:
                for _ in range(2500):
                    dice.choice(calls)()
            except BaseException as fault:
                faults.append(fault)
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        assert not faults, faults
        """
    )


def test_a_world_is_not_asked_from_its_own_progress() -> None:
    world = gp.World(gp.soup(1, 300))
    faults: list[str] = []

    def ask(done: int) -> None:
        try:
            world.population
        except RuntimeError as fault:
            faults.append(str(fault))

    world.run(400, progress=ask)
    assert faults and "in use" in faults[0]
    assert world.population > 0


def test_what_progress_raises_ends_the_run() -> None:
    world = gp.World("acorn")

    def stop(done: int) -> None:
        raise ZeroDivisionError(done)

    with pytest.raises(ZeroDivisionError):
        world.run(5206, progress=stop)
    assert 0 <= world.generation <= 5206


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="this system has no fork")
def test_after_a_fork(run_child: Run) -> None:
    run_child(
        """
        import gridpaper as gp, os, signal, threading, warnings
        warnings.simplefilter("ignore")
        alone, team = gp.World("acorn"), gp.World(gp.soup(1, 300), threads=2)
        alone.run(10)
        team.run(10)
        busy, is_running = gp.World(gp.soup(2, 1000), engine="tiles"), threading.Event()
        def work():
            busy.run(10**9, progress=lambda done: is_running.set())
        threading.Thread(target=work, daemon=True).start()
        is_running.wait()
        child = os.fork()
        if child == 0:
            # the parent's watch does not live here; an alarm ends a child that hangs
            signal.alarm(60)
            def refused(call):
                try:
                    call()
                except RuntimeError as fault:
                    return "forked" in str(fault)
                return False
            alone.run(10)
            said = [alone.generation == 20, refused(lambda: team.run(1)), refused(lambda: busy.population)]
            fresh = gp.World("acorn", threads=2)
            fresh.run(5206)
            said.append(fresh.population == 633)
            os._exit(0 if all(said) else 3)
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == 0, os.waitstatus_to_exitcode(status)
        os._exit(0)
        """
    )


def test_processes_that_are_spawned(run_child: Run, tmp_path) -> None:
    program = tmp_path / "spawned.py"
    program.write_text(
        "import multiprocessing as mp, gridpaper as gp\n"
        "def work(world):\n    world.run(5206)\n    return world\n"
        "if __name__ == '__main__':\n"
        "    with mp.get_context('spawn').Pool(1) as pool:\n"
        "        (world,) = pool.map(work, [gp.World('acorn')])\n"
        "    assert (world.population, world.generation) == (633, 5206)\n"
    )
    run_child("import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')", str(program))


def test_import_is_quick_and_without_numpy(run_child: Run) -> None:
    loaded = run_child(
        """
        import sys, gridpaper as gp
        world = gp.World("r-pentomino")
        world.run(1103)
        world.identify()
        print(sorted({"numpy", "gymnasium", "pettingzoo"} & set(sys.modules)))
        """
    )
    assert loaded.strip() == "[]"
