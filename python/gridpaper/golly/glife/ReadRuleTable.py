"""Rule tables as lists of transitions. The format is from Golly's help ("RuleLoader", section
"The @TABLE section"); the code is our own."""

from __future__ import annotations

import re
from itertools import permutations, product

__all__ = ["ReadRuleTable"]

# Neighbours beside the cell itself.
_NEIGHBOURS = {
    "vonNeumann": 4,
    "Moore": 8,
    "hexagonal": 6,
    "oneDimensional": 2,
    "triangularVonNeumann": 3,
    "triangularMoore": 12,
}


def _turned(count: int, step: int) -> list[tuple[int, ...]]:
    return [tuple((i + turn) % count for i in range(count)) for turn in range(0, count, step)]


def _mirrored(orders: list[tuple[int, ...]], count: int) -> list[tuple[int, ...]]:
    return orders + [tuple((-i) % count for i in order) for order in orders]


def _orders(symmetry: str, count: int) -> list[tuple[int, ...]]:
    """The orders in which the neighbours may stand, clockwise from the top."""
    if symmetry == "none":
        return [tuple(range(count))]
    if symmetry == "permute":
        return [tuple(order) for order in permutations(range(count))]
    if symmetry in ("reflect", "reflect_horizontal"):
        if count == 2:
            return [(0, 1), (1, 0)]
        return _mirrored([tuple(range(count))], count)
    turns = re.fullmatch(r"rotate(\d+)(reflect)?", symmetry)
    if turns is None or count % int(turns[1]):
        raise ValueError(f"no symmetry {symmetry} of {count} neighbours")
    orders = _turned(count, count // int(turns[1]))
    return _mirrored(orders, count) if turns[2] else orders


def ReadRuleTable(filename: str) -> tuple[int, str, list[list[list[int]]]]:
    """States, neighbourhood and transitions of a .table file, symmetries written out: of each
    transition the states of each cell, and what comes out."""
    n_states, neighborhood, symmetry = 0, "", "none"
    variables: dict[str, list[int]] = {}
    transitions: list[list[list[int]]] = []
    with open(filename, encoding="utf-8") as file:
        lines = file.read().splitlines()
    for number, whole in enumerate(lines, 1):
        line = whole.split("#", 1)[0].strip()
        if not line or line.startswith("@"):
            continue
        word, colon, rest = line.partition(":")
        if colon:
            value = rest.strip()
            if word in ("n_states", "num_states"):
                n_states = int(value)
            elif word == "neighborhood":
                neighborhood = value
            elif word == "symmetries":
                symmetry = value
            continue
        if line.startswith("var"):
            name, equals, values = line[3:].partition("=")
            if not equals:
                raise ValueError(f"{filename}:{number}: expected var NAME={{...}}")
            states: list[int] = []
            for value in values.strip().strip("{}").split(","):
                value = value.strip()
                states += variables[value] if value in variables else [int(value)]
            variables[name.strip()] = sorted(set(states))
            continue
        if neighborhood not in _NEIGHBOURS:
            # what is read, and its cells, are for the caller to refuse
            count = line.count(",")
        else:
            count = _NEIGHBOURS[neighborhood]
        parts = [part.strip() for part in line.split(",")] if "," in line else list(line)
        if neighborhood in _NEIGHBOURS and len(parts) != count + 2:
            raise ValueError(
                f"{filename}:{number}: expected {count + 2} states, found {len(parts)}"
            )
        bound = sorted({part for part in parts if part in variables and parts.count(part) > 1})
        for values_of in product(*(variables[name] for name in bound)):
            chosen = dict(zip(bound, values_of))
            sets = [
                [chosen[part]] if part in chosen else variables.get(part) or [int(part)]
                for part in parts
            ]
            centre, around, out = sets[0], sets[1:-1], sets[-1]
            seen = set()
            orders = (
                _orders(symmetry, len(around))
                if neighborhood in _NEIGHBOURS
                else [tuple(range(len(around)))]
            )
            for order in orders:
                turned = [around[place] for place in order]
                key = tuple(map(tuple, turned))
                if key not in seen:
                    seen.add(key)
                    transitions.append([centre, *turned, out])
    return n_states, neighborhood, transitions
