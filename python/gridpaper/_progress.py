"""What `progress=` may be: a function, a bar such as tqdm's, or True."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def function(progress: Any, total: int | None = None) -> Callable[[int], None] | None:
    """A function that is called with how much is done since the call began."""
    if progress is None or progress is False:
        return None
    if progress is True:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise ImportError("progress=True needs tqdm; a function does without it") from None
        progress = tqdm(total=total)
    if hasattr(progress, "update"):
        return _bar(progress)
    if callable(progress):
        return progress  # type: ignore[no-any-return]
    raise TypeError(
        f"expected a function, a bar with update, or True as progress, and not {progress!r}"
    )


def _bar(bar: Any) -> Callable[[int], None]:
    shown = 0

    def show(done: int) -> None:
        nonlocal shown
        bar.update(done - shown)
        shown = done

    return show
