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
