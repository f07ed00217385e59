"""Tables of one dimension as tables of two: what is above and below is not looked at."""

from __future__ import annotations

from collections.abc import Sequence

from gridpaper.golly.glife.RuleTree import *  # noqa: F403
from gridpaper.golly.glife.RuleTree import ConvertRuleTableTransitionsToRuleTree


def EmulateOneDimensional(
    neighborhood: str,
    n_states: int,
    transitions: Sequence[Sequence[Sequence[int]]],
    input_filename: str,
) -> str:
    """The same rule in von Neumann's neighbourhood; C W E is the order of the table."""
    every = list(range(n_states))
    plane = [[c, every, e, every, w, out] for c, w, e, out in transitions]
    return ConvertRuleTableTransitionsToRuleTree("vonNeumann", n_states, plane, input_filename)
