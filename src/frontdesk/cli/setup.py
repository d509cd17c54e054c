"""Commands about the setup: settings, keys."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any, Final

from frontdesk.cli.command import OK, CliCommand, settings_for, with_json
from frontdesk.cli.data_access import writing_data
from frontdesk.cli.terminal import Terminal
from frontdesk.settings import PREFIX, SECRET, SETTINGS, Setting, Settings

HIDDEN: Final = "(hidden)"


def settings(args: Namespace, on: Terminal) -> int:
    if args.markdown:
        on.say_all(markdown())
        return OK
    present = settings_for(args)
    listed = [
        {
            "name": name,
            "value": _shown(name, present),
            "default": _default(one),
            "says": one.description,
        }
        for name, one in SETTINGS.items()
    ]
    if args.json:
        on.data(listed)
        return OK
    for each in listed:
        on.say(f"{each['name']} = {_formatted(each['value'])}")
        on.say(f"    {each['says']}")
    return OK


def markdown() -> Iterator[str]:
    """Writes the page that documents every setting."""
    yield "# Settings"
    yield ""
    yield "Each setting is read from the environment, or else from `frontdesk.toml` in the data"
    yield "directory, or else it has its default. `frontdesk settings` shows the current values."
    yield "Settings that change while the server runs (names, colours, quiet hours, …) are in the"
    yield "console."
    yield ""
    yield "| in the file | in the environment | default | what it is |"
    yield "| --- | --- | --- | --- |"
    for name, one in SETTINGS.items():
        value = _formatted(_default(one))
        default = f"`{value}`" if value else "none"
        yield f"| `{name}` | `{PREFIX}{name.upper()}` | {default} | {one.description} |"


def _shown(name: str, present: Settings) -> Any:
    value = getattr(present, name)
    if name in SECRET:
        return HIDDEN if value else ""
    return value if isinstance(value, bool | int) else str(value)


def _default(one: Setting) -> Any:
    return one.default if isinstance(one.default, bool | int) else str(one.default)


def _formatted(value: Any) -> str:
    """Formats a value as the environment takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _settings(parser: ArgumentParser) -> None:
    with_json(parser)
    parser.add_argument("--markdown", action="store_true", help="print docs/settings.md")


def keys(args: Namespace, on: Terminal) -> int:
    with writing_data(settings_for(args)) as access:
        rotated = access.order("rotate-keys")
    if args.json:
        on.data(rotated)
    else:
        on.say(f"Key {rotated['key']} signs new links from now on. Links that are out still work.")
    return OK


def _keys(parser: ArgumentParser) -> None:
    parser.add_argument(
        "what", choices=("rotate",), metavar="rotate", help="sign links with a new key from now on"
    )
    with_json(parser)


COMMANDS = (
    CliCommand("settings", "List every setting with its current value.", settings, _settings),
    CliCommand("keys", "Exchange the key that signs links.", keys, _keys),
)
