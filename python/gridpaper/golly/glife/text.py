"""Text as cells: letters of five by seven, drawn for this module."""

from __future__ import annotations

from gridpaper.golly.glife import pattern

# Rows from the top, a byte each: the five low bits are the columns, the left one the highest.
_FONT = {
    "A": "0e11111f111111", "B": "1e11111e11111e", "C": "0e11101010110e", "D": "1e11111111111e",
    "E": "1f10101e10101f", "F": "1f10101e101010", "G": "0e11101713110f", "H": "1111111f111111",
    "I": "0e04040404040e", "J": "0702020202120c", "K": "11121418141211", "L": "1010101010101f",
    "M": "111b1515111111", "N": "11191915131311", "O": "0e11111111110e", "P": "1e11111e101010",
    "Q": "0e11111115120d", "R": "1e11111e141211", "S": "0f10100e01011e", "T": "1f040404040404",
    "U": "1111111111110e", "V": "11111111110a04", "W": "11111115151b11", "X": "11110a040a1111",
    "Y": "11110a04040404", "Z": "1f01020408101f", "0": "0e11131519110e", "1": "040c040404040e",
    "2": "0e11010204081f", "3": "1f02040201110e", "4": "02060a121f0202", "5": "1f101e0101110e",
    "6": "0608101e11110e", "7": "1f010204080808", "8": "0e11110e11110e", "9": "0e11110f01020c",
    "(": "02040808080402", ")": "08040202020408", "+": "0004041f040400", "-": "0000001f000000",
    "=": "00001f001f0000", "^": "040a1100000000", "/": "00010204081000", ".": "00000000000c0c",
    ",": "0000000c040408", ":": "000c0c000c0c00", "%": "18190204081303", "*": "0004150e150400",
    "!": "04040404000004", "?": "0e110102040004", "'": "0c040800000000", "_": "0000000000001f",
    "<": "02040810080402", ">": "08040201020408", "[": "0e08080808080e", "]": "0e02020202020e",
}  # fmt: skip

WIDTH, HEIGHT = 5, 7


def make_text(text: str, font: str = "mono") -> pattern:
    """A line of text, the corner of its first letter at (0, 0). The font has one width; a letter
    that it lacks is left blank, and small letters are capitals.

    >>> from gridpaper.golly.glife import getminbox
    >>> getminbox(make_text("LIFE")).ht
    7
    """
    cells: list[int] = []
    for place, letter in enumerate(text.upper()):
        for row, bits in enumerate(bytes.fromhex(_FONT.get(letter, ""))):
            for column in range(WIDTH):
                if bits >> (WIDTH - 1 - column) & 1:
                    cells += [place * (WIDTH + 1) + column, row]
    return pattern(cells)
