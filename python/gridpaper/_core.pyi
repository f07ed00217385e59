import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias, final, overload
import numpy as np
from numpy.typing import ArrayLike, NDArray
from gridpaper._film import Film
from gridpaper._widget import WorldWidget
__all__: list[str]
__version__: str
class _Bar(Protocol):
    def update(self, n: int, /) -> object: ...
_Progress: TypeAlias = Callable[[int], object] | _Bar | bool | None
_PatternLike: TypeAlias = Pattern | str | bytes | os.PathLike[str] | ArrayLike
_Bounds: TypeAlias = tuple[int, int, int, int]
_Engine: TypeAlias = Literal["auto", "naive", "torus", "tiles", "hashlife"]
_Theme: TypeAlias = Literal["paper", "blueprint"]
_Place: TypeAlias = tuple[int, int]
_Action: TypeAlias = int | str
_SearchEngine: TypeAlias = Literal["auto", "sat", "cells"]
_Order: TypeAlias = Literal["auto", "row", "column", "diagonal"]
_Guess: TypeAlias = Literal["dead", "live", "random"]

@final
class World:
    """Cells, a rule and a generation, and the engine that moves them on.

    `World(pattern, rule, engine=, memory=, threads=)`: the pattern is a `Pattern`, a name, a path, a
    text such as RLE or an apgcode, a file's bytes or an array of states. x goes right, y down.

    >>> import gridpaper as gp
    >>> world = gp.World("gosper-glider-gun")
    >>> world.run(10**30)
    >>> world.population
    166666666666666666666666666713
    """
    def __new__(cls, pattern: _PatternLike | None=None, rule: Rule | str | None=None, *, engine: _Engine='auto', memory: int | None=None, threads: int=1) -> World: ...
    def run(self, /, generations: int, *, progress: _Progress=None) -> None:
        """Moves so many generations on. Ctrl-C stops it at a whole generation; `progress` is a function
        of the generations done, a bar such as tqdm's, or True.

        >>> import gridpaper as gp
        >>> world = gp.World("acorn")
        >>> world.run(5206)
        >>> world.population
        633
        """
    def run_back(self, /, generations: int) -> None:
        """Goes back, where another rule undoes this one; `ValueError` where none does.

        >>> import gridpaper as gp
        >>> world = gp.World("2o$2o!")
        >>> try:
        ...     world.run_back(1)
        ... except ValueError:
        ...     print("Life forgets")
        Life forgets
        """
    @property
    def generation(self) -> int:
        """Generations since the pattern as loaded, plus the generation that its file gives."""
    @generation.setter
    def generation(self, value: int, /) -> None: ...
    @property
    def population(self) -> int:
        """How many cells are not in state 0: an int of any size."""
    @property
    def bounds(self) -> _Bounds | None:
        """The box of the live cells as x, y, width and height; None where nothing lives."""
    @property
    def hash(self) -> str:
        """A hash of the live cells, wherever they lie: the same from every engine."""
    @property
    def rule(self) -> Rule:
        """The rule, with its topology."""
    @property
    def engine(self) -> str:
        """The engine that runs it now: naive, torus, tiles or hashlife."""
    @property
    def why(self) -> str:
        """Why this engine, in a clause."""
    @property
    def kernel(self) -> str:
        """The compiled form of the rule that the engine steps with."""
    def get(self, /, x: int, y: int) -> int:
        """The state of a cell; 0 outside a bounded grid. `world[x, y]` is the same."""
    def set(self, /, x: int, y: int, state: int=1) -> None:
        """Sets a cell. `world[x, y] = state` is the same."""
    def __getitem__(self, key: _Place, /) -> int: ...
    def __setitem__(self, key: _Place, value: int, /) -> None: ...
    def clear(self, /, x: int, y: int, width: int, height: int) -> None:
        """Empties the cells of a rectangle."""
    def cells(self, /, x: int | None=None, y: int | None=None, width: int | None=None, height: int | None=None) -> NDArray[np.uint8]:
        """The states in a window, or in the box of all live cells: uint8, rows by columns.

        >>> import gridpaper as gp
        >>> gp.World("glider").cells().tolist()
        [[0, 1, 0], [0, 0, 1], [1, 1, 1]]
        """
    def coords(self, /, x: int | None=None, y: int | None=None, width: int | None=None, height: int | None=None, *, states: bool=False) -> NDArray[np.int64]:
        """The live cells as rows of x and y, or of x, y and state: int64.

        >>> import gridpaper as gp
        >>> gp.World("glider").coords()[0].tolist()
        [1, 0]
        """
    def _cell_list(self, /, is_multistate: bool, x: int | None=None, y: int | None=None, width: int | None=None, height: int | None=None) -> list[int]: ...
    def _put_cell_list(self, /, list: Sequence[int], x: int, y: int, matrix: Sequence[int], mode: str) -> None: ...
    def put(self, /, x: int, y: int, pattern: _PatternLike, mode: Literal['or', 'copy', 'xor'] | None=None, *, clip: bool=False) -> None:
        """Puts a pattern or an array with its corner at a cell. Arrays replace what is there (mode copy),
        patterns are added to it (or); xor is the third mode. What does not fit in a bounded grid is
        refused, unless `clip` is true.

        >>> import gridpaper as gp
        >>> world = gp.World(rule="B3/S23:T16,16")
        >>> world.put(-8, -8, "glider")
        >>> world.population
        5
        """
    def pattern(self, /) -> Pattern:
        """The world as a pattern: its cells where they are, its rule and its generation."""
    def to(self, /, name: str) -> str:
        """The world as a file's text: rle, mc, cells, life, ..."""
    def rle(self, /) -> str:
        """The world as RLE."""
    def save(self, /, path: str | os.PathLike[str]) -> None:
        """Writes a file, in the format that its ending tells."""
    def identify(self, /, *, max_gens: int=100000, max_period: int=65536, parts: bool=False, progress: _Progress=None) -> Identification:
        """What the cells are: see `gridpaper.identify`."""
    def copy(self, /) -> World:
        """Another world with the same cells, rule, generation and settings.

        >>> import gridpaper as gp
        >>> world = gp.World("r-pentomino")
        >>> ahead = world.copy()
        >>> ahead.run(1103)
        >>> world.population, ahead.population
        (5, 116)
        """
    def __copy__(self, /) -> World: ...
    def __deepcopy__(self, /, _memo: Any) -> World: ...
    def svg(self, /, *, width: int | None=None, height: int | None=None, theme: _Theme='paper') -> str:
        """A picture as SVG; themes are paper and blueprint."""
    def png(self, /, *, width: int | None=None, height: int | None=None, theme: _Theme='paper') -> bytes:
        """A picture as the bytes of a PNG file."""
    def gif(self, /, frames: int=60, *, step: int=1, delay: float=0.1, width: int | None=None, height: int | None=None, theme: _Theme='paper') -> Film:
        """A film: so many frames, `step` generations apart, each shown for `delay` seconds. The world
        stays as it is.

        >>> import gridpaper as gp
        >>> film = gp.World("glider").gif(4)
        >>> film.data[:3]
        b'GIF'
        """
    def show(self, /, *, controls: bool=True, autostart: bool=False, step: int | str | None=None, speed: float | str | None=None, theme: _Theme | None=None, memory: int | None=None) -> WorldWidget:
        """The world, alive, in a notebook: it goes on in the page, as a widget with `run`, `stop`,
        `goto`, `load` and `command`, and `generation`, `population` and `running` as traits. Needs
        `pip install 'gridpaper[widget]'`.
        """
    def _repr_mimebundle_(self, /, include: Any=None, exclude: Any=None) -> dict[str, Any]: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...

@final
class Pattern:
    """Cells with a rule, which do not change, and an algebra of them.

    `p[n]` is the pattern n generations on; `p | q`, `p & q`, `p - q` and `p ^ q` are those of sets;
    `p(dx, dy)`, `p("rotcw")` and `p("rotcw", dx, dy)` move and turn it.

    >>> import gridpaper as gp
    >>> glider = gp.Pattern("glider")
    >>> glider[4] == glider(1, 1)
    True
    >>> len((glider | glider(20, 0)).components())
    2
    """
    def __new__(cls, pattern: _PatternLike | None=None, rule: Rule | str | None=None) -> Pattern: ...
    @staticmethod
    def from_coords(points: ArrayLike, rule: Rule | str | None=None) -> Pattern:
        """staticmethod(function) -> method

        Convert a function to be a static method.

        A static method does not receive an implicit first argument.
        To declare a static method, use this idiom:

             class C:
                 @staticmethod
                 def f(arg1, arg2, argN):
                     ...

        It can be called either on the class (e.g. C.f()) or on an instance
        (e.g. C().f()). Both the class and the instance are ignored, and
        neither is passed implicitly as the first argument to the method.

        Static methods in Python are similar to those found in Java or C++.
        For a more advanced concept, see the classmethod builtin.
        """
    @property
    def rule(self) -> Rule:
        """The rule, compiled; `RuleError` where the text is none."""
    @property
    def rule_text(self) -> str:
        """The rule as the file writes it."""
    @property
    def title(self) -> str:
        """Its name, or where it comes from."""
    @property
    def name(self) -> str | None:
        """The name that its file gives."""
    @property
    def author(self) -> str | None:
        """The author that its file gives."""
    @property
    def comments(self) -> list[str]:
        """The comments of its file, a line each."""
    @property
    def generation(self) -> int:
        """The generation that its file gives."""
    @property
    def population(self) -> int:
        """How many cells are not in state 0."""
    @property
    def bounds(self) -> _Bounds | None:
        """The box of the live cells as x, y, width and height; None where nothing lives."""
    @property
    def hash(self) -> str:
        """A hash of the live cells, wherever they lie."""
    @property
    def apgcode(self) -> str | None:
        """The apgcode of what repeats or grows steadily; else None."""
    @property
    def period(self) -> int | None:
        """Generations until it repeats; None where it does not."""
    @property
    def displacement(self) -> _Place | None:
        """Columns and rows that it moves in one period.

        >>> import gridpaper as gp
        >>> gp.Pattern("lwss").displacement
        (-2, 0)
        """
    def identify(self, /, *, max_gens: int=100000, max_period: int=65536, parts: bool=False, progress: _Progress=None) -> Identification:
        """What it is: see `gridpaper.identify`."""
    def with_rule(self, /, rule: Rule | str) -> Pattern:
        """The same cells by another rule."""
    def transform(self, /, name: str) -> Pattern:
        """Turned or mirrored about (0, 0): rotcw, rotccw, rot180, flipx, flipy, transpose, antitranspose."""
    def shift(self, /, dx: int, dy: int) -> Pattern:
        """Moved."""
    @overload
    def __call__(self, transformation: str, /) -> Pattern: ...
    @overload
    def __call__(self, dx: int, dy: int, /) -> Pattern: ...
    @overload
    def __call__(self, transformation: str, dx: int, dy: int, /) -> Pattern: ...
    def centre(self, /) -> Pattern:
        """Moved so that the middle of its box is at (0, 0)."""
    def __getitem__(self, key: int, /) -> Pattern: ...
    def __or__(self, value: _PatternLike, /) -> Pattern: ...
    def __ror__(self, value: Any, /) -> Any: ...
    def __add__(self, value: _PatternLike, /) -> Pattern: ...
    def __radd__(self, value: Any, /) -> Any: ...
    def __and__(self, value: _PatternLike, /) -> Pattern: ...
    def __rand__(self, value: Any, /) -> Any: ...
    def __sub__(self, value: _PatternLike, /) -> Pattern: ...
    def __rsub__(self, value: Any, /) -> Any: ...
    def __xor__(self, value: _PatternLike, /) -> Pattern: ...
    def __rxor__(self, value: Any, /) -> Any: ...
    def match(self, /, live: _PatternLike, dead: _PatternLike | None=None) -> list[_Place]:
        """Each place (dx, dy) at which all cells of `live`, moved there, have their states here, and none
        of `dead` lives.

        >>> import gridpaper as gp
        >>> block = gp.Pattern("2o$2o!")
        >>> (block | block(5, 3)).match(block)
        [(0, 0), (5, 3)]
        """
    def replace(self, /, live: _PatternLike, by: _PatternLike, dead: _PatternLike | None=None) -> Pattern:
        """The pattern with `by` in each place in which `match` finds `live`.

        >>> import gridpaper as gp
        >>> block = gp.Pattern("2o$2o!")
        >>> block(4, 4).replace(block, "o!").coords().tolist()
        [[4, 4]]
        """
    def components(self, /, reach: int=2) -> list[Pattern]:
        """Its parts: cells at most `reach` king's moves apart are in one."""
    def cells(self, /) -> NDArray[np.uint8]:
        """The states in its box: uint8, rows by columns."""
    def coords(self, /, *, states: bool=False) -> NDArray[np.int64]:
        """The live cells as rows of x and y, or of x, y and state: int64."""
    def to(self, /, name: str) -> str:
        """It as a file's text: rle, mc, cells, life, ..."""
    def rle(self, /) -> str:
        """It as RLE."""
    def save(self, /, path: str | os.PathLike[str]) -> None:
        """Writes a file, in the format that its ending tells."""
    def world(self, /, **settings: Any) -> World:
        """A world with this pattern; the settings are those of `World`."""
    def svg(self, /, *, width: int | None=None, height: int | None=None, theme: _Theme='paper') -> str:
        """A picture as SVG; themes are paper and blueprint."""
    def png(self, /, *, width: int | None=None, height: int | None=None, theme: _Theme='paper') -> bytes:
        """A picture as the bytes of a PNG file."""
    def _repr_mimebundle_(self, /, include: Any=None, exclude: Any=None) -> dict[str, Any]: ...
    def __bool__(self, /) -> bool: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...

@final
class Rule:
    """A rule: a notation, a name, or the path of a .rule file, with a grid after a colon.

    >>> import gridpaper as gp
    >>> gp.Rule("HighLife:T64,64").states
    2
    """
    def __new__(cls, text: str) -> Rule: ...
    @property
    def states(self) -> int:
        """How many states a cell can have."""
    @property
    def radius(self) -> int:
        """How far a cell looks."""
    @property
    def family(self) -> str:
        """The family of rules that it is of."""
    @property
    def lattice(self) -> str:
        """The shape of its cells: square, hexagonal or triangular."""
    @property
    def topology(self) -> str:
        """The grid, as it is written; empty on the plane."""
    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the grid; 0 where it has no end."""
    def inverse(self, /) -> Rule | None:
        """The rule that undoes it, or None.

        >>> import gridpaper as gp
        >>> gp.Rule("B3/S23").inverse() is None
        True
        """
    def on(self, /, topology: str) -> Rule:
        """The same rule on another grid, such as T64,64."""
    def explain(self, /) -> str:
        """What the rule does, in lines of text."""
    def next(self, /, block: ArrayLike, *, generation: int=0, x: int=0, y: int=0) -> int:
        """The next state of the cell in the middle of a block of states.

        >>> import gridpaper as gp
        >>> gp.Rule("B3/S23").next([[0, 1, 0], [0, 0, 1], [0, 1, 0]])
        1
        """
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...

@final
class Identification:
    """What a pattern is, with its figures; what has no meaning for its kind is None."""
    @property
    def kind(self) -> str:
        """still_life, oscillator, spaceship, gun, puffer, rake, methuselah, settling, dies, unknown, ..."""
    @property
    def rule(self) -> str:
        """The rule, with its topology."""
    @property
    def name(self) -> str | None:
        """The name, where one is known."""
    @property
    def apgcode(self) -> str | None:
        """The apgcode."""
    @property
    def generation(self) -> int | None:
        """The first generation from which it repeats."""
    @property
    def period(self) -> int | None:
        """Generations until it repeats."""
    @property
    def displacement(self) -> _Place | None:
        """Columns and rows that it moves in one period."""
    @property
    def speed(self) -> str | None:
        """The speed, such as c/4."""
    @property
    def direction(self) -> str | None:
        """Where it goes."""
    @property
    def symmetry(self) -> str | None:
        """Its symmetry, with that in time."""
    @property
    def population(self) -> dict[str, float] | None:
        """Least, greatest and mean number of cells in a period."""
    @property
    def heat(self) -> float | None:
        """Cells that change in a generation, on average."""
    @property
    def volatility(self) -> float | None:
        """The part of its cells that change."""
    @property
    def bounding_box(self) -> tuple[int, int] | None:
        """Width and height around all phases."""
    @property
    def period_counts(self) -> dict[int, int]:
        """How many cells have each local period."""
    @property
    def lifespan(self) -> int | None:
        """The generation at which it has settled."""
    @property
    def final_population(self) -> int | None:
        """The population then."""
    @property
    def census(self) -> dict[str, int]:
        """The objects that are left, by apgcode."""
    @property
    def emission(self) -> dict[str, int]:
        """What a gun or puffer makes in one period, by apgcode."""
    @property
    def parts(self) -> list[tuple[int, int, Identification]]:
        """Its objects, each with the corner of its box, where they were wanted."""

@final
class Entry:
    """A built-in pattern, and what is known of it."""
    @property
    def name(self) -> str:
        """Its name."""
    @property
    def kind(self) -> str:
        """methuselah, spaceship, gun, oscillator, still-life, puffer, growth, replicator or circuit."""
    @property
    def title(self) -> str:
        """Its title."""
    @property
    def author(self) -> str:
        """Who found it."""
    @property
    def description(self) -> str:
        """What it does, in a sentence."""
    @property
    def source(self) -> str | None:
        """Where the facts come from."""
    @property
    def rule(self) -> str:
        """Its rule."""
    def pattern(self, /) -> Pattern:
        """The pattern itself."""

@final
class Census:
    """What soups have left."""
    @property
    def rule(self) -> str:
        """The rule."""
    @property
    def symmetry(self) -> str:
        """The symmetry of the soups."""
    @property
    def seed(self) -> str:
        """The root of their seeds."""
    @property
    def soups(self) -> int:
        """How many soups were counted."""
    @property
    def objects(self) -> int:
        """How many objects they left."""
    @property
    def unsettled(self) -> int:
        """How many did not settle as others do."""
    @property
    def counts(self) -> dict[str, int]:
        """Counts by apgcode, the commonest first."""
    def samples(self, /, code: str) -> list[str]:
        """Soups in which an object comes, as names that `Pattern` opens."""
    @property
    def lifespans(self) -> dict[int, int]:
        """Soups by lifespan: the first generation of each bin, and how many end in it."""
    @property
    def mean_lifespan(self) -> float | None:
        """The mean lifespan."""
    @property
    def longest_lifespan(self) -> int:
        """The longest one."""
    def __reduce__(self, /) -> tuple[Any, ...]: ...

@final
class CensusPlan:
    """A census that is cut into units, each a pure function of the plan: the text of a TOML file.

    >>> from gridpaper.cluster import CensusPlan
    >>> plan = CensusPlan("soups = 1000\\nunit = 100")
    >>> plan.units, plan.soups, plan.rule
    (10, 1000, 'b3s23')
    """
    def __new__(cls, text: str) -> CensusPlan: ...
    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> CensusPlan:
        """Reads a TOML file."""
    @property
    def rule(self) -> str:
        """The rule, as a census names it."""
    @property
    def symmetry(self) -> str:
        """How the cells of a soup are made."""
    @property
    def seed(self) -> str:
        """The root of the soups."""
    @property
    def first(self) -> int:
        """The number of the first soup."""
    @property
    def soups(self) -> int:
        """How many soups there are."""
    @property
    def units(self) -> int:
        """How many units they are cut into."""
    @property
    def digest(self) -> str:
        """The SHA-256 of the plan: equal for plans whose parts can be added."""
    def unit(self, /, number: int) -> range:
        """The soups of a unit, by their numbers.

        >>> from gridpaper.cluster import CensusPlan
        >>> CensusPlan("soups = 1000\\nunit = 100").unit(2)
        range(200, 300)
        """
    def count(self, /, number: int, *, progress: _Progress=None) -> str:
        """Counts a unit and gives it as the line that stands for it in a part. `progress` is called
        with the number of soups that are done.

        >>> from gridpaper.cluster import CensusPlan
        >>> plan = CensusPlan("soups = 20\\nunit = 10")
        >>> plan.count(1).startswith('{"unit":1,')
        True
        """
    def missing(self, /, folder: str | os.PathLike[str], *, faulty: bool=True) -> list[range]:
        """The units that no part in a folder has. With `faulty=False` those that could not be counted
        are left out.
        """
    def faults(self, /, folder: str | os.PathLike[str]) -> dict[int, str]:
        """The units that could not be counted, by the parts in a folder, and why."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...

@final
class SearchPlan:
    """A search that is cut into units, cubes that fix some cells: the text of a TOML file.

    >>> from gridpaper.cluster import SearchPlan
    >>> plan = SearchPlan("search = 'osc'\\nperiod = 2\\nsize = '3x3'\\ncubes = 2")
    >>> plan.units, plan.rule
    (4, 'B3/S23')
    """
    def __new__(cls, text: str) -> SearchPlan: ...
    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> SearchPlan:
        """Reads a TOML file."""
    @property
    def rule(self) -> str:
        """The rule."""
    @property
    def units(self) -> int:
        """How many units there are to begin with."""
    @property
    def digest(self) -> str:
        """The SHA-256 of the plan: equal for plans whose parts can be added."""
    def unit(self, /, number: int) -> str:
        """What a unit is: "cube 17", and "cube 17.3" for a part of one that was cut further.

        >>> from gridpaper.cluster import SearchPlan
        >>> SearchPlan("search = 'still'\\nsize = '4x4'\\ncubes = 3").unit(5)
        'cube 5'
        """
    def search(self, /, number: int, *, progress: _Progress=None) -> str:
        """Searches a unit and gives the line that stands for it in a part. `progress` is called with how
        often it was asked whether to go on.

        >>> from gridpaper.cluster import SearchPlan
        >>> plan = SearchPlan("search = 'osc'\\nperiod = 2\\nsize = '3x3'\\ncubes = 2")
        >>> plan.search(1).startswith('{"unit":1,')
        True
        """
    def missing(self, /, folder: str | os.PathLike[str], *, faulty: bool=True) -> list[range]:
        """The units that are needed and that no part in a folder has: cubes, and the parts of those that
        took too many guesses. With `faulty=False` those that could not be searched are left out.
        """
    def faults(self, /, folder: str | os.PathLike[str]) -> dict[int, str]:
        """The units that could not be searched, by the parts in a folder, and why."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...

@final
class PartFile:
    """A part: a file to which one process appends the units that it has, each on the disk before the
    next. A last line that was not written to its end is removed.

    >>> import os, tempfile
    >>> from gridpaper.cluster import CensusPlan, PartFile
    >>> plan = CensusPlan("soups = 20\\nunit = 10")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with PartFile(os.path.join(folder, "mine.gpart"), plan) as part:
    ...         part.append(plan.count(1))
    ...     plan.missing(folder)
    [range(0, 1)]
    """
    def __new__(cls, path: str | os.PathLike[str], plan: CensusPlan | SearchPlan) -> PartFile: ...
    @property
    def path(self) -> Path:
        """The file."""
    def append(self, /, line: str) -> None:
        """Appends a unit: a line that `CensusPlan.count` or `SearchPlan.search` gave, anywhere."""
    def append_fault(self, /, number: int, problem: str) -> None:
        """Appends why a unit could not be done, so that nobody tries it for ever."""
    def close(self, /) -> None:
        """Closes the file."""
    def __enter__(self, /) -> PartFile: ...
    def __exit__(self, /, *_args: object) -> None: ...

@final
class Question:
    """What is looked for. The functions of `gridpaper.search` make questions.

    >>> from gridpaper import search
    >>> question = search.osc(3, (7, 7))
    >>> question.find().period
    3
    >>> search.osc(3, (4, 4)).find() is None
    True
    """
    @property
    def rule(self) -> Rule:
        """The rule, on the torus of an agar."""
    def find(self, /, *, engine: _SearchEngine='auto', order: _Order='auto', guess: _Guess='live', seed: int=0, threads: int | None=None, time: float | None=None, memory: int=4294967296, progress: _Progress=None) -> Pattern | None:
        """One pattern; `None` where it is certain that there is none. Only of an orphan that is no
        proof.

        `engine` is sat, cells, or auto: both at once; one of them with `threads=1`, which makes what
        is found repeatable. `order`, `guess` and `seed` say how cells goes. After `time` seconds
        `Unfinished` is raised, and `Exhausted` beyond `memory` bytes. `progress` is called with the
        number of guesses.

        >>> from gridpaper import search
        >>> glider = search.ship("c/4 diagonal", (4, 4)).find()
        >>> glider.apgcode
        'xq4_153'
        """
    def all(self, /, limit: int | None=None, *, engine: _SearchEngine='auto', order: _Order='auto', guess: _Guess='live', seed: int=0, threads: int | None=None, time: float | None=None, memory: int=4294967296, progress: _Progress=None) -> list[Pattern]:
        """All patterns, each once: images and later generations of one are not told again. With
        `limit`, at most so many. The options are those of `find`; what was found before time ran
        out is in `Unfinished.found`.

        >>> from gridpaper import search
        >>> sorted(life.apgcode for life in search.still((3, 3)).all())
        ['xs4_252', 'xs4_33', 'xs5_253', 'xs6_356']
        """
    def count(self, /, *, time: float | None=None, progress: _Progress=None) -> int:
        """How many arrangements there are, without finding them: all still lifes as they lie in a box,
        the empty one among them; all parents of a pattern, one generation back.

        >>> from gridpaper import search
        >>> search.still((4, 4)).count()
        83
        >>> search.predecessor("block", margin=0).count()
        1005
        """
    def densest(self, /, *, time: float | None=None, progress: _Progress=None) -> int:
        """The most live cells that a still life in the box has.

        >>> from gridpaper import search
        >>> search.still((5, 5)).densest()
        16
        """
    def proof(self, /, path: str | os.PathLike[str], *, seed: int=0, time: float | None=None, progress: _Progress=None) -> Pattern | None:
        """Writes a proof that there is no such pattern: `path` in DRAT, and the formula that it is of
        beside it, with the ending .cnf. `None` where the proof is written; where there is a pattern,
        no proof is written, and it is returned. `gridpaper.search.verify` checks a proof.

        >>> import os, tempfile
        >>> from gridpaper import search
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "none.drat")
        ...     print(search.osc(3, (4, 4)).proof(path))
        ...     search.verify(os.path.join(folder, "none.cnf"), path) > 0
        None
        True
        """

@final
class Board:
    """A board of the laser puzzle.

    >>> from gridpaper import laser
    >>> board = laser.Board(\"\"\"5 4
    ... W W SvW W
    ... W . . . W
    ... L>. M/. W
    ... W W W W W
    ... \"\"\")
    >>> board.is_solved
    True
    """
    def __new__(cls, text: str) -> Board: ...
    @property
    def width(self) -> int:
        """Columns."""
    @property
    def height(self) -> int:
        """Rows."""
    @property
    def sensors(self) -> int:
        """How many sensors there are."""
    @property
    def lit(self) -> int:
        """How many of them are lit."""
    @property
    def is_solved(self) -> bool:
        """Whether all are lit."""
    def tile(self, /, column: int, row: int) -> str:
        """What is in a cell, as a level's file writes it."""
    def tiles(self, /) -> NDArray[np.uint8]:
        """Kinds of tiles as numbers: uint8, rows by columns."""
    def light(self, /) -> NDArray[np.uint8]:
        """The ways in which light enters each cell: bits 1, 2, 4 and 8 for north, east, south and west."""
    def moved(self, /, start: _Place, end: _Place) -> Board:
        """The board after a piece has been moved from a cell to a cell, each a column and a row."""
    def solve(self, /, aim: str='any', *, up_to: int=1000, nodes: int | None=None) -> SolverAnswer:
        """Solves it: any solution, all of them, or the fewest moves. What it says is proven."""
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self, /) -> int: ...
    def __reduce__(self, /) -> tuple[Any, ...]: ...

@final
class SolverAnswer:
    """What the solver found."""
    @property
    def solvable(self) -> bool | None:
        """Whether it is solvable; None where that is not known."""
    @property
    def is_complete(self) -> bool:
        """Whether there are no other solutions."""
    @property
    def is_fewest(self) -> bool:
        """Whether no fewer moves do."""
    @property
    def at_least(self) -> int:
        """No solution takes fewer moves."""
    @property
    def nodes(self) -> int:
        """Choices that were tried."""
    @property
    def moves(self) -> list[tuple[_Place, _Place]] | None:
        """Moves to a solution: from a column and row, to a column and row."""
    @property
    def solutions(self) -> list[Board]:
        """The solved boards."""

@final
class Position:
    """A position of a game: tictactoe, mnk:7,6,4, stones, duel:8x8, ...

    An action is the number of a cell, row by row from the top left, or the bits of a column, bit r
    for row r from the top. Seats are 0 and 1.

    >>> import gridpaper as gp
    >>> position = gp.Position("tictactoe")
    >>> for move in ["B2", "A1", "A2", "B1", "C2"]:
    ...     position.apply(move)
    >>> position.winner, position.rewards
    (0, (1.0, -1.0))
    """
    def __new__(cls, game: str='tictactoe', text: str | None=None) -> Position: ...
    @property
    def game(self) -> str:
        """The game with its options."""
    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats to move: one, both at once, or none where the game is over."""
    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
    @property
    def winner(self) -> int | None:
        """The seat that has won; None for a draw and while it goes on."""
    @property
    def rewards(self) -> tuple[float, float]:
        """1 for a win, -1 for a loss, 0 for a draw and while it goes on; of both seats."""
    @property
    def reason(self) -> str | None:
        """What decided the game, in words."""
    @property
    def lead(self) -> int:
        """The lead of seat 0 in what the game counts."""
    @property
    def hash(self) -> int:
        """A hash of the position, the same on every machine."""
    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""
    @property
    def actions(self) -> int:
        """How many actions there are, legal or not."""
    @property
    def fact_names(self) -> list[str]:
        """The names of `facts`."""
    def facts(self, /, seat: int | None=None) -> list[float]:
        """What there is besides the board, as the seat sees it."""
    def legal(self, /, seat: int | None=None) -> list[int]:
        """The legal actions of a seat; none where it is not to move."""
    def mask(self, /, seat: int | None=None) -> NDArray[np.int8]:
        """A 1 for each legal action: int8."""
    def board(self, /, seat: int | None=None) -> NDArray[np.uint8]:
        """What the seat sees: its own pieces, the other's, and goals; uint8, 3 by rows by columns."""
    def apply(self, /, *actions: _Action) -> None:
        """Plays an action, or both where both seats move at once; numbers, or moves as text."""
    def write_move(self, /, action: int, seat: int | None=None) -> str:
        """An action as the seat would type it."""
    def read_move(self, /, text: str, seat: int | None=None) -> int:
        """The action of a text."""
    def think(self, /, player: str='strong', *, seat: int | None=None, seed: int=0) -> Thought:
        """The move of a player of the program, such as random, material, strong:nodes=1000.

        >>> import gridpaper as gp
        >>> gp.Position("tictactoe").think("perfect").value
        0.0
        """
    def copy(self, /) -> Position:
        """Another position, which is equal to this one."""
    def __copy__(self, /) -> Position: ...
    def __deepcopy__(self, /, _memo: Any) -> Position: ...
    def text(self, /) -> str:
        """The position as text, which `Position(game, text)` reads."""
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]
    def __reduce__(self, /) -> tuple[Any, ...]: ...

@final
class Player:
    """A player of one game, which keeps what it has learned between its moves."""
    def __new__(cls, game: str, player: str='strong', *, seed: int=0) -> Player: ...
    @property
    def name(self) -> str:
        """Its name, with its settings."""
    def think(self, /, position: Position, *, seat: int | None=None) -> Thought:
        """Its move in a position."""

@final
class Thought:
    """A move with its reasons."""
    @property
    def action(self) -> int: ...
    @property
    def move(self) -> str: ...
    @property
    def line(self) -> list[str]: ...
    @property
    def value(self) -> float | None: ...
    @property
    def value_kind(self) -> str | None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def reason(self) -> str | None: ...

@final
class VectorPosition:
    """Many games of one kind, all stepped in one call.

    >>> import gridpaper as gp
    >>> games = gp.VectorPosition("tictactoe", 100, seed=7)
    >>> rewards, ends = games.step(games.random_actions())
    >>> rewards.shape, bool(ends.any())
    ((100, 2), False)
    """
    def __new__(cls, game: str, count: int, *, seed: int=0) -> VectorPosition: ...
    @property
    def game(self) -> str:
        """The game with its options."""
    @property
    def actions(self) -> int:
        """How many actions there are."""
    @property
    def board_shape(self) -> tuple[int, int]:
        """Rows and columns of the board."""
    def __len__(self, /) -> int: ...
    def turns(self, /) -> NDArray[np.int8]:
        """Whose move it is in each game: 0, 1, 2 for both, -1 where it is over; int8."""
    def masks(self, /) -> NDArray[np.int8]:
        """Legal actions: int8, games by actions, or games by seats by actions where both move at once."""
    def boards(self, /) -> NDArray[np.uint8]:
        """What the seat to move sees: uint8, games by 3 by rows by columns (games by seats by ... for both)."""
    def facts(self, /) -> NDArray[np.float32]:
        """What there is besides: float32."""
    def random_actions(self, /) -> NDArray[np.int64]:
        """A legal action for each game: int64."""
    def step(self, /, actions: ArrayLike, *, restart: bool=True) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Plays an action in each game: rewards of both seats (float32) and which games ended (bool). Those begin anew, unless `restart` is false."""
    def reset(self, /) -> None:
        """Begins all games anew."""

@final
class MatchResult:
    """How a match ended, for its first player."""
    @property
    def game(self) -> str: ...
    @property
    def players(self) -> tuple[str, str]: ...
    @property
    def games(self) -> int: ...
    @property
    def wins(self) -> int: ...
    @property
    def draws(self) -> int: ...
    @property
    def losses(self) -> int: ...
    @property
    def seat_wins(self) -> tuple[int, int]: ...
    @property
    def pairs(self) -> list[int]: ...
    @property
    def share(self) -> float | None: ...
    @property
    def elo(self) -> float | None: ...
    @property
    def elo_error(self) -> float | None: ...
    @property
    def mean_plies(self) -> float: ...
    @property
    def replays(self) -> list[str]: ...
def soup(seed: int | str, size: int | tuple[int, int] | None=None, *, density: float | None=None, symmetry: str | None=None, states: int=2, rule: Rule | str | None=None) -> Pattern:
    """A random pattern: of a number as seed, a soup of any size; of a text, the 16 x 16 soup that
    Catagolue knows by that seed.

    >>> import gridpaper as gp
    >>> gp.soup(7, (64, 32), density=0.25) == gp.soup(7, (64, 32), density=0.25)
    True
    >>> gp.soup("census_seed_a0").population
    126
    """
def census(soups: int, rule: Rule | str | None=None, *, seed: str='gridpaper', symmetry: str='C1', first: int=0, threads: int | None=None, settle: str='exact', store: str | os.PathLike[str] | None=None, progress: _Progress=None) -> Census:
    """Counts what random soups of 16 x 16 cells leave, by Catagolue's names for objects. The result
    depends on neither threads nor order; with `store`, a file, it goes on where it was stopped.

    >>> import gridpaper as gp
    >>> census = gp.census(200, seed="census_seed_a", threads=1)
    >>> gp.object_name(next(iter(census.counts)))
    'block'
    """
def object_name(apgcode: str) -> str | None:
    """The name that an object is known by."""
def play_match(game: str, first: str, second: str, games: int=100, *, seed: int=0, threads: int=1, record: bool=False, progress: _Progress=None) -> MatchResult:
    """Plays a match between two players that the program has: each opening twice, the seats
    exchanged. The result depends on the seed and not on threads, unless a player thinks by the
    clock.

    >>> import gridpaper as gp
    >>> gp.play_match("tictactoe", "perfect", "random", 20).losses
    0
    """
def players_of(game: str) -> list[str]:
    """The players that can play a game."""
def games_known() -> list[tuple[str, str]]:
    """The names of all games, and how their options are written."""
def library_entries() -> list[Entry]:
    """All built-in patterns, the best known first."""
def library_search(word: str) -> list[Entry]:
    """Those in whose texts a word stands."""
def library_find(name: str) -> Entry:
    """The one of this name."""
def laser_levels() -> list[str]:
    """The names of the built-in levels."""
def laser_level(name: str) -> Board:
    """A built-in level."""
def laser_generate(width: int=8, height: int=8, *, pieces: str='4', walls: int=20, seed: int=0, difficulty: str | None=None) -> tuple[Board, str, int]:
    """A new level: the board, its grade, and the moves that it takes at most."""
def cell_list_moved(list: Sequence[int], x: int, y: int, matrix: Sequence[int]) -> list[int]:
    """A list, turned by a matrix and moved."""
def merge_parts(parts: Sequence[str | os.PathLike[str]]) -> tuple[Census | list[str] | None, str, dict[int, str], str]:
    """Adds parts; the census or the patterns as RLE, the units that are missing, why some of them could
    not be done, and the result as `gridpaper merge` writes it.
    """
def search_still(size: tuple[int, int] | None=None, *, rule: Rule | str | None=None, symmetry: str='C1', min_cells: int | None=None, max_cells: int | None=None, diagonal_width: int | None=None) -> Question:
    """Still lifes in a box; without one, all of at most `max_cells` cells."""
def search_osc(period: int, size: tuple[int, int], *, rule: Rule | str | None=None, symmetry: str='C1', transform: str='identity', subperiod: bool=False, min_cells: int | None=None, max_cells: int | None=None, diagonal_width: int | None=None) -> Question:
    """Oscillators of an exact period in a box."""
def search_ship(velocity: str, size: tuple[int, int] | None=None, *, width: int | None=None, rule: Rule | str | None=None, symmetry: str | None=None, transform: str='identity', min_cells: int | None=None, max_cells: int | None=None, diagonal_width: int | None=None) -> Question:
    """Spaceships of a velocity in a box, or of so many columns and any height."""
def search_predecessor(pattern: _PatternLike, generations: int | None=None, *, margin: int=2, rule: Rule | str | None=None, max_cells: int | None=None) -> Question:
    """Patterns that become this one."""
def search_orphan(size: tuple[int, int], *, rule: Rule | str | None=None, symmetry: str='C1', beam: int=64) -> Question:
    """Targets that nothing becomes."""
def search_agar(size: tuple[int, int], period: int=1, *, shift: int=0, rule: Rule | str | None=None, subperiod: bool=False, min_cells: int | None=None, max_cells: int | None=None) -> Question:
    """Patterns that repeat on a torus."""
def search_fill(drawing: str, *, period: int | None=None, velocity: str | None=None, rule: Rule | str | None=None, symmetry: str='C1', min_cells: int | None=None, max_cells: int | None=None, diagonal_width: int | None=None) -> Question:
    """Patterns of which some cells are known."""
def search_verify(formula: str | os.PathLike[str], proof: str | os.PathLike[str]) -> int:
    """Checks a proof with a checker that shares no code with the solver; gives its number of steps."""
def _restore_census_plan(version: int, line: str | None = None) -> CensusPlan: ...
def _restore_search_plan(version: int, line: str | None = None) -> SearchPlan: ...
def _restore_pattern(
    version: int, file: bytes | None = None, rule: str | None = None, title: str | None = None
) -> Pattern: ...
def _restore_world(
    version: int,
    file: bytes | None = None,
    rule: str | None = None,
    generation: int | None = None,
    engine: str = "auto",
    memory: int | None = None,
    threads: int = 1,
) -> World: ...
def _restore_position(version: int, game: str = "", text: str | None = None) -> Position: ...
def _restore_census(version: int, identity: Sequence[str] | None = None, totals: Sequence[int] | None = None, tally: dict[str, int] | None = None, bins: dict[int, int] | None = None, samples: list[tuple[str, list[tuple[str, int]]]] | None = None) -> Census: ...
