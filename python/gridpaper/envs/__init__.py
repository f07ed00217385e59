"""Games as environments of PettingZoo and Gymnasium.

Games with turns are AEC environments, the duel (both seats move at once) is a parallel one:
`make("stones")` gives the one that suits the game. `against` is a Gymnasium environment in which a
player of the program has the other seat; `LaserEnv` is the laser puzzle. PettingZoo and Gymnasium
are imported when an environment is made.

>>> from gridpaper import envs
>>> env = envs.make("tictactoe")
>>> env.reset(seed=1)
>>> env.agent_selection, int(env.action_space("seat_0").n)
('seat_0', 9)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gridpaper._core import Position

if TYPE_CHECKING:
    from gridpaper.envs._gym import LaserEnv, OpponentEnv
    from gridpaper.envs._zoo import SimultaneousEnv, TurnEnv

__all__ = ["LaserEnv", "OpponentEnv", "TurnEnv", "SimultaneousEnv", "against", "make", "register"]


def make(game: str, **settings: Any) -> Any:
    """The PettingZoo environment of a game: AEC where the seats take turns, else parallel."""
    from gridpaper.envs import _zoo

    if len(Position(game).to_move) == 2:
        return _zoo.SimultaneousEnv(game, **settings)
    return _zoo.TurnEnv(game, **settings)


def against(game: str, opponent: str = "random", *, seat: int | None = None) -> Any:
    """A Gymnasium environment of one seat; the other has a player such as `strong:nodes=1000`.

    Without `seat`, the seats are exchanged from game to game.

    >>> from gridpaper import envs
    >>> env = envs.against("tictactoe", "perfect")
    >>> observation, info = env.reset(seed=3)
    >>> sorted(observation)
    ['action_mask', 'facts', 'observation']
    """
    from gridpaper.envs import _gym

    return _gym.OpponentEnv(game, opponent, seat=seat)


def register() -> None:
    """Makes `gymnasium.make("gridpaper/Stones-v0")` and the like known."""
    import gymnasium

    names = {"TicTacToe": "tictactoe", "Stones": "stones", "Duel": "duel"}
    for name, game in names.items():
        if f"gridpaper/{name}-v0" not in gymnasium.registry:
            gymnasium.register(
                id=f"gridpaper/{name}-v0",
                entry_point="gridpaper.envs._gym:OpponentEnv",
                kwargs={"game": game, "opponent": "random"},
            )
    if "gridpaper/Laser-v0" not in gymnasium.registry:
        gymnasium.register(id="gridpaper/Laser-v0", entry_point="gridpaper.envs._gym:LaserEnv")


def __getattr__(name: str) -> Any:
    if name in ("TurnEnv", "SimultaneousEnv"):
        from gridpaper.envs import _zoo

        return getattr(_zoo, name)
    if name in ("OpponentEnv", "LaserEnv"):
        from gridpaper.envs import _gym

        return getattr(_gym, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
