"""Draws a poster for each event from its id, so that no page needs a photograph."""

import hashlib
from typing import Literal

from frontdesk.values import Frozen

Shape = Literal["blank", "disc", "ring", "quarter", "half", "leaf"]

ACROSS = 8
DOWN = 3

_SHAPES: tuple[Shape, ...] = ("blank", "disc", "quarter", "half", "leaf", "ring", "quarter", "leaf")


class Tile(Frozen):
    """One square of the poster. Tones are 1 (strong) to 3 (faint); `ground` is the background."""

    column: int
    row: int
    shape: Shape
    turn: int  # degrees, in quarters
    tone: int
    ground: int


def cover_tiles(seed: str) -> tuple[Tile, ...]:
    """Returns the tiles of a poster. The same seed always gives the same poster."""
    noise = hashlib.shake_128(seed.encode()).digest(ACROSS * DOWN * 2)
    return tuple(
        _tile(place, noise[2 * place], noise[2 * place + 1]) for place in range(ACROSS * DOWN)
    )


def _tile(place: int, form: int, colour: int) -> Tile:
    ground = colour % 3 + 1
    return Tile(
        column=place % ACROSS,
        row=place // ACROSS,
        shape=_SHAPES[form % len(_SHAPES)],
        turn=90 * (form // len(_SHAPES) % 4),
        tone=(ground + colour // 3 % 2) % 3 + 1,  # never the tone of the ground
        ground=ground,
    )
