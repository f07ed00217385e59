"""A living world in a notebook: the element `<grid-paper>` as a widget, by anywidget.

The world goes on in the page, by the same engines as WebAssembly; this side says what it starts
with, tells it what to do, and hears where it is.
"""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gridpaper.errors import Unsupported

try:
    import anywidget
    import traitlets
except ImportError as missing:
    raise ImportError(
        "World.show() needs anywidget: pip install 'gridpaper[widget]'", name=missing.name
    ) from missing

if TYPE_CHECKING:
    from gridpaper._core import World

ELEMENT = "grid-paper.single.js"

# Up to so many live cells a world is handed over as RLE, and above as a quadtree.
MOST_RUNS = 100_000


def module_text() -> str:
    """The module that a notebook loads: the element with its program, and the widget."""
    package = resources.files("gridpaper")
    site = os.environ.get("GRIDPAPER_SITE")
    element = Path(site) / ELEMENT if site else package / ELEMENT
    if not element.is_file():
        raise Unsupported(
            f"there is no {ELEMENT} in {site or 'this wheel'}: `cargo xtask site OUT` makes it, and "
            "GRIDPAPER_SITE names that folder"
        )
    return element.read_text("utf-8") + (package / "widget.js").read_text("utf-8")


class WorldWidget(anywidget.AnyWidget):
    """A world that runs in the page. It starts as the given world is now, and goes its own way."""

    _esm = traitlets.Unicode("").tag(sync=True)
    pattern = traitlets.Unicode().tag(sync=True)
    controls = traitlets.Bool(True).tag(sync=True)
    autostart = traitlets.Bool(False).tag(sync=True)
    step = traitlets.Unicode("").tag(sync=True)
    speed = traitlets.Unicode("").tag(sync=True)
    theme = traitlets.Unicode("").tag(sync=True)
    memory = traitlets.Int(0).tag(sync=True)
    # where it is: of any size, so they are texts on the way
    generation = traitlets.Unicode("0").tag(sync=True)
    population = traitlets.Unicode("0").tag(sync=True)
    running = traitlets.Bool(False).tag(sync=True)
    error = traitlets.Unicode("").tag(sync=True)

    def __init__(self, world: World, **options: Any) -> None:
        given = {name: value for name, value in options.items() if value is not None}
        for name in ("step", "speed"):
            if name in given:
                given[name] = str(given[name])
        text = world.rle() if world.population <= MOST_RUNS else world.to("mc")
        super().__init__(_esm=module_text(), pattern=text, **given)
        self.generation, self.population = str(world.generation), str(world.population)

    def run(self) -> None:
        """Runs on."""
        self._tell("run")

    def stop(self) -> None:
        """Stops."""
        self._tell("stop")

    def goto(self, generation: int) -> None:
        """Goes to a generation."""
        self._tell("goto", str(generation))

    def load(self, pattern: World | str) -> None:
        """Shows another world, or what a text or a built-in name means."""
        self._tell("load", pattern if isinstance(pattern, str) else pattern.rle())

    def command(self, command: str) -> None:
        """Does one of gridpaper's commands, as its prompt takes them."""
        self._tell("command", command)

    def _tell(self, call: str, *of: str) -> None:
        self.send({"call": call, "of": list(of)})
