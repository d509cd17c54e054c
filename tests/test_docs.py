"""Links, anchors, pictures, commands and settings in the documentation exist."""

import re
import shlex
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from frontdesk.cli import COMMANDS
from frontdesk.settings import PREFIX, SETTINGS, load
from script.pictures import PICTURES

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
MOST_PICTURE_BYTES = 200_000

FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"(?<!`)!?\[[^\]]*\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")
HEADING = re.compile(r"^#{1,6} (.+)$", re.MULTILINE)
SETTING = re.compile(rf"\b{PREFIX}[A-Z_]+\b")
MACHINE_PATH = re.compile(r"(?<![\w.:/])/(?:home|root|work|tmp|Users)/")


def each_page(pages: list[Path] = PAGES) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


@cache
def text_of(page: Path) -> str:
    return page.read_text("utf-8")


def without_code(text: str) -> str:
    return INLINE.sub("", FENCE.sub("", text))


def anchors(page: Path) -> set[str]:
    """Makes anchors as GitHub does: lower case, hyphens for spaces, no other punctuation."""
    plain = (re.sub(r"[^\w\- ]", "", found.lower()) for found in HEADING.findall(text_of(page)))
    return {found.strip().replace(" ", "-") for found in plain}


def links(page: Path) -> Iterator[str]:
    for inline, picture in LINK.findall(without_code(text_of(page))):
        target = inline or picture
        if not target.startswith(("http://", "https://", "mailto:")):
            yield target


def is_dead(page: Path, link: str) -> bool:
    path, _, anchor = link.partition("#")
    target = (page.parent / path).resolve() if path else page
    if not target.exists():
        return True
    return bool(anchor) and (target.suffix != ".md" or anchor not in anchors(target))


@each_page()
def test_every_link_in_a_page_leads_somewhere(page: Path) -> None:
    assert [link for link in links(page) if is_dead(page, link)] == []


def command_lines(page: Path) -> Iterator[list[str]]:
    """Returns the commands in shell blocks and between backquotes."""
    text = text_of(page)
    blocks = (body for kind, body in FENCE.findall(text) if kind in ("sh", "bash"))
    typed = [line for body in blocks for line in body.splitlines()]
    for line in [*typed, *INLINE.findall(FENCE.sub("", text))]:
        words = line.removeprefix(".venv/bin/").split()
        if len(words) > 1 and words[0] in ("frontdesk", "desk"):
            yield shlex.split(line, comments=True)[1:]


@cache
def options() -> dict[str, set[str]]:
    """Each command with its arguments."""
    known = {}
    for command in COMMANDS:
        one = ArgumentParser(command.name)
        command.arguments(one)
        known[command.name] = {*re.findall(r"--[a-z][a-z-]*", one.format_help()), "--data-dir"}
    return known


def is_wrong(line: list[str]) -> bool:
    if line[0] == "COMMAND":
        return False
    given = {word.partition("=")[0] for word in line if word.startswith("--")}
    return line[0] not in options() or not given <= options()[line[0]]


@each_page()
def test_every_command_that_a_page_names_exists(page: Path) -> None:
    assert [line for line in command_lines(page) if is_wrong(line)] == []


@each_page()
def test_every_setting_that_a_page_names_exists(page: Path) -> None:
    known = {PREFIX + name.upper() for name in SETTINGS}
    assert set(SETTING.findall(text_of(page))) - known == set()


@each_page([page for page in PAGES if "```toml" in text_of(page)])
def test_every_settings_file_in_a_page_can_be_read(page: Path, tmp_path: Path) -> None:
    for kind, body in FENCE.findall(text_of(page)):
        if kind == "toml":
            (tmp_path / "frontdesk.toml").write_text(body, "utf-8")
            assert load({}, data_dir=tmp_path).data_dir == tmp_path


@each_page()
def test_no_page_names_a_path_of_somebodys_machine(page: Path) -> None:
    assert MACHINE_PATH.findall(text_of(page)) == []


def test_pictures_are_small_and_each_is_shown() -> None:
    pictures = set((ROOT / "docs" / "images").iterdir())
    shown = {(page.parent / link).resolve() for page in PAGES for link in links(page)}
    assert pictures - shown == set()
    assert [each.name for each in pictures if each.stat().st_size > MOST_PICTURE_BYTES] == []


def test_the_index_names_every_page_of_the_documentation() -> None:
    index = ROOT / "docs" / "README.md"
    listed = {(index.parent / link).resolve() for link in links(index)}
    pages = {page for page in index.parent.glob("*.md") if page != index}
    assert pages - listed == set()


def test_every_picture_is_shown_and_can_be_taken_anew() -> None:
    texts = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = {
        name for text in texts for name in re.findall(r"images/([\w-]+)\.png", text.read_text())
    }

    assert {path.stem for path in (ROOT / "docs" / "images").iterdir()} == set(PICTURES) == shown
