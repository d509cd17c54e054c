"""Links, anchors, pictures, commands and settings in the documentation exist."""

import re
import shlex
import subprocess
from argparse import ArgumentParser
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from starlette.routing import Match, Mount, Route

from frontdesk.cli import COMMANDS
from frontdesk.engine.clock import SystemClock
from frontdesk.features.calendars import push
from frontdesk.features.slack import webhook
from frontdesk.settings import PREFIX, SETTINGS, Settings, load
from frontdesk.wiring.one_machine import build, web_app
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
    """Returns the anchors that GitHub makes of headings: lower case, hyphens for spaces, no other
    punctuation."""
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
    """Yields the commands in shell blocks and between backquotes."""
    text = text_of(page)
    blocks = (body for kind, body in FENCE.findall(text) if kind in ("sh", "bash"))
    typed = [line for body in blocks for line in body.splitlines()]
    for line in [*typed, *INLINE.findall(FENCE.sub("", text))]:
        words = line.removeprefix(".venv/bin/").split()
        if len(words) > 1 and words[0] in ("frontdesk", "desk"):
            yield shlex.split(line, comments=True)[1:]


@cache
def options() -> dict[str, set[str]]:
    """Returns each command with its options."""
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


@cache
def committed() -> tuple[str, ...]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return tuple(listed.splitlines())


def is_missing(path: str) -> bool:
    """Returns whether a path below a folder of the project does not exist. `*` and `<name>` stand
    for anything."""
    found = FILE.fullmatch(path)
    if found is None or found[1] not in (*FOLDERS, *PACKAGES):
        return False
    where = ROOT if found[1] in FOLDERS else ROOT / "src" / "frontdesk"
    return not list(where.glob(re.sub(r"<[^>]+>", "*", path.rstrip("/"))))


FOLDERS = ("bench", "deploy", "docs", "script", "src", "tests")
PACKAGES = sorted(path.name for path in (ROOT / "src" / "frontdesk").iterdir() if path.is_dir())
FILE = re.compile(r"(\w+)/[\w*<>./-]*")


@each_page()
def test_every_file_of_the_project_that_a_page_names_exists(page: Path) -> None:
    assert [code for code in INLINE.findall(text_of(page)) if is_missing(code)] == []


#: Names of other systems: headers of mails, permissions and answers.
OF_OTHERS = {
    *("DeleteFunctionConcurrency", "GetFunctionConcurrency", "PutFunctionConcurrency"),
    *("DeleteTable", "DescribeTable", "ListTables", "ROLLBACK_COMPLETE", "ReadBasic"),
    *("header_checks", "reject_unverified_recipient", "signing_key", "_dmarc", "_domainkey"),
}
#: Names of code: they have an underscore, or an upper-case letter after a lower-case one.
CODE_NAME = re.compile(r"(?=\w*_|\w*[a-z][A-Z])[A-Za-z_]\w*")
NAME_ALONE = re.compile(r"[A-Za-z_][\w.]*(?:\(\))?")


@cache
def names_in_code() -> frozenset[str]:
    files = (ROOT / name for name in committed() if not name.endswith((".md", ".png")))
    texts = (file.read_text("utf-8", "replace") for file in files if file.is_file())
    return frozenset(name for text in texts for name in CODE_NAME.findall(text))


@each_page([page for page in PAGES if page.name != "CHANGELOG.md"])
def test_every_name_in_code_that_a_page_mentions_exists(page: Path) -> None:
    typed = (code for code in INLINE.findall(text_of(page)) if NAME_ALONE.fullmatch(code))
    names = {name for code in typed for name in CODE_NAME.findall(code)}
    settings = {PREFIX + name.upper() for name in SETTINGS}
    assert names - settings - OF_OTHERS - names_in_code() == set()


#: The addresses to which other programs send notices, if they are connected.
HOOKS = {push.PATH, webhook.PATH}
ADDRESS = re.compile(r"/[\w-]+(?:/[\w…<>-]*)*(?:\?\S*)?")


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Route | Mount]]:
    product = build(Settings(data_dir=tmp_path_factory.mktemp("docs")), clock=SystemClock())
    yield web_app(product).routes  # type: ignore[misc]
    product.close()


@each_page()
def test_every_address_of_the_site_that_a_page_names_exists(
    page: Path, routes: list[Route | Mount]
) -> None:
    def leads_somewhere(path: str) -> bool:
        scope = {"type": "http", "method": "GET", "path": path, "root_path": ""}
        return any(route.matches(scope)[0] is not Match.NONE for route in routes)

    first = {route.path.split("/")[1] for route in routes}
    written = [code for code in INLINE.findall(text_of(page)) if ADDRESS.fullmatch(code)]
    paths = {each.partition("?")[0].replace("…", "x") for each in written}
    ours = {each for each in paths if each.split("/")[1] in first}
    begun = {f"{each}x" if each.endswith("/") else each for each in ours - HOOKS}
    assert {each for each in begun if not leads_somewhere(each)} == set()


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
