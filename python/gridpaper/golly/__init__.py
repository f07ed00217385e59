"""Golly's scripting calls, so that scripts written for Golly run without a window.

The calls and what they do are from Golly's help ("Python Scripting", golly.sourceforge.io); the
code is our own. What is about windows is remembered and has no other effect; what asks a person is
answered from a list (`answers`, `events`), and pressing Escape is what happens when that list ends.

>>> from gridpaper import golly as g
>>> g.new("a glider")
>>> g.putcells(g.parse("bo$2bo$3o!"))
>>> g.run(4)
>>> g.getrect(), g.getpop(), g.getgen()
([1, 1, 3, 3], '5', '4')
"""

from __future__ import annotations

import os as _os
import sys as _sys
from collections.abc import Sequence
from typing import Any, NoReturn

from gridpaper import _core
from gridpaper._core import Pattern, Rule, World
from gridpaper.golly._layer import MAX_LAYERS, Layer, Session

_session = Session()

CellList = list[int]


class ScriptExit(SystemExit):
    """The end of a script: `exit`, or Escape."""


def start(
    *,
    answers: Sequence[str] = (),
    events: Sequence[str] = (),
    clipboard: str = "",
    folder: str | None = None,
    generations: int | None = None,
    quiet: bool = False,
) -> None:
    """Begins anew, with one empty layer.

    `answers` are what a person would type when asked, `events` the clicks and keys; after the last
    one Escape is pressed, or once `generations` have been run, where that is given. Files of rules
    and data are in `folder`.
    """
    global _session
    _session = Session(
        answers=answers,
        events=events,
        clipboard=clipboard,
        folder=folder,
        generations=generations,
        quiet=quiet,
    )


def _layer() -> Layer:
    return _session.layers[_session.current]


def world() -> World:
    """The world of the current layer."""
    return _layer().universe.world


def _say(text: object) -> None:
    _session.messages.append(str(text))
    if not _session.quiet:
        print(text, file=_sys.stderr)


def _rect(rect: Sequence[Any]) -> list[int]:
    sides = [int(side) for side in rect]
    if len(sides) != 4:
        raise ValueError(f"expected x, y, width and height, and not {list(rect)}")
    if sides[2] <= 0 or sides[3] <= 0:
        raise ValueError("a rectangle has a width and a height of 1 or more")
    return sides


def _is_multistate(cells: Sequence[int]) -> bool:
    return len(cells) % 2 == 1


# ---- files -------------------------------------------------------------------------------------


def open(filename: str, remember: bool = False) -> None:
    """Opens a pattern in the current layer."""
    pattern = Pattern(filename if _os.path.exists(filename) else _session.path(filename))
    layer = _layer()
    layer.universe.load(World(pattern))
    layer.name = _os.path.basename(filename)
    layer.selection = []


def save(filename: str, format: str = "rle", remember: bool = False) -> None:
    """Writes the current pattern into a file: format rle, or mc for macrocell."""
    text = world().to("mc" if format.startswith("mc") else "rle")
    with _open_text(filename, "w") as file:
        file.write(text)


def _open_text(filename: str, mode: str) -> Any:
    import builtins

    return builtins.open(filename, mode, encoding="utf-8")


def opendialog(
    title: str = "",
    filetypes: str = "",
    initialdir: str = "",
    initialfname: str = "",
    mustexist: bool = True,
) -> str:
    """The next answer, as a file's name; nothing where there is none."""
    return _session.answer(initialfname)


def savedialog(
    title: str = "",
    filetypes: str = "",
    initialdir: str = "",
    initialfname: str = "",
    suppressprompt: bool = False,
) -> str:
    """The next answer, as a file's name."""
    return _session.answer(initialfname)


def load(filename: str) -> CellList:
    """The cells of a pattern file, the corner of its box at (0, 0)."""
    pattern = Pattern(filename)
    bounds = pattern.bounds
    if bounds is None:
        return []
    cells = World(pattern)._cell_list(pattern.rule.states > 2)
    return transform(cells, -bounds[0], -bounds[1])


def store(cell_list: Sequence[int], filename: str, description: str = "") -> None:
    """Writes a cell list into an RLE file."""
    place = World(rule=_plain_rule())
    place._put_cell_list(list(cell_list), 0, 0, [1, 0, 0, 1], "or")
    text = place.to("rle")
    with _open_text(filename, "w") as file:
        for line in description.splitlines():
            file.write(f"#C {line}\n")
        file.write(text)


def setdir(dirname: str, newdir: str) -> None:
    """Other folders for data, rules and the rest."""
    _session.folders[dirname] = newdir


def getdir(dirname: str) -> str:
    """A folder, with a separator at its end: app, data, temp, rules, files or download."""
    return _session.folder(dirname)


def getfiles(dirname: str) -> list[str]:
    """The files in a folder; folders end with a separator."""
    names = sorted(_os.listdir(dirname or getdir("data")))
    return [
        name + _os.sep if _os.path.isdir(_os.path.join(dirname, name)) else name for name in names
    ]


def getpath() -> str:
    """The path of the open pattern; nothing where there is none."""
    return ""


def getinfo() -> str:
    """The comments of the current pattern."""
    return "".join(f"#C {line}\n" for line in world().pattern().comments)


# ---- editing -----------------------------------------------------------------------------------


def new(title: str) -> None:
    """Empties the layer: generation 0, no selection. Rule and algorithm stay."""
    layer = _layer()
    layer.universe.load(World(rule=layer.universe.rule_text))
    layer.selection = []
    layer.name = title
    layer.step = 0


def cut() -> None:
    """The selection into the clipboard, and away."""
    copy()
    clear(0)


def copy() -> None:
    """The selection into the clipboard."""
    rect = _selected()
    _session.clipboard_rect = [rect[2], rect[3]]
    cells = getcells(rect)
    _session.clipboard = _rle(transform(cells, -rect[0], -rect[1]), rect[2], rect[3])


def _rle(cells: Sequence[int], width: int, height: int) -> str:
    """RLE whose first cell is the corner of the box, also where nothing lives there."""
    return f"x = {width}, y = {height}, rule = {world().rule}\n{_rows(cells, height)}\n"


def _rows(cells: Sequence[int], height: int) -> str:
    size = 3 if _is_multistate(cells) else 2
    rows: dict[int, dict[int, int]] = {}
    for i in range(0, len(cells) - size + 1, size):
        state = cells[i + 2] if size == 3 else 1
        rows.setdefault(cells[i + 1], {})[cells[i]] = state
    text = ""
    for y in range(height):
        row, x = rows.get(y, {}), 0
        for column in sorted(row):
            if column > x:
                text += f"{column - x}{'.' if size == 3 else 'b'}"
            text += _letter(row[column]) if size == 3 else "o"
            x = column + 1
        text += "$"
    return text.rstrip("$") + "!"


def _letter(state: int) -> str:
    first, second = divmod(state - 1, 24)
    return (chr(ord("p") + first - 1) if first else "") + chr(ord("A") + second)


def clear(where: int) -> None:
    """Empties the selection (inside, 0) or all else (outside, 1)."""
    x, y, width, height = _selected()
    universe = _layer().universe
    if where == 0:
        universe.world.clear(x, y, width, height)
        return
    inside = universe.world._cell_list(numstates() > 2, x, y, width, height)
    rest = World(rule=universe.rule_text)
    rest._put_cell_list(inside, 0, 0, [1, 0, 0, 1], "or")
    rest.generation = universe.world.generation
    universe.world = rest


def paste(x: int, y: int, mode: str = "or") -> None:
    """The clipboard's pattern with its corner at a cell."""
    cells = _clipped()
    if cells[1] is not None:
        putcells(cells[1], int(x), int(y), 1, 0, 0, 1, mode)


def _clipped() -> tuple[list[int], list[int] | None]:
    text = _session.clipboard
    if not text.strip():
        raise RuntimeError("there is no pattern in the clipboard")
    pattern = Pattern(text)
    size = _session.clipboard_rect
    bounds = pattern.bounds
    if bounds is None:
        return size, None
    multistate = pattern.rule.states > 2
    cells = World(pattern)._cell_list(multistate)
    if not size:
        size = [bounds[0] + bounds[2], bounds[1] + bounds[3]]
    return size, cells


def getclip() -> list[Any]:
    """Width, height and cells of the pattern in the clipboard."""
    size, cells = _clipped()
    return [size[0], size[1], cells or []]


def shrink(remove_if_empty: bool = False) -> None:
    """The selection to the smallest box around its live cells."""
    layer = _layer()
    if not layer.selection:
        return
    box = _box(getcells(layer.selection))
    if box:
        layer.selection = box
    elif remove_if_empty:
        layer.selection = []


def _box(cells: Sequence[int]) -> list[int]:
    size = 3 if _is_multistate(cells) else 2
    count = len(cells) // size
    if count == 0:
        return []
    xs = [cells[size * i] for i in range(count)]
    ys = [cells[size * i + 1] for i in range(count)]
    return [min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1]


def randfill(percentage: int) -> None:
    """The selection with random cells: the same ones in each run of a script."""
    if not 1 <= percentage <= 100:
        raise ValueError("a percentage is 1 to 100")
    x, y, width, height = _selected()
    states = numstates()
    soup = _core.soup(
        _session.draw_seed(),
        (width, height),
        density=percentage / 100,
        states=states,
        rule=_plain_rule(),
    )
    clear(0)
    if soup:
        cells = World(soup)._cell_list(states > 2)
        putcells(cells, x, y)


def flip(direction: int) -> None:
    """The selection, left to right (0) or top to bottom (1)."""
    x, y, width, height = _selected()
    cells = getcells([x, y, width, height])
    clear(0)
    if direction == 0:
        putcells(cells, 2 * x + width - 1, 0, -1, 0, 0, 1, "copy")
    else:
        putcells(cells, 0, 2 * y + height - 1, 1, 0, 0, -1, "copy")


def rotate(direction: int) -> None:
    """The selection by 90 degrees about its middle, clockwise (0) or anticlockwise (1)."""
    x, y, width, height = _selected()
    cells = getcells([x, y, width, height])
    clear(0)
    left = x + (width - 1) // 2 - (height - 1) // 2
    top = y + (height - 1) // 2 - (width - 1) // 2
    if direction == 0:
        putcells(cells, left + height - 1 + y, top - x, 0, -1, 1, 0, "or")
    else:
        putcells(cells, left - y, top + width - 1 + x, 0, 1, -1, 0, "or")
    _layer().selection = [left, top, height, width]


def parse(
    text: str,
    x: int = 0,
    y: int = 0,
    axx: int = 1,
    axy: int = 0,
    ayx: int = 0,
    ayy: int = 1,
) -> CellList:
    """The cells of an RLE text, turned and moved."""
    # `o` and `b` where there is no header may stand for any state but 0 and for 0
    rest = "".join(line for line in text.splitlines(True) if not line.lstrip().startswith("#"))
    head = rest.lstrip()
    if head.startswith("x") and "=" in head.split("\n", 1)[0]:
        rest = head.split("\n", 1)[1] if "\n" in head else ""
    compact = "".join(rest.split())
    if not compact or compact == "!":
        return []
    if not compact.endswith("!"):
        compact += "!"
    body = compact.split("!", 1)[0]
    multistate = any(letter not in "0123456789bo$." for letter in body)
    return transform(_flat(_read_rle(body), multistate), x, y, axx, axy, ayx, ayy)


def _read_rle(body: str) -> list[tuple[int, int, int]]:
    cells: list[tuple[int, int, int]] = []
    x = y = 0
    count = ""
    prefix = 0
    for letter in body:
        if letter.isdigit():
            count += letter
            continue
        if "p" <= letter <= "y":
            prefix = ord(letter) - ord("p") + 1
            continue
        times = int(count) if count else 1
        if letter == "$":
            y += times
            x = 0
        else:
            if letter in "b.":
                state = 0
            elif letter == "o":
                state = 1
            elif "A" <= letter <= "X":
                state = 24 * prefix + ord(letter) - ord("A") + 1
            else:
                raise ValueError(f"`{letter}` is no part of RLE")
            if state:
                cells.extend((x + i, y, state) for i in range(times))
            x += times
        count, prefix = "", 0
    return cells


def _flat(cells: list[tuple[int, int, int]], multistate: bool) -> CellList:
    if not multistate:
        return [number for x, y, _ in cells for number in (x, y)]
    flat = [number for cell in cells for number in cell]
    if flat and len(flat) % 2 == 0:
        flat.append(0)
    return flat


def transform(
    cell_list: Sequence[int],
    x: int,
    y: int,
    axx: int = 1,
    axy: int = 0,
    ayx: int = 0,
    ayy: int = 1,
) -> CellList:
    """The cells moved and turned: x + axx * cx + axy * cy, y + ayx * cx + ayy * cy."""
    return _core.cell_list_moved(list(cell_list), int(x), int(y), [axx, axy, ayx, ayy])


def evolve(cell_list: Sequence[int], numgens: int) -> CellList:
    """The cells after a number of generations of the current rule."""
    if not cell_list:
        return []
    place = World(rule=_layer().universe.rule_text)
    place._put_cell_list(list(cell_list), 0, 0, [1, 0, 0, 1], "or")
    place.run(int(numgens))
    return place._cell_list(numstates() > 2)


def putcells(
    cell_list: Sequence[int],
    x: int = 0,
    y: int = 0,
    axx: int = 1,
    axy: int = 0,
    ayx: int = 0,
    ayy: int = 1,
    mode: str = "or",
) -> None:
    """Puts cells into the world: mode or, xor, copy, and, not."""
    world()._put_cell_list(list(cell_list), int(x), int(y), [axx, axy, ayx, ayy], mode)


def getcells(rect: Sequence[Any]) -> CellList:
    """The live cells in a rectangle."""
    if len(rect) == 0:
        return []
    x, y, width, height = _rect(rect)
    return world()._cell_list(numstates() > 2, x, y, width, height)


def join(cell_list1: Sequence[int], cell_list2: Sequence[int]) -> CellList:
    """Both lists; of several states where one of them is."""
    if not cell_list1 or not cell_list2:
        return list(cell_list1) + list(cell_list2)
    multistate = _is_multistate(cell_list1) or _is_multistate(cell_list2)
    if not multistate:
        return list(cell_list1) + list(cell_list2)
    joined: CellList = []
    for cells in (cell_list1, cell_list2):
        size = 3 if _is_multistate(cells) else 2
        for i in range(0, len(cells) - size + 1, size):
            joined += [cells[i], cells[i + 1], cells[i + 2] if size == 3 else 1]
    if len(joined) % 2 == 0:
        joined.append(0)
    return joined


def hash(rect: Sequence[Any]) -> int:
    """A number of the cells in a rectangle, wherever it lies."""
    x, y, width, height = _rect(rect)
    cells = getcells([x, y, width, height])
    if not cells:
        return 0
    moved = transform(cells, -x, -y)
    import zlib

    return zlib.crc32(repr(moved).encode("ascii"))


def select(rect: Sequence[Any]) -> None:
    """Selects a rectangle; an empty list selects nothing."""
    _layer().selection = _rect(rect) if len(rect) else []


def getselrect() -> list[int]:
    """The selection: x, y, width and height, or nothing."""
    return list(_layer().selection)


def _selected() -> list[int]:
    if not _layer().selection:
        raise RuntimeError("there is no selection")
    return list(_layer().selection)


def getrect() -> list[int]:
    """The box of the live cells: x, y, width and height, or nothing."""
    bounds = world().bounds
    return [] if bounds is None else [int(side) for side in bounds]


def setcell(x: int, y: int, state: int) -> None:
    """Sets a cell."""
    world().set(int(x), int(y), int(state))


def getcell(x: int, y: int) -> int:
    """The state of a cell."""
    return world().get(int(x), int(y))


def setcursor(cursor: str) -> str:
    """Remembers a cursor's name, and tells the last one."""
    last, _session.cursor = _session.cursor, cursor
    return last


def getcursor() -> str:
    """The cursor's name."""
    return _session.cursor


# ---- control -----------------------------------------------------------------------------------


def run(numgens: int) -> None:
    """Runs a number of generations."""
    _layer().universe.run(int(numgens))
    _session.count(int(numgens))


def step() -> None:
    """Runs base to the power of the step's exponent generations."""
    layer = _layer()
    if layer.step >= 0:
        run(layer.base**layer.step)
    else:
        run(1)


def setstep(exp: int) -> None:
    """The exponent of the step."""
    _layer().step = int(exp)


def getstep() -> int:
    """The exponent of the step."""
    return _layer().step


def setbase(base: int) -> None:
    """The base of the step: 2 to 2000000000."""
    if not 2 <= int(base) <= 2_000_000_000:
        raise ValueError("a base is 2 to 2000000000")
    _layer().base = int(base)


def getbase() -> int:
    """The base of the step."""
    return _layer().base


def advance(where: int, numgens: int) -> None:
    """Runs the selection (inside, 0) or all else (outside, 1); the generation stays."""
    x, y, width, height = _selected()
    universe = _layer().universe
    multistate = numstates() > 2
    part = World(rule=universe.rule_text)
    inside = universe.world._cell_list(multistate, x, y, width, height)
    everything = universe.world._cell_list(multistate)
    if where == 0:
        part._put_cell_list(inside, 0, 0, [1, 0, 0, 1], "or")
        part.run(int(numgens))
        universe.world.clear(x, y, width, height)
        moved = part._cell_list(multistate, x, y, width, height)
    else:
        part._put_cell_list(everything, 0, 0, [1, 0, 0, 1], "or")
        part.clear(x, y, width, height)
        part.run(int(numgens))
        part.clear(x, y, width, height)
        moved = part._cell_list(multistate)
        clear(1)
    putcells(moved)


def reset() -> None:
    """Back to the starting pattern."""
    _layer().universe.reset()


def setgen(gen: str | int) -> None:
    """The number of the generation; with + or - in front, relative to the present one."""
    text = str(gen)
    number = int(text)
    if text.startswith(("+", "-")):
        number += world().generation
    universe = _layer().universe
    universe.world.generation = number
    universe.start = None


def _grouped(number: int, sepchar: str) -> str:
    return f"{number:,}".replace(",", sepchar)


def getgen(sepchar: str = "") -> str:
    """The generation as text, perhaps with separators."""
    return _grouped(world().generation, sepchar)


def getpop(sepchar: str = "") -> str:
    """The population as text, perhaps with separators."""
    return _grouped(world().population, sepchar)


def empty() -> bool:
    """Whether nothing lives."""
    return world().bounds is None


def numstates() -> int:
    """The states of the rule."""
    return _layer().universe.states


_ALGORITHMS = [
    "QuickLife",
    "HashLife",
    "Generations",
    "JvN",
    "RuleLoader",
    "Larger than Life",
    "Super",
]


def numalgos() -> int:
    """The algorithms that have names; the engine is chosen by itself whichever is set."""
    return len(_ALGORITHMS)


def setalgo(algorithm: str) -> None:
    """Remembers an algorithm's name."""
    if algorithm not in _ALGORITHMS:
        raise ValueError(f"no algorithm is called {algorithm}")
    _layer().algorithm = algorithm


def getalgo(index: int | None = None) -> str:
    """The name of the algorithm, or of one by its number."""
    return _layer().algorithm if index is None else _ALGORITHMS[index]


def setrule(rule: str) -> None:
    """Another rule; cells of states that it lacks get the last one that it has."""
    _layer().universe.set_rule(_session.rule(rule))


def getrule() -> str:
    """The rule, as Golly writes it."""
    return _layer().universe.shown_rule


def _plain_rule() -> str:
    return _layer().universe.plain_rule


def getwidth() -> int:
    """The width of a bounded grid; 0 where it has none."""
    return world().rule.size[0]


def getheight() -> int:
    """The height of a bounded grid; 0 where it has none."""
    return world().rule.size[1]


# ---- viewing -----------------------------------------------------------------------------------


def setpos(x: str | int, y: str | int) -> None:
    """Remembers the cell in the middle of the window."""
    _layer().position = (str(x), str(y))


def getpos(sepchar: str = "") -> tuple[str, str]:
    """The cell in the middle of the window, as two texts."""
    return _layer().position


def setmag(mag: int) -> None:
    """Remembers the scale: 1:2^-mag or 2^mag pixels a cell."""
    _layer().magnification = int(mag)


def getmag() -> int:
    """The scale."""
    return _layer().magnification


def fit() -> None:
    """Shows the whole pattern."""
    _show(getrect())


def fitsel() -> None:
    """Shows the whole selection."""
    _show(_selected())


def _show(rect: Sequence[int]) -> None:
    if rect:
        setpos(rect[0] + rect[2] // 2, rect[1] + rect[3] // 2)


def visrect(rect: Sequence[Any]) -> bool:
    """Whether a rectangle is in the window: without one, every rectangle is."""
    _rect(rect)
    return True


def getview(index: int = -1) -> list[int]:
    """Width and height of the window, as if there were one."""
    return [800, 600]


def setview(wd: int, ht: int) -> None:
    """A window's size: without one, nothing."""


def update() -> None:
    """Draws: without a window, nothing."""


def autoupdate(on: bool) -> None:
    """Draws after each change: without a window, nothing."""


# ---- layers ------------------------------------------------------------------------------------


def addlayer() -> int:
    """A new layer after the current one, with its rule; it becomes the current one."""
    _check_room()
    layer = _layer()
    added = Layer.like(layer)
    added.universe.load(World(rule=layer.universe.rule_text))
    return _insert(added)


def clone() -> int:
    """A layer with the same world, so that a change to one is a change to both."""
    _check_room()
    added = Layer.like(_layer())
    added.universe = _layer().universe
    return _insert(added)


def duplicate() -> int:
    """A layer with a copy of the world."""
    _check_room()
    added = Layer.like(_layer())
    added.universe.load(world().copy())
    return _insert(added)


def _check_room() -> None:
    if numlayers() >= MAX_LAYERS:
        raise RuntimeError(f"there are {MAX_LAYERS} layers, and no more are taken")


def _insert(layer: Layer) -> int:
    _session.current += 1
    _session.layers.insert(_session.current, layer)
    return _session.current


def dellayer() -> None:
    """Removes the current layer."""
    if numlayers() == 1:
        raise RuntimeError("the only layer cannot be removed")
    del _session.layers[_session.current]
    _session.current = max(_session.current - 1, 0)


def _check_layer(index: int) -> int:
    if not 0 <= index < numlayers():
        raise ValueError(f"there is no layer {index}")
    return index


def movelayer(fromindex: int, toindex: int) -> None:
    """Moves a layer, which becomes the current one."""
    _check_layer(toindex)
    _session.layers.insert(toindex, _session.layers.pop(_check_layer(fromindex)))
    _session.current = toindex


def setlayer(index: int) -> None:
    """Makes a layer the current one."""
    _session.current = _check_layer(index)


def getlayer() -> int:
    """The number of the current layer."""
    return _session.current


def numlayers() -> int:
    """How many layers there are."""
    return len(_session.layers)


def maxlayers() -> int:
    """How many there may be."""
    return MAX_LAYERS


def setname(name: str, index: int | None = None) -> None:
    """The name of a layer."""
    _session.layers[_session.current if index is None else _check_layer(index)].name = name


def getname(index: int | None = None) -> str:
    """The name of a layer."""
    return _session.layers[_session.current if index is None else _check_layer(index)].name


def setcolors(colors: Sequence[int]) -> None:
    """Remembers colours: state, red, green and blue of each; -1 for all live states."""
    layer = _layer()
    if len(colors) == 0:
        layer.colours.clear()
    elif len(colors) == 6:
        first, last = colors[:3], colors[3:]
        most = max(numstates() - 1, 1)
        for state in range(1, most + 1):
            part = (state - 1) / max(most - 1, 1)
            mixed = [round(a + (b - a) * part) for a, b in zip(first, last)]
            layer.colours[state] = (mixed[0], mixed[1], mixed[2])
    else:
        if len(colors) % 4:
            raise ValueError("colours are state, red, green and blue of each state")
        for i in range(0, len(colors), 4):
            state, red, green, blue = colors[i : i + 4]
            states = range(1, numstates()) if state == -1 else [state]
            for each in states:
                layer.colours[each] = (red, green, blue)


def getcolors(state: int = -1) -> list[int]:
    """Colours as `setcolors` takes them."""
    states = range(numstates()) if state == -1 else [state]
    colours: list[int] = []
    for each in states:
        colours += [each, *_layer().colours.get(each, (255, 255, 255) if each else (48, 48, 48))]
    return colours


# ---- the rest ----------------------------------------------------------------------------------


def setoption(optname: str, optvalue: int) -> int:
    """Remembers an option, and tells its last value."""
    last = getoption(optname)
    _session.options[optname] = int(optvalue)
    return last


def getoption(optname: str) -> int:
    """An option's value."""
    return _session.options.get(optname, 0)


def setcolor(colname: str, r: int, g: int, b: int) -> tuple[int, int, int]:
    """Remembers a colour, and tells the last one."""
    last = getcolor(colname)
    _session.colours[colname] = (r, g, b)
    return last


def getcolor(colname: str) -> tuple[int, int, int]:
    """A colour by its name."""
    return _session.colours.get(colname, (48, 48, 48))


def setclipstr(string: str) -> None:
    """A text into the clipboard."""
    _session.clipboard = string
    _session.clipboard_rect = []


def getclipstr() -> str:
    """The clipboard's text."""
    return _session.clipboard


def getstring(prompt: str, initial: str = "", title: str = "") -> str:
    """The next answer; without one, what is offered."""
    return _session.answer(initial)


def getxy() -> str:
    """Where the mouse is: nowhere."""
    return ""


def getevent(get: bool = True) -> str:
    """The next click or key; Escape after the last one."""
    if not get:
        return ""
    event = _session.event()
    if event is None:
        _escape()
    return event


def doevent(event: str) -> None:
    """What a window does with a click or key: nothing."""


def getkey() -> str:
    """The next key; Escape after the last one."""
    event = getevent()
    words = event.split()
    return words[1] if len(words) > 1 and words[0] == "key" else ""


def dokey(key: str) -> None:
    """What a window does with a key: nothing."""


def _escape() -> NoReturn:
    raise ScriptExit(0)


def show(message: object) -> None:
    """A line, on standard error."""
    if str(message).strip():
        _say(message)


def error(message: object) -> None:
    """The same, for what went wrong."""
    _say(message)


def warn(message: object) -> None:
    """A message that a person would have to close."""
    _say(message)


def note(message: object) -> None:
    """The same."""
    _say(message)


def help(filename: str) -> None:
    """A page of help: without a window, nothing."""


def check(on: bool) -> None:
    """Whether a window looks for clicks meanwhile: without one, nothing."""


def exit(message: object = "") -> NoReturn:
    """The end of the script, perhaps with a line."""
    if str(message):
        _say(message)
    raise ScriptExit(0)


def os() -> str:
    """The system: Windows, Mac or Linux."""
    return {"win32": "Windows", "darwin": "Mac"}.get(_sys.platform, "Linux")


def version() -> str:
    """The version of Golly whose calls these are."""
    return "4.3"
