"""The laser puzzle: boards, the solver that proves, and the generator.

>>> import gridpaper as gp
>>> answer = gp.laser.level("simple-mirror").solve()
>>> answer.solvable, answer.solutions[0].is_solved
(True, True)
"""

from __future__ import annotations

from gridpaper._core import (
    Board,
    SolverAnswer,
    laser_generate,
    laser_level,
    laser_levels,
)

__all__ = ["Board", "SolverAnswer", "generate", "level", "levels", "solve"]


def levels() -> list[str]:
    """The names of the built-in levels."""
    return laser_levels()


def level(name: str) -> Board:
    """A built-in level; `KeyError` where there is none of that name."""
    return laser_level(name)


def solve(board: Board, aim: str = "any") -> SolverAnswer:
    """What `Board.solve` says: whether it is solvable, its solutions, and moves to one."""
    return board.solve(aim)


def generate(
    width: int = 8,
    height: int = 8,
    *,
    pieces: int | str = 4,
    walls: int = 20,
    seed: int = 0,
    difficulty: str | None = None,
) -> tuple[Board, str, int]:
    """A new level of this size: the board, its grade, and moves that are enough for it.

    >>> from gridpaper import laser
    >>> board, grade, moves = laser.generate(6, 6, pieces=2, seed=7)
    >>> board.solve().solvable
    True
    """
    return laser_generate(
        width,
        height,
        pieces=str(pieces),
        walls=walls,
        seed=seed,
        difficulty=difficulty,
    )
