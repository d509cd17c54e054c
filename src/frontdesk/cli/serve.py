"""Commands that run the server: serve, demo."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from frontdesk.cli.command import OK, CannotRun, CliCommand, settings_for
from frontdesk.cli.data_access import settings_of
from frontdesk.cli.terminal import Terminal
from frontdesk.settings import SECRET, SETTINGS, Setting, Settings
from frontdesk.store.sqlite.lock import DataLock
from frontdesk.wiring.channels import sms_trouble

if TYPE_CHECKING:
    from frontdesk.embedded.server import ServedAddresses


# Only these commands import the server's packages: the others start faster.


def serve(args: Namespace, on: Terminal) -> int:
    from frontdesk.embedded.demo import fill, for_demo, has_data
    from frontdesk.embedded.server import serve as run_server

    options = {name: getattr(args, name, None) for name in SETTINGS}
    settings = for_demo(settings_of(options)) if args.demo else settings_of(options)

    def before(settings: Settings) -> None:
        if args.demo and not has_data(settings):
            fill(settings)

    def tell(serving: ServedAddresses) -> None:
        on.say(f"Frontdesk is at {serving.url}")
        on.say(f"Sign in, once, with {serving.sign_in}")
        if serving.mail_at:
            on.say(f"Mail is taken in at {serving.mail_at}")
        if texts := sms_trouble(settings):
            on.say(texts)
        on.say("Stop it with Ctrl-C.")

    run_server(settings, before=before, tell=tell)
    return OK


def _options(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--demo", action="store_true", help="begin with a demo business if there is no data yet"
    )
    for name, one in SETTINGS.items():
        if name not in SECRET and name != "data_dir":
            option = f"--{name.replace('_', '-')}"
            parser.add_argument(option, type=_reader(one), metavar="VALUE", help=one.description)


def _reader(one: Setting) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            return one.parse(text)
        except (ValueError, KeyError):
            raise ArgumentTypeError(f"should be {one.expected}, not {text!r}") from None

    return read


def demo(args: Namespace, on: Terminal) -> int:
    from frontdesk.embedded.demo import fill, has_data

    settings = settings_for(args)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    with DataLock(settings.data_dir):
        if has_data(settings):
            raise CannotRun(
                f"{settings.data_dir} has data already; the demo needs an empty folder."
            )
        fill(settings)
    on.say(f"The demo business is in {settings.data_dir}. See it with `frontdesk serve`.")
    return OK


COMMANDS = (
    CliCommand("serve", "Serve everything on one port.", serve, _options),
    CliCommand("demo", "Fill an empty data directory with a demo business.", demo),
)
