"""PettingZoo environments: AEC for turns, parallel for moves at the same time."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import AgentSelector

from gridpaper._core import Position
from gridpaper.envs._spaces import action_space, observation, observation_space

AGENTS = ["seat_0", "seat_1"]


class TurnEnv(AECEnv):  # type: ignore[misc]
    """A game in which the seats take turns. An illegal action loses the game."""

    metadata = {
        "name": "gridpaper_turns_v0",
        "render_modes": ["ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, game: str = "tictactoe", render_mode: str | None = None) -> None:
        super().__init__()
        self._start = Position(game)
        if len(self._start.to_move) != 1:
            raise ValueError(
                f"{game}: both seats move at the same time; SimultaneousEnv is its environment"
            )
        self.game = self._start.game
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        self.position = self._start.copy()
        self.observation_spaces = {agent: observation_space(self._start) for agent in AGENTS}
        self.action_spaces = {agent: action_space(self._start) for agent in AGENTS}

    def observation_space(self, agent: str) -> Any:
        """What a seat sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What a seat can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game. Nothing is random, so the seed changes nothing."""
        self.agents = list(AGENTS)
        self.position = self._start.copy()
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._agent_selector = AgentSelector(self.agents)
        self.agent_selection = AGENTS[self.position.to_move[0]]

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat sees now."""
        return observation(self.position, AGENTS.index(agent))

    def step(self, action: int | None) -> None:
        """The seat's action."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        seat = AGENTS.index(agent)
        if action is None or not self.position.mask(seat)[action]:
            rewards = [-1.0 if seat == 0 else 1.0, -1.0 if seat == 1 else 1.0]
            self.infos[agent]["illegal"] = True
            is_over = True
        else:
            self.position.apply(int(action))
            rewards = list(self.position.rewards)
            is_over = self.position.is_over
        self.rewards = dict(zip(AGENTS, rewards))
        if is_over:
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[1 - seat]
        else:
            self.agent_selection = AGENTS[self.position.to_move[0]]
        self._accumulate_rewards()

    def render(self) -> Any:
        """The board, as text or as a picture."""
        return render(self.position, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""


class SimultaneousEnv(ParallelEnv):  # type: ignore[misc]
    """A game in which both seats move at the same time: the duel.

    An action is the number of a column, and an illegal one loses the game. With `bits` it is a bit
    for each row, from the top; there is no mask then, and of a column that is too dear as many
    ones are kept, from the top, as there is mana."""

    metadata = {
        "name": "gridpaper_simultaneous_v0",
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 4,
    }

    def __init__(
        self, game: str = "duel", render_mode: str | None = None, *, bits: bool = False
    ) -> None:
        self._start = Position(game)
        if len(self._start.to_move) != 2:
            raise ValueError(f"{game}: the seats take turns; TurnEnv is its environment")
        self.game = self._start.game
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        self.position = self._start.copy()
        self.bits = bits
        self._observation_spaces = {
            agent: observation_space(self._start, not bits) for agent in AGENTS
        }
        rows = self._start.shape[0]
        self._action_spaces = {
            agent: spaces.MultiBinary(rows) if bits else action_space(self._start)
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> Any:
        """What a seat sees."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """What a seat can do."""
        return self._action_spaces[agent]

    def _observations(self) -> dict[str, dict[str, Any]]:
        return {
            agent: observation(self.position, seat, not self.bits)
            for seat, agent in enumerate(AGENTS)
        }

    def _move(self, action: Any, seat: int) -> int | str:
        """The action as `Position.apply` takes it."""
        if not self.bits:
            return int(action)
        mana = self.position.facts(seat)[0]
        ones = np.asarray(action, dtype=bool)
        return "".join("1" if one else "0" for one in ones & (np.cumsum(ones) <= mana))

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]:
        """A new game. Nothing is random, so the seed changes nothing."""
        self.agents = list(AGENTS)
        self.position = self._start.copy()
        return self._observations(), {agent: {} for agent in AGENTS}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, dict[str, Any]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """The actions of both seats."""
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        is_legal = [
            self.bits or bool(self.position.mask(seat)[actions[agent]])
            for seat, agent in enumerate(AGENTS)
        ]
        if all(is_legal):
            moves = [self._move(actions[agent], seat) for seat, agent in enumerate(AGENTS)]
            self.position.apply(*moves)
            rewards = list(self.position.rewards)
            is_over = self.position.is_over
        else:
            rewards = [0.0, 0.0]
            if is_legal[0] != is_legal[1]:
                rewards = [1.0, -1.0] if is_legal[0] else [-1.0, 1.0]
            for agent, legal in zip(AGENTS, is_legal):
                if not legal:
                    infos[agent]["illegal"] = True
            is_over = True
        observations = self._observations()
        ended = dict.fromkeys(AGENTS, is_over)
        truncated = dict.fromkeys(AGENTS, False)
        if is_over:
            self.agents = []
        return observations, dict(zip(AGENTS, rewards)), ended, truncated, infos

    def render(self) -> Any:
        """The board, as text or as a picture."""
        return render(self.position, self.render_mode)

    def close(self) -> None:
        """Nothing is open."""


_COLOURS = np.array([[246, 241, 227], [38, 50, 72], [178, 58, 46]], dtype=np.uint8)


def render(position: Position, mode: str | None) -> Any:
    """The board from the first seat's side: a text, or an array of colours."""
    if mode == "ansi":
        return str(position)
    if mode == "rgb_array":
        own, other, _ = position.board(0)
        cells = _COLOURS[own + 2 * other]
        return np.repeat(np.repeat(cells, 16, axis=0), 16, axis=1)
    return None
