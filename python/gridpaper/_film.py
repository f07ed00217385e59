"""A film of a world: the bytes of a GIF."""

from __future__ import annotations

import os


class Film:
    """A moving GIF, which a notebook shows.

    >>> import gridpaper as gp
    >>> film = gp.World("glider").gif(8)
    >>> film.data[:6]
    b'GIF89a'
    """

    def __init__(self, data: bytes) -> None:
        self.data = data

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file."""
        with open(path, "wb") as file:
            file.write(self.data)

    def _repr_html_(self) -> str:
        # imported late: it is a third of the time that importing the package takes
        import base64

        text = base64.b64encode(self.data).decode("ascii")
        return f'<img alt="a film of a world" src="data:image/gif;base64,{text}">'

    def __repr__(self) -> str:
        return f"Film({len(self.data)} bytes of GIF)"
