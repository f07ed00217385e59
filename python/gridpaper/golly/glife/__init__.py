"""The package that Golly's scripts import as `glife`: patterns and rectangles.

Written from what Golly's help says of it and from what scripts ask of it; the code is our own.

>>> from gridpaper.golly.glife import pattern, flip_x
>>> glider = pattern("bo$2bo$3o!")
>>> glider[4] == glider(1, 1)
True
>>> len(glider + glider(10, 0, flip_x))
20
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gridpaper.golly as golly

__all__ = [
    "description",
    "flip",
    "flip_x",
    "flip_y",
    "getminbox",
    "getposint",
    "identity",
    "inside",
    "left_right",
    "outside",
    "pattern",
    "rccw",
    "rcw",
    "rect",
    "rule",
    "setposint",
    "swap_xy",
    "swap_xy_flip",
    "up_down",
    "validint",
    "golly",
    "transform",
    "compose",
]

# transformations: axx, axy, ayx, ayy
identity = (1, 0, 0, 1)
flip = (-1, 0, 0, -1)
flip_x = (-1, 0, 0, 1)
flip_y = (1, 0, 0, -1)
swap_xy = (0, 1, 1, 0)
swap_xy_flip = (0, -1, -1, 0)
rcw = (0, -1, 1, 0)
rccw = (0, 1, -1, 0)

Transformation = tuple[int, int, int, int]

# for clear and advance
inside = 0
outside = 1
# for flip
left_right = 0
up_down = 1

description = ""


def compose(first: Transformation, second: Transformation) -> Transformation:
    """The second transformation after the first."""
    a, b, c, d = second
    e, f, g, h = first
    return (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)


def rule(text: str = "B3/S23") -> None:
    """Sets the rule; Life unless another one is given."""
    golly.setrule(text)


class rect(list):  # type: ignore[type-arg]
    """A rectangle, or none: x, y, width, height, and names for its sides."""

    def __init__(self, sides: Sequence[int] = ()) -> None:
        if len(sides) not in (0, 4):
            raise TypeError("a rectangle has four numbers, or none")
        super().__init__(sides)
        self.empty = len(sides) == 0
        if not self.empty:
            self.x = self.left = sides[0]
            self.y = self.top = sides[1]
            self.wd = self.width = sides[2]
            self.ht = self.height = sides[3]
            if self.wd <= 0 or self.ht <= 0:
                raise ValueError("a rectangle has a width and a height of 1 or more")
            self.right = self.left + self.wd - 1
            self.bottom = self.top + self.ht - 1

    def visible(self) -> bool:
        """Whether it is in the window."""
        return golly.visrect(self)


class pattern(list):  # type: ignore[type-arg]
    """A cell list that can be turned, moved, joined and run."""

    def __init__(
        self,
        cells: str | Sequence[int] = (),
        x0: int = 0,
        y0: int = 0,
        A: Transformation = identity,
    ) -> None:
        if isinstance(cells, str):
            listed = golly.parse(cells, x0, y0, *A)
        elif (x0, y0, A) == (0, 0, identity):
            listed = list(cells)
        else:
            listed = golly.transform(cells, x0, y0, *A)
        super().__init__(listed)

    def __add__(self, other: Sequence[int]) -> pattern:  # type: ignore[override]
        return pattern(golly.join(self, other))

    def __iadd__(self, other: Sequence[int]) -> pattern:  # type: ignore[override]
        return pattern(golly.join(self, other))

    def __getitem__(self, count: int) -> pattern:  # type: ignore[override]
        return self.evolve(count)

    def __call__(self, x: int = 0, y: int = 0, A: Transformation = identity) -> pattern:
        return pattern(golly.transform(self, x, y, *A))

    def evolve(self, count: int) -> pattern:
        """The pattern after a number of generations."""
        if count < 0:
            raise ValueError("nothing is run backwards")
        return pattern(golly.evolve(self, count))

    def translate(self, x: int, y: int) -> pattern:
        """The pattern elsewhere."""
        return self(x, y)

    def apply(self, A: Transformation) -> pattern:
        """The pattern turned."""
        return self(0, 0, A)

    def put(self, x: int = 0, y: int = 0, A: Transformation = identity, mode: str = "or") -> None:
        """Puts it into the world."""
        golly.putcells(self, x, y, *A, mode)

    def display(
        self,
        title: str = "untitled",
        x: int = 0,
        y: int = 0,
        A: Transformation = identity,
        mode: str = "or",
    ) -> None:
        """Puts it into an empty world of this name."""
        golly.new(title)
        self.put(x, y, A, mode)
        golly.fit()

    def save(self, filename: str, description: str = "") -> None:
        """Writes it into an RLE file."""
        golly.store(self, filename, description)


def load(filename: str) -> pattern:
    """The pattern of a file."""
    return pattern(golly.load(filename))


def transform(cells: Sequence[int], x: int, y: int, A: Transformation = identity) -> pattern:
    """A pattern turned and moved."""
    return pattern(golly.transform(cells, x, y, *A))


def getminbox(patt: Any) -> rect:
    """The smallest box around a pattern's cells."""
    return rect(golly._box(list(patt)))


def validint(text: str) -> bool:
    """Whether it is a whole number, perhaps with a sign and with commas."""
    digits = text.strip().replace(",", "")
    if digits[:1] in ("+", "-"):
        digits = digits[1:]
    return digits.isascii() and digits.isdigit()


def getposint() -> tuple[int, int]:
    """The cell in the middle of the window."""
    x, y = golly.getpos()
    return int(x), int(y)


def setposint(x: int, y: int) -> None:
    """The same, to set it."""
    golly.setpos(str(x), str(y))
