"""Gymnasium environments: a game against a player of the program, and the laser puzzle."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from gridpaper import laser
from gridpaper._core import Board, Player, Position
from gridpaper.envs._spaces import action_space, observation, observation_space


class OpponentEnv(gymnasium.Env):
    """One seat of a game; a player has the other. An illegal action loses the game."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str = "tictactoe",
        opponent: str = "random",
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if seat not in (None, 0, 1):
            raise ValueError(f"seat {seat}: seats are 0 and 1")
        self._start = Position(game)
        self._opponent_text = opponent
        self._opponent = Player(game, opponent)
        self._fixed_seat = seat
        self._games = 0
        self.seat = 0
        self.position = self._start.copy()
        self.render_mode = render_mode
        self.observation_space = observation_space(self._start)
        self.action_space = action_space(self._start)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A new game; a seed begins the player's random numbers anew."""
        super().reset(seed=seed)
        if seed is not None:
            self._games = 0
        self._opponent = Player(
            self._start.game, self._opponent_text, seed=int(self.np_random.integers(1 << 32))
        )
        self.seat = self._games % 2 if self._fixed_seat is None else self._fixed_seat
        self._games += 1
        self.position = self._start.copy()
        if self.position.to_move == (1 - self.seat,):
            self._reply()
        return observation(self.position, self.seat), {"seat": self.seat}

    def _reply(self) -> None:
        self.position.apply(self._opponent.think(self.position).action)

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """The seat's action, and the player's answer."""
        info: dict[str, Any] = {"seat": self.seat}
        if self.position.is_over:
            raise RuntimeError("the game is over: reset begins the next")
        if not self.position.mask(self.seat)[action]:
            info["illegal"] = True
            return observation(self.position, self.seat), -1.0, True, False, info
        if len(self.position.to_move) == 2:
            reply = self._opponent.think(self.position, seat=1 - self.seat).action
            both = [int(action), reply] if self.seat == 0 else [reply, int(action)]
            self.position.apply(*both)
        else:
            self.position.apply(int(action))
            while not self.position.is_over and self.position.to_move == (1 - self.seat,):
                self._reply()
        reward = self.position.rewards[self.seat]
        over = self.position.is_over
        return observation(self.position, self.seat), reward, over, False, info

    def render(self) -> Any:
        """The board as text."""
        return str(self.position) if self.render_mode == "ansi" else None


class LaserEnv(gymnasium.Env):
    """The laser puzzle. An action is a move of a piece: from a cell to a cell, as from times cells
    plus to. Solving it gives 1; a move costs 0.01; a move that is none changes nothing."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        level: str | Board | None = None,
        *,
        size: int = 6,
        pieces: int = 2,
        most_moves: int = 50,
        render_mode: str | None = None,
    ) -> None:
        self._board = laser.level(level) if isinstance(level, str) else level
        self._recipe = (size, pieces)
        self._most_moves = most_moves
        self.render_mode = render_mode
        self.board = self._board or self._generated(0)
        cells = self.board.width * self.board.height
        self.observation_space = spaces.Dict(
            {
                "tiles": spaces.Box(0, 255, (self.board.height, self.board.width), np.uint8),
                "light": spaces.Box(0, 15, (self.board.height, self.board.width), np.uint8),
            }
        )
        self.action_space = spaces.Discrete(cells * cells)
        self._moves = 0

    def _generated(self, seed: int) -> Board:
        size, pieces = self._recipe
        return laser.generate(size, size, pieces=pieces, seed=seed)[0]

    def _observation(self) -> dict[str, Any]:
        return {"tiles": self.board.tiles(), "light": self.board.light()}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The level from its start; without a level, a new one."""
        super().reset(seed=seed)
        self._moves = 0
        self.board = self._board or self._generated(int(self.np_random.integers(1 << 32)))
        return self._observation(), {}

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """A move."""
        cells = self.board.width * self.board.height
        start, end = divmod(int(action), cells)
        self._moves += 1
        info = {}
        try:
            self.board = self.board.moved(
                (start % self.board.width, start // self.board.width),
                (end % self.board.width, end // self.board.width),
            )
        except ValueError:
            info["illegal"] = True
        solved = self.board.is_solved
        reward = (1.0 if solved else 0.0) - 0.01
        return self._observation(), reward, solved, self._moves >= self._most_moves, info

    def render(self) -> Any:
        """The board as text."""
        return str(self.board) if self.render_mode == "ansi" else None
