"""What tests share: a child process with a limit, so that a deadlock is a failure."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable

import pytest

# Seconds after which a child is taken to be in a deadlock; it says then where its threads are.
LIMIT = 100

Run = Callable[..., str]
Interrupt = Callable[..., None]


@pytest.fixture
def run_child() -> Run:
    """Runs a program in a process of its own and gives what it prints; the child may neither
    hang nor panic."""

    def run(program: str, *arguments: str, status: int = 0) -> str:
        head = f"import faulthandler; faulthandler.dump_traceback_later({LIMIT}, exit=True)\n"
        child = subprocess.run(
            [
                sys.executable,
                "-X",
                "faulthandler",
                "-c",
                head + textwrap.dedent(program),
                *arguments,
            ],
            capture_output=True,
            text=True,
            timeout=LIMIT + 20,
            env={**os.environ, "PYTHONWARNINGS": "error::ResourceWarning"},
        )
        assert "panicked" not in child.stderr, child.stderr
        assert child.returncode == status, child.stderr
        return child.stdout

    return run


# The most seconds from Ctrl-C to the exception: 0.2 are promised of the wheel (GRIDPAPER_CTRL_C=0.2
# holds it to that), and the extension that tests build is optimised less. On a machine that does
# other work the processor time of the process counts, which no other work makes longer.
PROMISE = float(os.environ.get("GRIDPAPER_CTRL_C", "1"))


@pytest.fixture
def run_interrupted(run_child: Run) -> Interrupt:
    """Sends Ctrl-C to a call that is under way, and holds how soon the call ends.

    `call` says `progress=progress`: the signal is sent once that was told something, by a thread
    of its own, so that the call has no hand in it.
    """

    def run(head: str, call: str, tail: str = "", *arguments: str) -> None:
        program = textwrap.dedent(
            """
            import gridpaper as gp, os, signal, sys, threading, time
            under_way, sent = threading.Event(), []
            def progress(*done):
                under_way.set()
            def interrupt():
                under_way.wait()
                sent.append((time.process_time(), time.perf_counter()))
                os.kill(os.getpid(), signal.SIGINT)
            """
        )
        lines = [
            textwrap.dedent(head),
            "thread = threading.Thread(target=interrupt)",
            "thread.start()",
            "try:",
            textwrap.indent(textwrap.dedent(call), "    "),
            "    sys.exit('it was not interrupted')",
            "except KeyboardInterrupt:",
            "    cpu, clock = time.process_time(), time.perf_counter()",
            "thread.join()",
            textwrap.dedent(tail),
            "print(cpu - sent[0][0], clock - sent[0][1])",
        ]
        cpu, clock = map(float, run_child(program + "\n".join(lines), *arguments).split())
        assert min(cpu, clock) < PROMISE, f"{cpu} s of the processor, {clock} s by the clock"

    return run
