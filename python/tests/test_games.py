"""Positions, players, matches and the environments of learners."""

from __future__ import annotations

import copy
import pickle
import random
import re
import warnings

import numpy as np
import pytest

import gridpaper as gp
from gridpaper import envs

GAMES = ["tictactoe", "mnk:7,6,4", "stones:plies=40", "duel", "duel:5x7,mana=5"]


@pytest.mark.parametrize("game", GAMES)
def test_positions_agree_with_themselves(game: str) -> None:
    dice = random.Random(5)
    position = gp.Position(game)
    plies = 0
    while not position.is_over:
        actions = []
        for seat in position.to_move:
            legal = position.legal(seat)
            mask = position.mask(seat)
            assert np.flatnonzero(mask).tolist() == legal and legal
            action = dice.choice(legal)
            assert position.read_move(position.write_move(action, seat), seat) == action
            actions.append(action)
        own, other, goals = position.board(0)
        flipped = position.board(1)
        assert own.sum() == flipped[1].sum() and goals.sum() == flipped[2].sum()
        assert len(position.facts()) == len(position.fact_names)
        assert gp.Position(game, position.text()) == position
        again = pickle.loads(pickle.dumps(position))
        assert again == position == copy.copy(position) and again.hash == position.hash
        position.apply(*actions)
        plies += 1
    assert sum(position.rewards) == 0 and position.legal() == [] and not position.mask().any()
    assert (position.winner is None) == (position.rewards == (0, 0))
    assert plies <= 1000
    with pytest.raises(gp.GameError, match="over"):
        position.apply(0)


def test_the_winner_is_the_one_with_three_in_a_row() -> None:
    position = gp.Position("tictactoe")
    for move in ["A1", 1, "A2", 4, "A3"]:
        position.apply(move)
    assert (position.winner, position.rewards, position.to_move) == (0, (1.0, -1.0), ())
    assert position.reason


def test_players_think_and_meet() -> None:
    thought = gp.Position("tictactoe").think("perfect")
    assert (thought.value, thought.value_kind) == (0.0, "proven")
    player = gp.Player("stones", "material", seed=3)
    position = gp.Position("stones")
    assert player.think(position).action in position.legal()
    assert "random" in gp.players_of("duel")
    result = gp.play_match("tictactoe", "perfect", "random", 40, record=True)
    again = gp.play_match("tictactoe", "perfect", "random", 40, threads=3, record=True)
    assert (result.wins, result.draws, result.losses) == (again.wins, again.draws, again.losses)
    assert result.losses == 0 and result.games == 40 and len(result.replays) == 40
    # but for the time that a move took, and the sum over the text
    timeless = lambda replays: [re.sub(r":[/\d]+| ~\w+|sum \w+", "", text) for text in replays]  # noqa: E731
    assert timeless(result.replays) == timeless(again.replays)


@pytest.mark.parametrize("game", GAMES)
def test_vectors_are_many_positions(game: str) -> None:
    count = 16
    games = gp.VectorPosition(game, count, seed=4)
    positions = [gp.Position(game) for _ in range(count)]
    for _ in range(60):
        turns, masks, boards, facts = games.turns(), games.masks(), games.boards(), games.facts()
        actions = games.random_actions()
        rewards, ends = games.step(actions)
        for i, position in enumerate(positions):
            seats = position.to_move
            assert turns[i] == (2 if len(seats) == 2 else seats[0])
            for place, seat in enumerate(seats):
                row = (i, place) if len(seats) == 2 else (i,)
                assert np.array_equal(masks[row], position.mask(seat))
                assert np.array_equal(boards[row], position.board(seat))
                assert np.allclose(facts[row], position.facts(seat))
            position.apply(*np.atleast_1d(actions[i]).tolist())
            assert tuple(rewards[i]) == position.rewards
            assert ends[i] == position.is_over
            if position.is_over:
                positions[i] = gp.Position(game)


def test_vectors_may_wait() -> None:
    games = gp.VectorPosition("tictactoe", 3)
    for _ in range(9):
        rewards, ends = games.step(games.random_actions(), restart=False)
    assert ends.all() and (games.turns() == -1).all() and not games.masks().any()
    rewards, ends = games.step(games.random_actions(), restart=False)
    assert ends.all() and not rewards.any(), "a reward is given once"
    games.reset()
    assert (games.turns() == 0).all()


@pytest.mark.filterwarnings("ignore")
def test_environments_of_pettingzoo() -> None:
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
    from pettingzoo.utils import parallel_to_aec

    for game in ["tictactoe", "mnk:7,6,4", "stones:plies=60"]:
        api_test(envs.make(game), num_cycles=60)
        seed_test(lambda game=game: envs.make(game), num_cycles=30)
    for game in ["duel", "duel:5x7,mana=5"]:
        parallel_api_test(envs.make(game), num_cycles=60)
        parallel_seed_test(lambda game=game: envs.make(game), num_cycles=30)
        api_test(parallel_to_aec(envs.make(game)), num_cycles=30)


@pytest.mark.filterwarnings("ignore")
def test_columns_of_bits() -> None:
    from pettingzoo.test import parallel_api_test

    parallel_api_test(envs.make("duel:32x8,turns=20", bits=True), num_cycles=30)
    with pytest.raises(ValueError, match="bits=True"):
        envs.make("duel:32x8")
    with pytest.raises(ValueError, match="too many"):
        envs.against("duel:32x8")
    env = envs.make("duel", bits=True)
    env.reset()
    # six ones of eight are kept, as there are six of mana
    env.step({"seat_0": np.ones(8, np.int8), "seat_1": np.zeros(8, np.int8)})
    position = gp.Position("duel")
    position.apply("11111100", "00000000")
    assert env.position == position


def test_rewards_are_the_referees() -> None:
    """A thousand games at random, each beside a position that the referee keeps."""
    dice = np.random.default_rng(3)
    for game, count in [("tictactoe", 500), ("mnk:4,4,3", 300), ("stones:plies=20", 100)]:
        env = envs.make(game)
        for _ in range(count):
            env.reset()
            position = gp.Position(game)
            total = dict.fromkeys(env.possible_agents, 0.0)
            while env.agents:
                agent = env.agent_selection
                observation, reward, ended, truncated, _ = env.last()
                total[agent] += reward
                if ended or truncated:
                    env.step(None)
                    continue
                action = int(dice.choice(np.flatnonzero(observation["action_mask"])))
                position.apply(action)
                env.step(action)
            assert position.is_over and tuple(total.values()) == position.rewards
    env = envs.make("duel:5x7,mana=5")
    for _ in range(100):
        seen, _ = env.reset()
        position = gp.Position("duel:5x7,mana=5")
        total = dict.fromkeys(env.possible_agents, 0.0)
        while env.agents:
            masks = [seen[agent]["action_mask"] for agent in env.possible_agents]
            actions = [int(dice.choice(np.flatnonzero(mask))) for mask in masks]
            position.apply(*actions)
            seen, rewards, *_ = env.step(dict(zip(env.possible_agents, actions)))
            for agent, reward in rewards.items():
                total[agent] += reward
        assert position.is_over and tuple(total.values()) == position.rewards


def test_an_illegal_action_loses() -> None:
    env = envs.make("tictactoe")
    env.reset()
    env.step(0)
    env.step(0)
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.rewards == {"seat_0": 1.0, "seat_1": -1.0}
    duel = envs.make("duel")
    duel.reset()
    _, rewards, ended, _, infos = duel.step({"seat_0": 255, "seat_1": 0})
    assert rewards == {"seat_0": -1.0, "seat_1": 1.0} and all(ended.values())
    assert infos["seat_0"] == {"illegal": True}


def test_environments_of_gymnasium() -> None:
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    envs.register()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for game in ["tictactoe", "duel", "stones"]:
            check_env(envs.against(game, "random"), skip_render_check=True)
        check_env(envs.LaserEnv(), skip_render_check=True)
        env = gymnasium.make("gridpaper/TicTacToe-v0")
    observation, info = env.reset(seed=1)
    ended = False
    while not ended:
        legal = np.flatnonzero(observation["action_mask"])
        observation, reward, ended, _, info = env.step(int(legal[0]))
    assert reward in (-1.0, 0.0, 1.0)


def test_the_laser_is_solved_by_its_moves() -> None:
    env = envs.LaserEnv(size=6, pieces=2)
    env.reset(seed=5)
    cells = env.board.width * env.board.height
    place = lambda p: p[1] * env.board.width + p[0]  # noqa: E731
    ended = False
    for start, end in env.board.solve("fewest").moves:
        _, reward, ended, _, _ = env.step(place(start) * cells + place(end))
    assert ended and reward > 0.9
