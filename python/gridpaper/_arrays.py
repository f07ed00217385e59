"""Arrays in and out. numpy is imported when an array is made, and not before."""

from __future__ import annotations

from typing import Any


def states(array: Any) -> tuple[int, int, bytes]:
    """Height, width and bytes of a two-dimensional array of states."""
    import numpy as np

    given = np.asarray(array)
    if given.ndim != 2:
        raise ValueError(
            f"expected an array of two dimensions, rows and columns, and not {given.ndim}"
        )
    height, width = given.shape
    if given.dtype.kind not in "bui":
        raise TypeError(f"expected whole numbers or booleans as states, and not {given.dtype}")
    if given.dtype.kind != "b" and given.dtype != np.uint8 and given.size:
        least, most = int(given.min()), int(given.max())
        if least < 0 or most > 255:
            raise ValueError(f"states are 0 to 255, and not {least if least < 0 else most}")
    return height, width, given.astype(np.uint8, copy=False).tobytes()


def points(array: Any) -> list[tuple[int, ...]]:
    """Rows of two or three whole numbers: x, y and perhaps a state."""
    import numpy as np

    given = np.asarray(array)
    if given.size == 0:
        return []
    if given.ndim != 2 or given.shape[1] not in (2, 3):
        raise ValueError(f"expected rows of x and y, or x, y and state, and not {given.shape}")
    if given.dtype.kind not in "ui":
        raise TypeError(f"expected whole numbers as coordinates, and not {given.dtype}")
    return [tuple(row) for row in given.tolist()]


def from_bytes(data: bytearray, shape: tuple[int, ...], dtype: str) -> Any:
    """A writable array over these bytes, which are not copied."""
    import numpy as np

    return np.frombuffer(data, dtype=dtype).reshape(shape)


def is_array(value: Any) -> bool:
    """Whether numpy would take it for an array, without importing numpy for that."""
    return hasattr(value, "__array__") or hasattr(value, "__array_interface__")


def actions(array: Any, shape: list[int]) -> bytes:
    """The bytes of an array of actions, which has this shape."""
    import numpy as np

    given = np.asarray(array)
    if list(given.shape) != shape:
        wanted = " x ".join(str(side) for side in shape)
        raise ValueError(f"expected {wanted} actions, and not an array of shape {given.shape}")
    if given.dtype.kind not in "ui":
        raise TypeError(f"expected whole numbers as actions, and not {given.dtype}")
    return given.astype(np.int64, copy=False).tobytes()
