"""Observations and their spaces, the same for all environments of games."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from gridpaper._core import Position


# The most actions that have a mask.
MOST_ACTIONS = 1 << 16


def observation_space(position: Position, has_mask: bool = True) -> spaces.Dict:
    """What a seat sees: its own pieces, the other's, goals; numbers; which actions are legal."""
    rows, columns = position.shape
    parts: dict[str, spaces.Space[Any]] = {
        "observation": spaces.Box(0, 1, (3, rows, columns), np.uint8),
        "facts": spaces.Box(0, np.inf, (len(position.fact_names),), np.float32),
    }
    if has_mask:
        if position.actions > MOST_ACTIONS:
            raise ValueError(
                f"{position.game} has {position.actions} actions: too many for a mask; "
                "bits=True makes an action a bit for each row"
            )
        parts["action_mask"] = spaces.Box(0, 1, (position.actions,), np.int8)
    return spaces.Dict(parts)


def observation(position: Position, seat: int, has_mask: bool = True) -> dict[str, Any]:
    """The same, of a position."""
    parts: dict[str, Any] = {
        "observation": position.board(seat),
        "facts": np.asarray(position.facts(seat), dtype=np.float32),
    }
    if has_mask:
        parts["action_mask"] = position.mask(seat)
    return parts


def action_space(position: Position) -> spaces.Discrete:
    """The actions, legal or not."""
    return spaces.Discrete(position.actions)
