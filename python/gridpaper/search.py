"""Patterns with a property: found, listed, counted, or proven not to be.

Each function says what is looked for, and gives a `Question`; the question has `find`, `all`,
`count` and `proof`. Boxes are pairs of columns and rows. The box holds all generations of a
period: no cell outside is born.

>>> from gridpaper import search
>>> question = search.osc(2, (3, 3))
>>> question.find().apgcode
'xp2_7'
>>> search.osc(3, (4, 4)).find() is None    # certain: there is none
True

Other threads run meanwhile, Ctrl-C ends a search, and so does `time=` with `Unfinished`.
"""

from __future__ import annotations

from gridpaper import _core
from gridpaper._core import Question
from gridpaper.errors import SearchError, Unfinished

# Type checkers take this for true. `typing` itself is half of the time that importing this
# package took.
TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from typing import Any

    from gridpaper._core import Rule

__all__ = [
    "Question",
    "SearchError",
    "Unfinished",
    "agar",
    "fill",
    "orphan",
    "osc",
    "predecessor",
    "ship",
    "still",
    "verify",
]


def still(
    size: tuple[int, int] | None = None,
    *,
    rule: Rule | str | None = None,
    symmetry: str = "C1",
    min_cells: int | None = None,
    max_cells: int | None = None,
    diagonal_width: int | None = None,
) -> Question:
    """Still lifes in a box; without one all of at most `max_cells` cells, strict and pseudo.

    >>> from gridpaper import search
    >>> search.still((5, 5)).densest()
    16
    >>> [life.apgcode for life in search.still(max_cells=5).all()]
    ['xs4_252', 'xs4_33', 'xs5_253']
    """
    return _core.search_still(**locals())


def osc(
    period: int,
    size: tuple[int, int],
    *,
    rule: Rule | str | None = None,
    symmetry: str = "C1",
    transform: str = "identity",
    subperiod: bool = False,
    min_cells: int | None = None,
    max_cells: int | None = None,
    diagonal_width: int | None = None,
) -> Question:
    """Oscillators of exactly this period; with `subperiod` those that repeat earlier, too. With a
    `transform` they are turned or mirrored after `period` generations, which then is the mod.

    >>> from gridpaper import search
    >>> sorted(found.apgcode for found in search.osc(2, (4, 4)).all())
    ['xp2_2a54', 'xp2_318c', 'xp2_7', 'xp2_7e']
    """
    return _core.search_osc(**locals())


def ship(
    velocity: str,
    size: tuple[int, int] | None = None,
    *,
    width: int | None = None,
    rule: Rule | str | None = None,
    symmetry: str | None = None,
    transform: str = "identity",
    min_cells: int | None = None,
    max_cells: int | None = None,
    diagonal_width: int | None = None,
) -> Question:
    """Spaceships in a box; with `width` in its place, of so many columns and any height, moving
    along the columns (symmetries are then none, odd, even and gutter). Velocities are written c/3,
    2c/5, "c/4 diagonal" or (1,2)c/6.

    >>> from gridpaper import search
    >>> search.ship("2c/4", (5, 6)).find().apgcode
    'xq4_6frc'
    """
    return _core.search_ship(**locals())


def predecessor(
    pattern: Any,
    generations: int = 1,
    *,
    margin: int = 2,
    rule: Rule | str | None = None,
    max_cells: int | None = None,
) -> Question:
    """Patterns that become this one with `margin` dead cells around it. What they become further out
    is left open, so `None` holds for every world that contains the pattern.

    >>> from gridpaper import search
    >>> import gridpaper as gp
    >>> parent = search.predecessor("glider").find()
    >>> parent[1] & "glider" == gp.Pattern("glider")
    True
    """
    return _core.search_predecessor(**locals())


def orphan(
    size: tuple[int, int],
    *,
    rule: Rule | str | None = None,
    symmetry: str = "C1",
    beam: int = 64,
) -> Question:
    """Cells of a box that nothing becomes, the dead ones too, by a beam search that carries on
    `beam` targets at a time. It may miss what there is: `find` gives `None` and has proven nothing.

    >>> from gridpaper import search
    >>> search.orphan((2, 2), rule="B/S").find() is None
    False
    """
    return _core.search_orphan(**locals())


def agar(
    size: tuple[int, int],
    period: int = 1,
    *,
    shift: int = 0,
    rule: Rule | str | None = None,
    subperiod: bool = False,
    min_cells: int | None = None,
    max_cells: int | None = None,
) -> Question:
    """Patterns that repeat on a torus, and so tile the plane; the copy below is moved by `shift`
    columns.

    >>> from gridpaper import search
    >>> str(search.agar((4, 3), 2, shift=1).rule)
    'B3/S23:T4+1,3'
    """
    return _core.search_agar(**locals())


def fill(
    drawing: str,
    *,
    period: int | None = None,
    velocity: str | None = None,
    rule: Rule | str | None = None,
    symmetry: str = "C1",
    min_cells: int | None = None,
    max_cells: int | None = None,
    diagonal_width: int | None = None,
) -> Question:
    """Patterns of which some cells are known. The drawing is run-length encoded: . or b is dead, o
    is live, ? is free; $ ends a row and ! a generation. With `period` or `velocity` the pattern
    repeats, and what is drawn are its first generations; else it goes through what is drawn, two
    generations or more.

    >>> from gridpaper import search
    >>> search.fill("3?$?o?$3?!", period=2).find().population > 0
    True
    """
    return _core.search_fill(**locals())


def verify(formula: str | os.PathLike[str], proof: str | os.PathLike[str]) -> int:
    """Checks a proof against its formula, with a checker that shares no code with the solver, and
    gives its number of steps. `SearchError` names the first line that does not hold."""
    return _core.search_verify(formula, proof)
