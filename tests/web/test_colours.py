"""Pages are readable with any accent colour."""

import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from frontdesk import web
from frontdesk.web.colours import (
    AA_EDGE,
    AA_TEXT,
    DARK_SURFACES,
    DEFAULT_ACCENT,
    LIGHT_SURFACES,
    Hex,
    Palette,
    Shades,
    accent_palette,
    contrast,
    parse_hex,
)

STYLES = (Path(web.__file__).parent / "static" / "public.css").read_text()

colours = st.integers(min_value=0, max_value=0xFFFFFF).map(lambda number: Hex(f"#{number:06x}"))


@pytest.mark.spec("FD-22")
@settings(max_examples=200)
@given(colours)
@example(Hex("#ffffff"))
@example(Hex("#000000"))
@example(Hex("#777777"))
@example(Hex("#ffd400"))
def test_every_accent_reaches_aa_on_every_surface(colour: Hex) -> None:
    palette = accent_palette(colour)

    assert unreadable(palette.light, LIGHT_SURFACES) == []
    assert unreadable(palette.dark, DARK_SURFACES) == []


def unreadable(shades: Shades, surfaces: tuple[Hex, ...]) -> list[tuple[str, Hex, Hex]]:
    """Returns every pair of colours with too little contrast."""
    pairs = [
        ("on fill", shades.on_fill, shades.fill, AA_TEXT),
        ("on hover", shades.on_fill, shades.hover, AA_TEXT),
        ("on soft", shades.text, shades.soft, AA_TEXT),
        *(("text", shades.text, surface, AA_TEXT) for surface in surfaces),
        *(("edge", shades.edge, surface, AA_EDGE) for surface in surfaces),
    ]
    return [(name, one, other) for name, one, other, least in pairs if contrast(one, other) < least]


@given(colours)
def test_the_fill_stays_the_business_own_colour(colour: Hex) -> None:
    palette = accent_palette(colour)

    assert (palette.light.fill, palette.dark.fill) == (colour, colour)


def test_a_colour_that_can_be_read_is_left_alone() -> None:
    assert accent_palette("#2b50d8").light == Shades(
        fill=Hex("#2b50d8"),
        on_fill=Hex("#ffffff"),
        hover=Hex("#2545ba"),
        edge=Hex("#2b50d8"),
        text=Hex("#2b50d8"),
        soft=Hex("#eef1fc"),
    )


@pytest.mark.parametrize("written", ["#2255dd", "2255DD", "#25d", " 25D "])
def test_a_colour_can_be_written_in_the_usual_ways(written: str) -> None:
    assert parse_hex(written) == "#2255dd"


@pytest.mark.spec("FD-29")
@pytest.mark.parametrize("written", ["", "#12", "#12345g", "red", "#123;}body{}", "#1234567"])
def test_text_that_is_no_colour_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="is not a colour"):
        accent_palette(written)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast(Hex("#000000"), Hex("#ffffff")) == pytest.approx(21)
    assert contrast(Hex("#777777"), Hex("#ffffff")) == pytest.approx(4.48, abs=0.01)


def test_the_surfaces_are_those_of_the_stylesheet() -> None:
    light, dark = tokens()

    assert (light["card"], light["paper"], light["sunk"]) == LIGHT_SURFACES
    assert (dark["paper"], dark["card"], dark["sunk"]) == DARK_SURFACES


def test_the_stylesheet_starts_with_the_default_accent() -> None:
    light, dark = tokens()

    assert declared(light, dark) == declared(*spelled(accent_palette(DEFAULT_ACCENT)))


def declared(light: dict[str, Hex], dark: dict[str, Hex]) -> list[dict[str, Hex]]:
    """Returns the accent's variables; dark inherits those that it does not set from light."""
    return [
        {name: value for name, value in scheme.items() if "accent" in name}
        for scheme in (light, light | dark)
    ]


def spelled(palette: Palette) -> tuple[dict[str, Hex], dict[str, Hex]]:
    light, dark = palette.css.split("@media")
    return variables(light), variables(dark)


@pytest.mark.spec("FD-22")
def test_text_and_states_of_the_stylesheet_reach_aa_in_light_and_dark() -> None:
    for scheme in tokens():
        surfaces = [scheme[name] for name in ("paper", "card", "sunk")]
        states = [(scheme[name], scheme[f"{name}-soft"]) for name in STATES]
        pairs = [
            *((scheme[text], surface) for text in ("ink", "quiet") for surface in surfaces),
            *((scheme[state], scheme[on]) for state in STATES for on in ("paper", "card")),
            *states,
        ]

        assert [pair for pair in pairs if contrast(*pair) < AA_TEXT] == []
        lines = [scheme["line-strong"]]
        assert [line for line in lines if contrast(line, scheme["card"]) < AA_EDGE] == []


STATES = ("good", "waiting", "ending", "gone")


def tokens() -> tuple[dict[str, Hex], dict[str, Hex]]:
    light, dark = re.findall(r":root \{(.*?)\}", STYLES, re.DOTALL)[:2]
    return variables(light), variables(dark)


def variables(block: str) -> dict[str, Hex]:
    return {name: Hex(value) for name, value in re.findall(r"--([\w-]+): ?(#[0-9a-f]{6})", block)}
