#!/usr/bin/env python3
"""A bot that plays any game by chance, in Gridpaper's text protocol.

    gridpaper match stones random 'cmd[text]:python3 examples/bots/chance.py' --games 10

It asks for the legal moves and takes one of them. All that the protocol has is in
docs/bots.md; a bot that thinks would look at `position` where this one picks.
"""

import random
import sys


def say(line):
    # the arena waits for whole lines: nothing may stay in a buffer
    print(line, flush=True)


def any_column(position):
    """A move of the duel, for boards that have too many moves to be listed."""
    rows = next(i for i, line in enumerate(position) if line.startswith("turn "))
    mana = next(int(line.split()[1]) for line in position if line.startswith("mana "))
    ones = random.sample(range(rows), min(rows, random.randint(0, mana)))
    return "".join("1" if row in ones else "0" for row in range(rows))


def main():
    position, moves = [], []
    for line in sys.stdin:
        word, _, rest = line.rstrip("\r\n").partition(" ")
        if word == "gridpaper":
            # `again`: many games in this process; `moves`: list the legal moves
            say("name chance-py again moves")
        elif word == "seed":
            random.seed(int(rest))
        elif word == "position":
            position = [sys.stdin.readline().rstrip("\r\n") for _ in range(int(rest))]
        elif word == "moves":
            moves = rest.split()
        elif word == "go":
            is_listed = moves[0] != "many"
            say(random.choice(moves) if is_listed else any_column(position))
        # game, seat, pace and end need nothing from this bot


main()
