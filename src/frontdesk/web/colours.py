"""Makes the accent colour of the business readable wherever pages use it, in light and in dark."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NewType

from frontdesk.values import Frozen

Hex = NewType("Hex", str)  # always '#rrggbb', in lower case

#: Contrast that WCAG 2.2 AA requires for text and for the edges of controls.
AA_TEXT = 4.5
AA_EDGE = 3.0

WHITE = Hex("#ffffff")
BLACK = Hex("#000000")

#: The surfaces behind the accent. public.css has the same values; a test compares them.
LIGHT_SURFACES = (Hex("#ffffff"), Hex("#f7f6f3"), Hex("#efede8"))
DARK_SURFACES = (Hex("#131315"), Hex("#1c1c1f"), Hex("#27272b"))

DEFAULT_ACCENT = Hex("#2b50d8")

_SHORT = re.compile(r"#?([0-9a-f])([0-9a-f])([0-9a-f])")
_LONG = re.compile(r"#?([0-9a-f]{6})")


class Shades(Frozen):
    """One accent in one colour scheme."""

    fill: Hex  # the business's own colour, untouched
    on_fill: Hex  # text on the fill
    hover: Hex  # the fill under the pointer, never less readable
    edge: Hex  # a line around the fill, visible even if the fill is close to the page colour
    text: Hex  # the accent as text on any surface, and on the soft tint
    soft: Hex  # a faint tint for backgrounds


class Palette(Frozen):
    """An accent with every variant that the pages use."""

    light: Shades
    dark: Shades

    @property
    def css(self) -> str:
        """Returns the CSS variables for the style block of the page."""
        return (
            f":root{{{_variables(self.light)}}}"
            f"@media(prefers-color-scheme:dark){{:root{{{_variables(self.dark)}}}}}"
        )


@lru_cache(maxsize=256)
def accent_palette(colour: str) -> Palette:
    """Returns every variant of a colour like '#2b50d8' or '#25d', or raises `ValueError`."""
    fill = parse_hex(colour)
    return Palette(
        light=_shades(fill, surfaces=LIGHT_SURFACES, away=BLACK, tint=0.08),
        dark=_shades(fill, surfaces=DARK_SURFACES, away=WHITE, tint=0.20),
    )


def parse_hex(colour: str) -> Hex:
    """Normalizes a colour like '#25D' to '#rrggbb' in lower case."""
    text = colour.strip().lower()
    if long := _LONG.fullmatch(text):
        return Hex("#" + long[1])
    if short := _SHORT.fullmatch(text):
        return Hex("#" + "".join(digit * 2 for digit in short.groups()))
    raise ValueError(f"{colour!r} is not a colour: write it like #2b50d8")


def contrast(one: Hex, other: Hex) -> float:
    """Returns the WCAG contrast ratio: 1 for equal colours, 21 for black on white."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mix(colour: Hex, other: Hex, share: float) -> Hex:
    """Mixes a share of the other colour into the colour."""
    pairs = zip(_channels(colour), _channels(other), strict=True)
    return Hex("#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs))


def _shades(fill: Hex, *, surfaces: tuple[Hex, ...], away: Hex, tint: float) -> Shades:
    # Prefer white text if it is readable: it looks calmer on a button. If it is not, black is.
    on_fill = WHITE if contrast(fill, WHITE) >= AA_TEXT else BLACK
    soft = mix(surfaces[0], fill, tint)
    return Shades(
        fill=fill,
        on_fill=on_fill,
        hover=mix(fill, BLACK if on_fill == WHITE else WHITE, 0.14),
        edge=_readable(fill, on=surfaces, away=away, ratio=AA_EDGE),
        text=_readable(fill, on=(*surfaces, soft), away=away, ratio=AA_TEXT),
        soft=soft,
    )


def _readable(colour: Hex, *, on: Iterable[Hex], away: Hex, ratio: float) -> Hex:
    """Moves the colour away from the surfaces only as far as the contrast requires."""
    surfaces = tuple(on)
    steps = (mix(colour, away, step / 50) for step in range(51))
    return next(c for c in steps if all(contrast(c, surface) >= ratio for surface in surfaces))


def _luminance(colour: Hex) -> float:
    red, green, blue = (_linear(channel / 255) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


def _channels(colour: Hex) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _variables(shades: Shades) -> str:
    return (
        f"--accent:{shades.fill};--on-accent:{shades.on_fill};--accent-hover:{shades.hover};"
        f"--accent-edge:{shades.edge};--accent-text:{shades.text};--accent-soft:{shades.soft}"
    )
