"""Tables on hexagons as tables on squares: two corners are not looked at."""

from __future__ import annotations

from collections.abc import Sequence

from gridpaper.golly.glife.RuleTree import *  # noqa: F403
from gridpaper.golly.glife.RuleTree import ConvertRuleTableTransitionsToRuleTree


def EmulateHexagonal(
    neighborhood: str,
    n_states: int,
    transitions: Sequence[Sequence[Sequence[int]]],
    input_filename: str,
) -> str:
    """The same rule in Moore's neighbourhood; C N E SE S W NW is the order of the table."""
    every = list(range(n_states))
    moore = [
        [c, n, every, e, se, s, every, w, nw, out] for c, n, e, se, s, w, nw, out in transitions
    ]
    return ConvertRuleTableTransitionsToRuleTree("Moore", n_states, moore, input_filename)
