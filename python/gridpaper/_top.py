"""Functions of the package that are a line of Python."""

from __future__ import annotations

from gridpaper._core import Identification, Pattern, games_known

# Type checkers take this for true. `typing` itself is half of the time that importing this
# package took.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def games() -> dict[str, str]:
    """The games, and how their options are written.

    >>> import gridpaper as gp
    >>> gp.games()["mnk"]
    'mnk:M,N,K'
    """
    return {name: options or name for name, options in games_known()}


def identify(
    pattern: Any,
    rule: Any = None,
    *,
    max_gens: int = 100_000,
    max_period: int = 65_536,
    parts: bool = False,
    progress: Any = None,
) -> Identification:
    """What a pattern is: still life, oscillator, spaceship, gun, methuselah, and its figures.

    >>> import gridpaper as gp
    >>> gun = gp.identify("gosper-glider-gun")
    >>> gun.kind, gun.period, gun.emission
    ('gun', 30, {'xq4_153': 1})
    """
    return Pattern(pattern, rule).identify(
        max_gens=max_gens, max_period=max_period, parts=parts, progress=progress
    )
