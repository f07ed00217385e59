"""Small patterns of Life by their names, with all of `glife`."""

from __future__ import annotations

from gridpaper.golly.glife import *  # noqa: F403
from gridpaper.golly.glife import pattern

# still lifes
block = pattern("2o$2o!")
beehive = pattern("b2o$o2bo$b2o!")
loaf = pattern("b2o$o2bo$bobo$2bo!")
boat = pattern("2o$obo$bo!")
ship = pattern("2o$obo$b2o!")
tub = pattern("bo$obo$bo!")
pond = pattern("b2o$o2bo$o2bo$b2o!")
eater = pattern("2o$bo$bobo$2b2o!")

# oscillators
blinker = pattern("3o!")
toad = pattern("b3o$3o!")
beacon = pattern("2o$2o$2b2o$2b2o!")
pentadecathlon = pattern("2bo4bo$2ob4ob2o$2bo4bo!")
queen_bee = pattern("o$3o$3bo$2bobo$2bobo$3bo$3o$o!")

# spaceships that go south-east or east
glider = pattern("bo$2bo$3o!")
lwss = pattern("b4o$o3bo$4bo$o2bo!")
mwss = pattern("b5o$o4bo$5bo$o3bo$2bo!")
hwss = pattern("b6o$o5bo$6bo$o4bo$2b2o!")

# patterns that change for long
r_pentomino = pattern("b2o$2o$bo!")
pi = pattern("3o$obo$obo!")
b_heptomino = pattern("ob2o$3o$bo!")
