"""The built-in patterns.

>>> import gridpaper as gp
>>> gp.library.get("acorn").kind
'methuselah'
>>> "gosper-glider-gun" in gp.library.names()
True
>>> gp.library.search("weekender")[0].rule
'B3/S23'
"""

from __future__ import annotations

from gridpaper._core import Entry, library_entries, library_find, library_search

__all__ = ["Entry", "entries", "get", "names", "search"]


def entries() -> list[Entry]:
    """All of them, the best known first."""
    return library_entries()


def names() -> list[str]:
    """Their names: what `World` and `Pattern` take."""
    return [entry.name for entry in library_entries()]


def search(word: str) -> list[Entry]:
    """Those in whose name, title or description a word stands."""
    return library_search(word)


def get(name: str) -> Entry:
    """The one of this name; `KeyError` where there is none."""
    return library_find(name)
