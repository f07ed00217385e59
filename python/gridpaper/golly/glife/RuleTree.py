"""Rules as trees of decisions, from lists of transitions or from a function.

The format is from Golly's help ("RuleLoader", section "The @TREE section"). The tree is built as
an ordered decision diagram (Bryant, Graph-Based Algorithms for Boolean Function Manipulation,
1986): equal nodes are one node, and each transition is merged into what is there.

>>> tree = RuleTree(2, 4)
>>> tree.add_rule([[0, 1], [1], [0, 1], [0, 1], [0, 1]], 1)
>>> tree.nodes()[-1][0]
5
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

import gridpaper.golly as golly

__all__ = [
    "ConvertRuleTableTransitionsToRuleTree",
    "ConvertTreeToRule",
    "MakeRuleTreeFromTransitionFunction",
    "RuleTree",
    "golly",
    "os",
    "sys",
]

# Where the inputs of a rule table, C N E S W or C N NE E SE S SW W NW, are in `add_rule`, which
# takes C S E W N or C S E W N SE SW NE NW.
_FROM_TABLE = {4: [0, 3, 2, 4, 1], 8: [0, 5, 3, 7, 1, 4, 6, 2, 8]}


class RuleTree:
    """A rule by its transitions. The first that fits a cell and its neighbours holds; where none
    does, the cell stays as it is."""

    def __init__(self, numStates: int, numNeighbors: int) -> None:
        if not 2 <= numStates <= 256:
            raise ValueError(f"{numStates} states: a rule has 2 to 256")
        if numNeighbors not in (4, 8):
            raise ValueError(f"{numNeighbors} neighbours: a tree has 4 or 8")
        self.n_states = numStates
        self.n_neighbors = numNeighbors
        # Nodes by their children; a leaf is an output, or -1 where no transition has said one.
        self._known: dict[tuple[int, tuple[int, ...]], int] = {}
        self._children: list[tuple[int, ...]] = []
        node = -1
        for level in range(1, numNeighbors + 2):
            node = self._node(level, (node,) * numStates)
        self._root = node

    def _node(self, level: int, children: tuple[int, ...]) -> int:
        key = (level, children)
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = len(self._children)
            self._children.append(children)
        return number

    def add_rule(self, inputs: Sequence[Sequence[int]], output: int) -> None:
        """A transition: the states of the cell and of each neighbour for which it holds, in the
        order C S E W N SE SW NE NW, and what the cell becomes."""
        if len(inputs) != self.n_neighbors + 1:
            raise ValueError(f"expected {self.n_neighbors + 1} inputs, and not {len(inputs)}")
        sets = [frozenset(states) for states in inputs]
        merged: dict[tuple[int, int], int] = {}

        def merge(node: int, level: int) -> int:
            if level == 0:
                return output if node < 0 else node
            key = (level, node)
            if key not in merged:
                wanted = sets[level - 1]
                children = tuple(
                    merge(child, level - 1) if state in wanted else child
                    for state, child in enumerate(self._children[node])
                )
                merged[key] = self._node(level, children)
            return merged[key]

        self._root = merge(self._root, self.n_neighbors + 1)

    def nodes(self) -> list[tuple[int, ...]]:
        """The nodes as a file has them: level and children, the root last."""
        lines: list[tuple[int, ...]] = []
        numbers: dict[tuple[int, int], int] = {}
        known: dict[tuple[int, ...], int] = {}

        def write(node: int, level: int) -> int:
            key = (level, node)
            if key in numbers:
                return numbers[key]
            children = self._children[node]
            if level == 1:
                below = tuple(state if out < 0 else out for state, out in enumerate(children))
            else:
                below = tuple(write(child, level - 1) for child in children)
            line = (level, *below)
            if line not in known:
                known[line] = len(lines)
                lines.append(line)
            numbers[key] = known[line]
            return numbers[key]

        write(self._root, self.n_neighbors + 1)
        return lines

    def write(self, filename: str) -> None:
        """Writes a .tree file."""
        _write_tree(filename, self.n_states, self.n_neighbors, self.nodes())


def _write_tree(
    filename: str, n_states: int, n_neighbors: int, nodes: Sequence[Sequence[int]]
) -> None:
    with open(filename, "w", encoding="ascii") as file:
        file.write(f"num_states={n_states}\nnum_neighbors={n_neighbors}\nnum_nodes={len(nodes)}\n")
        for node in nodes:
            file.write(" ".join(map(str, node)) + "\n")


def MakeRuleTreeFromTransitionFunction(
    numStates: int,
    numNeighbors: int,
    f: Callable[[list[int]], int],
    filename: str,
) -> None:
    """The tree of a function of all states, in the order N W E S C or NW NE SW SE N W E S C."""
    lines: list[tuple[int, ...]] = []
    known: dict[tuple[int, ...], int] = {}
    states = [0] * (numNeighbors + 1)

    def build(level: int) -> int:
        if level == 0:
            out = int(f(list(states)))
            if not 0 <= out < numStates:
                raise ValueError(
                    f"the function says {out} for {states}: states end at {numStates - 1}"
                )
            return out
        below = []
        for state in range(numStates):
            states[numNeighbors + 1 - level] = state
            below.append(build(level - 1))
        line = (level, *below)
        if line not in known:
            known[line] = len(lines)
            lines.append(line)
        return known[line]

    build(numNeighbors + 1)
    _write_tree(filename, numStates, numNeighbors, lines)


def ConvertTreeToRule(
    rule_name: str, total_states: int, icon_pixels: Sequence[Sequence[Sequence[int]]]
) -> None:
    """A .rule file of the .tree file of that name in the folder of rules, with the colours of
    icons where there are any: 31, 15 and 7 rows of pixels, one icon a state beside the other."""
    folder = golly.getdir("rules")
    with open(folder + rule_name + ".tree", encoding="ascii") as file:
        tree = file.read()
    text = f"@RULE {rule_name}\n@TREE\n{tree}"
    if icon_pixels:
        text += "@COLORS\n"
        for state in range(1, total_states):
            block = [row[(state - 1) * 31 : state * 31] for row in icon_pixels[:31]]
            pixels = [tuple(pixel) for row in block for pixel in row]
            if pixels:
                red, green, blue = (sum(part) // len(pixels) for part in zip(*pixels))
                text += f"{state} {red} {green} {blue}\n"
    with open(folder + rule_name + ".rule", "w", encoding="ascii") as file:
        file.write(text)


def ConvertRuleTableTransitionsToRuleTree(
    neighborhood: str,
    n_states: int,
    transitions: Sequence[Sequence[Sequence[int]]],
    input_filename: str,
) -> str:
    """The rule of a table's transitions, as a .rule file; its name is that of the table's file.

    A transition is the states of each cell, in the order of rule tables, and what comes out."""
    n_neighbors = {"vonNeumann": 4, "Moore": 8}[neighborhood]
    tree = RuleTree(n_states, n_neighbors)
    order = _FROM_TABLE[n_neighbors]
    for transition in transitions:
        tree.add_rule([transition[place] for place in order], transition[-1][0])
    name = os.path.splitext(os.path.basename(input_filename))[0]
    tree.write(golly.getdir("rules") + name + ".tree")
    ConvertTreeToRule(name, n_states, [])
    return name
