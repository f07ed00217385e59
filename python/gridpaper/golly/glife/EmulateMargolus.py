"""Tables on other lattices, which Gridpaper runs as they are and not as tables on squares."""

from __future__ import annotations

from collections.abc import Sequence

import gridpaper.golly as golly
from gridpaper.golly.glife.RuleTree import *  # noqa: F403


def EmulateMargolus(
    neighborhood: str,
    n_states: int,
    transitions: Sequence[Sequence[Sequence[int]]],
    input_filename: str,
) -> str:
    """Ends the script, with a sentence that says what to do instead."""
    golly.exit(
        f"{input_filename}: a table on {neighborhood} is not made into one on squares here; "
        "Gridpaper has rules of such neighbourhoods: `gridpaper rules` lists them"
    )
