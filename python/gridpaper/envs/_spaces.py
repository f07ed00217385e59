"""Observations and their spaces, the same for all environments of games."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from gridpaper._core import Position


def observation_space(position: Position) -> spaces.Dict:
    """What a seat sees: its own pieces, the other's, goals; numbers; which actions are legal."""
    rows, columns = position.shape
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (3, rows, columns), np.uint8),
            "facts": spaces.Box(0, np.inf, (len(position.fact_names),), np.float32),
            "action_mask": spaces.Box(0, 1, (position.actions,), np.int8),
        }
    )


def observation(position: Position, seat: int) -> dict[str, Any]:
    """The same, of a position."""
    return {
        "observation": position.board(seat),
        "facts": np.asarray(position.facts(seat), dtype=np.float32),
        "action_mask": position.mask(seat),
    }


def action_space(position: Position) -> spaces.Discrete:
    """The actions, legal or not."""
    return spaces.Discrete(position.actions)
