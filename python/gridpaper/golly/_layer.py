"""What Golly's calls act on: layers, their worlds, and what is remembered for a script."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence

from gridpaper._core import World

MAX_LAYERS = 10


class Universe:
    """A world, with the pattern that it started as."""

    def __init__(self, rule: str = "B3/S23") -> None:
        self.rule_text = rule
        self.world = World(rule=rule)
        self.start: World | None = None
        self._read_rule()

    def _read_rule(self) -> None:
        rule = self.world.rule
        self.states = rule.states
        self.shown_rule = str(rule)

    @property
    def plain_rule(self) -> str:
        """The rule's text without a grid."""
        text = self.rule_text
        return text if os.path.exists(text) else text.split(":", 1)[0]

    def load(self, world: World) -> None:
        """Another world, which begins here."""
        self.world = world
        self.start = None
        if not os.path.exists(self.rule_text) or str(world.rule) != self.shown_rule:
            self.rule_text = str(world.rule)
        self._read_rule()

    def run(self, count: int) -> None:
        """Runs, and keeps what was there before the first time."""
        if self.start is None:
            self.start = self.world.copy()
        self.world.run(count)

    def reset(self) -> None:
        """Back to where it started."""
        if self.start is not None:
            self.world, self.start = self.start, None

    def set_rule(self, rule: str) -> None:
        """The same cells by another rule."""
        before = self.world
        after = World(rule=rule)
        states = after.rule.states
        is_multistate = self.states > 2
        cells = before._cell_list(is_multistate)
        if is_multistate:
            most = states - 1
            for i in range(2, len(cells), 3):
                cells[i] = min(cells[i], most)
        after._put_cell_list(cells, 0, 0, [1, 0, 0, 1], "or")
        after.generation = before.generation
        self.world, self.rule_text, self.start = after, rule, self.start
        self._read_rule()


class Layer:
    """A universe, and how it would be looked at."""

    def __init__(self, universe: Universe) -> None:
        self.universe = universe
        self.name = "untitled"
        self.algorithm = "QuickLife"
        self.selection: list[int] = []
        self.base = 8
        self.step = 0
        self.magnification = 0
        self.position = ("0", "0")
        self.colours: dict[int, tuple[int, int, int]] = {}

    @classmethod
    def like(cls, other: Layer) -> Layer:
        """An empty layer with the settings of another one."""
        layer = cls(Universe(other.universe.rule_text))
        layer.name = other.name
        layer.algorithm = other.algorithm
        layer.base, layer.step = other.base, other.step
        layer.magnification, layer.position = other.magnification, other.position
        layer.colours = dict(other.colours)
        return layer


class Session:
    """All that a script sees."""

    def __init__(
        self,
        *,
        answers: Sequence[str] = (),
        events: Sequence[str] = (),
        clipboard: str = "",
        folder: str | None = None,
        generations: int | None = None,
        quiet: bool = True,
    ) -> None:
        self.layers = [Layer(Universe())]
        self.current = 0
        self.answers = list(answers)
        self.events = list(events)
        self.clipboard = clipboard
        self.clipboard_rect: list[int] = []
        self.generations_left = generations
        self.quiet = quiet
        self.messages: list[str] = []
        self.cursor = "Draw"
        self.options = {"drawingstate": 1}
        self.colours: dict[str, tuple[int, int, int]] = {}
        self.folders: dict[str, str] = {}
        self._folder = folder
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._seed = 0

    def folder(self, name: str) -> str:
        """A folder that is there, with a separator at its end."""
        if name not in ("app", "data", "temp", "rules", "files", "download"):
            raise ValueError(f"no folder is called {name}")
        if name not in self.folders:
            if self._folder is None:
                self._temporary = tempfile.TemporaryDirectory(prefix="gridpaper-golly-")
                self._folder = self._temporary.name
            path = os.path.join(self._folder, name)
            os.makedirs(path, exist_ok=True)
            self.folders[name] = path
        return os.path.join(self.folders[name], "")

    def path(self, name: str) -> str:
        """A file's path, relative to the data folder."""
        return os.path.join(self.folder("data"), name)

    def rule(self, text: str) -> str:
        """A rule's text, or the path of the file that a script has made for it."""
        name, colon, grid = text.partition(":")
        if self._folder is not None or "rules" in self.folders:
            path = os.path.join(self.folder("rules"), name + ".rule")
            if os.path.exists(path):
                return path + colon + grid
        return text

    def answer(self, offered: str) -> str:
        """What a person would type."""
        return self.answers.pop(0) if self.answers else offered

    def event(self) -> str | None:
        """The next click or key; none once Escape is pressed."""
        if self.events:
            return self.events.pop(0)
        return "" if self.generations_left is not None and self.generations_left > 0 else None

    def count(self, generations: int) -> None:
        """Generations that were run; Escape is pressed when they are enough."""
        if self.generations_left is None:
            return
        self.generations_left -= generations
        if self.generations_left <= 0:
            from gridpaper.golly import ScriptExit

            raise ScriptExit(0)

    def draw_seed(self) -> int:
        """A seed that no earlier call had."""
        self._seed += 1
        return self._seed
