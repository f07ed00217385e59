"""What goes wrong, as exceptions with fields that a program can act on.

>>> import gridpaper as gp
>>> try:
...     gp.Rule("B3/S2x")
... except gp.RuleError as error:
...     print(error.text, error.offset)
B3/S2x 5
"""

from __future__ import annotations

# Type checkers take this for true.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = [
    "CensusError",
    "Exhausted",
    "GameError",
    "LevelError",
    "PatternError",
    "RuleError",
    "SearchError",
    "Unfinished",
    "Unsupported",
]


class RuleError(ValueError):
    """A text that is no rule: the text, and the offset in bytes at which it stops to be one."""

    def __init__(
        self,
        message: str,
        *,
        text: str | None = None,
        offset: int | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.text = text
        self.offset = offset
        self.hint = hint


class PatternError(ValueError):
    """A pattern that cannot be read or written, with line and column where there is text."""

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.line = line
        self.column = column
        self.hint = hint


class LevelError(ValueError):
    """A laser level that cannot be read, with line and column."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class Unsupported(ValueError):
    """A rule, a state or a cell that the engine does not take."""

    def __init__(self, message: str, *, engine: str | None = None, what: str | None = None) -> None:
        super().__init__(message)
        self.engine = engine
        self.what = what


class GameError(ValueError):
    """A game, a player, a move or a position that is none."""


class CensusError(ValueError):
    """Soups that cannot be counted, or a store that does not take them."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class SearchError(ValueError):
    """A question that contradicts itself or its rule, or that a search cannot answer."""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class Unfinished(TimeoutError):
    """A search that ran out of time: nothing is proven. `found` has the patterns found before."""

    def __init__(self, message: str, *, found: list[Any] | None = None) -> None:
        super().__init__(message)
        self.found = found or []


class Exhausted(MemoryError):
    """A world that has no room for its next generation, or a search that holds more than it may.
    A world stands at a whole generation."""

    def __init__(
        self,
        message: str,
        *,
        engine: str | None = None,
        limit: int | None = None,
        generation: int | None = None,
    ) -> None:
        super().__init__(message)
        self.engine = engine
        self.limit = limit
        self.generation = generation
