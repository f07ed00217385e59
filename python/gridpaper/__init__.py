"""Cellular automata, and the games and puzzles that live on a grid.

>>> import gridpaper as gp
>>> world = gp.World("r-pentomino")
>>> world.run(1103)
>>> world.generation, world.population
(1103, 116)
"""

from __future__ import annotations

from gridpaper import cluster, errors, laser, library, search
from gridpaper._core import (
    Census,
    Identification,
    MatchResult,
    Pattern,
    Player,
    Position,
    Rule,
    Thought,
    VectorPosition,
    World,
    __version__,
    census,
    object_name,
    play_match,
    players_of,
    soup,
)
from gridpaper._film import Film
from gridpaper._top import games, identify
from gridpaper.errors import (
    CensusError,
    Exhausted,
    GameError,
    LevelError,
    PatternError,
    RuleError,
    SearchError,
    Unfinished,
    Unsupported,
)

__all__ = [
    "Census",
    "CensusError",
    "Exhausted",
    "Film",
    "GameError",
    "Identification",
    "LevelError",
    "MatchResult",
    "Pattern",
    "PatternError",
    "Player",
    "Position",
    "Rule",
    "RuleError",
    "SearchError",
    "Thought",
    "Unfinished",
    "Unsupported",
    "VectorPosition",
    "World",
    "__version__",
    "census",
    "cluster",
    "errors",
    "games",
    "identify",
    "laser",
    "library",
    "object_name",
    "play_match",
    "players_of",
    "search",
    "soup",
]
