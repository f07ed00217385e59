"""Runs a script of Golly's without a window: `python -m gridpaper.golly script.py -o out.mc`."""

from __future__ import annotations

import argparse
import runpy
import sys

import gridpaper.golly as golly
import gridpaper.golly.glife as glife
from gridpaper._core import Pattern, World


def _rect(text: str) -> list[int]:
    sides = [int(side) for side in text.split(",")]
    if len(sides) != 4:
        raise argparse.ArgumentTypeError("expected x,y,width,height")
    return sides


def main(arguments: list[str] | None = None) -> int:
    """The command; its arguments are those of the process unless they are given."""
    parser = argparse.ArgumentParser(
        prog="python -m gridpaper.golly",
        description="Run a Python script that was written for Golly, without a window.",
    )
    parser.add_argument("script", help="the script")
    parser.add_argument("-o", "--out", help="write the current layer's pattern: .mc, .rle, ...")
    parser.add_argument(
        "--open", metavar="PATTERN", help="a pattern to begin with: a file, a name, RLE"
    )
    parser.add_argument("--rule", help="a rule to begin with")
    parser.add_argument("--select", type=_rect, metavar="X,Y,W,H", help="what is selected")
    parser.add_argument(
        "--answer",
        action="append",
        default=[],
        metavar="TEXT",
        help="what a person types when asked; may be given again",
    )
    parser.add_argument(
        "--event",
        action="append",
        default=[],
        metavar="EVENT",
        help='a click or key, such as "click 3 4 left none"; may be given again',
    )
    parser.add_argument(
        "--clip", default="", metavar="FILE", help="a file whose text is in the clipboard"
    )
    parser.add_argument(
        "--folder",
        help="where files of rules and data are written; without it, they are gone afterwards",
    )
    parser.add_argument(
        "--generations", type=int, metavar="N", help="press Escape once the script has run so many"
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="keep what the script says to itself"
    )
    options = parser.parse_args(arguments)
    clipboard = ""
    if options.clip:
        with open(options.clip, encoding="utf-8") as file:
            clipboard = file.read()
    golly.start(
        answers=options.answer,
        events=options.event,
        clipboard=clipboard,
        folder=options.folder,
        generations=options.generations,
        quiet=options.quiet,
    )
    if options.rule:
        golly.setrule(options.rule)
    if options.open:
        golly._layer().universe.load(World(Pattern(options.open), options.rule))
        golly.setname(options.open)
    if options.select:
        golly.select(options.select)
    # what a script imports
    sys.modules["golly"] = golly
    sys.modules["glife"] = glife
    status = 0
    try:
        runpy.run_path(options.script, run_name="__main__")
    except golly.ScriptExit:
        pass
    except SyntaxError as error:
        print(
            f"{options.script}:{error.lineno}: {error.msg} (a script of Python 2?)", file=sys.stderr
        )
        status = 1
    if options.out and status == 0:
        golly.world().save(options.out)
    return status


if __name__ == "__main__":
    sys.exit(main())
