"""The command that tells what an event costs on AWS: cost."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import asdict
from typing import Any, Final

from frontdesk.cli.command import OK, Command, with_json
from frontdesk.cli.terminal import Terminal
from frontdesk.cost.described import described
from frontdesk.cost.estimate import SERVICES, Estimate, estimate
from frontdesk.cost.prices import price_list
from frontdesk.cost.requests import counted

_MOST_GUESTS: Final = 1_000_000
#: So many lines are named as those that matter.
_TOP: Final = 5


def cost(args: Namespace, on: Terminal) -> int:
    event = described(
        args.guests,
        waiting=args.waiting,
        cancellations=args.cancel,
        offers=args.offers,
        lapsed=args.lapse,
        reminders=args.reminders,
        moved=args.moved,
        by_mail=args.by_mail,
        imported=args.imported,
        console_views=args.console_views,
    )
    answer = estimate(event, counted(), price_list())
    if args.json:
        on.data(_as_data(answer))
    else:
        _tell(answer, on)
    return OK


def _as_data(answer: Estimate) -> dict[str, Any]:
    prices = price_list()
    return {
        "desk": "rsvp",
        "event": asdict(answer.event),
        "usd": answer.total,
        "usd_if_warm": answer.warm,
        "usd_by_service": answer.by_service(),
        "usd_by_occasion": answer.by_occasion,
        "lines": [asdict(line) for line in answer.lines],
        "reference_usd": answer.reference,
        "ratio": answer.ratio,
        "usd_by_month": {line.what: line.usd for line in answer.by_month},
        "prices": {
            "as_of": prices.as_of.isoformat(),
            "region": prices.region,
            "unsure": prices.unsure(),
        },
    }


def _tell(answer: Estimate, on: Terminal) -> None:
    prices = price_list()
    on.say(
        f"An event with {answer.event.guests:,} guests at the RSVP desk, in {prices.region},"
        f" list prices of {prices.as_of:%d %B %Y}, no free tier:"
    )
    on.say()
    rows = [(SERVICES[service], _usd(usd)) for service, usd in answer.by_service().items()]
    on.table(("service", "USD"), [*rows, ("all of it", _usd(answer.total))])
    on.say()
    on.say(f"Reference: {answer.reference:.2f} USD. This is {_percent(answer.ratio)} of it.")
    on.say(f"Every function starts cold in this; if none did, it would be {_usd(answer.warm)} USD.")
    on.say()
    on.say("What matters most:")
    on.table(("service", "how many", "of what", "USD"), _top(answer))
    on.say()
    on.say("Every month, whether there is an event or not:")
    on.table(
        ("what", "how many", "USD"),
        [(line.unit, f"{line.count:,.0f}", _usd(line.usd)) for line in answer.by_month],
    )
    on.note(f"Prices to look up again before you rely on them: {', '.join(prices.unsure())}.")


def _top(answer: Estimate) -> list[tuple[str, str, str, str]]:
    dearest = sorted(answer.lines, key=lambda line: -line.usd)[:_TOP]
    return [
        (SERVICES[line.service], f"{line.count:,.0f}", line.unit, _usd(line.usd))
        for line in dearest
    ]


def _usd(usd: float) -> str:
    return f"{usd:.4f}"


def _percent(ratio: float) -> str:
    return f"{100 * ratio:.1f} %"


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) > _MOST_GUESTS:
        raise ArgumentTypeError(f"a whole number from 0 to {_MOST_GUESTS:,}, not {text!r}")
    return int(text)


def _cost(parser: ArgumentParser) -> None:
    parser.add_argument("--guests", type=_count, default=200, help="how many come (default 200)")
    parser.add_argument("--waiting", type=_count, help="how many join the line (default a tenth)")
    parser.add_argument("--cancel", type=_count, help="how many cancel (default a tenth)")
    parser.add_argument("--offers", type=_count, help="how many offers (default as many)")
    parser.add_argument("--lapse", type=_count, help="how many of them lapse (default a quarter)")
    parser.add_argument(
        "--reminders", type=_count, default=3, help="reminders for each guest (default 3)"
    )
    parser.add_argument("--moved", type=_count, default=0, help="how often it is moved")
    parser.add_argument("--by-mail", type=_count, default=0, help="how many sign up by e-mail")
    parser.add_argument("--imported", type=_count, default=0, help="how many were on a list")
    parser.add_argument(
        "--console-views", type=_count, default=100, help="pages the host looks at (default 100)"
    )
    with_json(parser)


COMMANDS = (
    Command(
        "cost",
        "Tell what an event costs on AWS, by service, from requests that were counted.",
        cost,
        _cost,
        on_data=False,
    ),
)
