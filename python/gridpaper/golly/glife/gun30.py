"""Gosper's gun, aligned: its first glider starts at the origin in generation 0 and goes
south-east."""

from __future__ import annotations

from gridpaper._core import Pattern
from gridpaper.golly.glife import pattern

__all__ = ["gun30"]


def _aligned() -> pattern:
    """The built-in gun, run on until its first glider is free of it and as `glider` is."""
    gun = Pattern("gosper-glider-gun")
    glider = Pattern("bo$2bo$3o!")
    around = Pattern("7o$7o$7o$7o$7o$7o$7o!").shift(-2, -2) - glider
    for _ in range(60):
        places = gun.match(glider, dead=around)
        if len(places) == 1:
            x, y = places[0]
            return pattern(gun.shift(-x, -y).coords().ravel().tolist())
        gun = gun[1]
    raise AssertionError("the gun sends no glider")


gun30 = _aligned()
