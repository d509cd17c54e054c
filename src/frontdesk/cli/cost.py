"""The command `cost`: estimates an event, or a month of the waitlist, on AWS."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Any, Final

from msgspec.structs import asdict

from frontdesk.cli.command import OK, Command, a_number, with_json
from frontdesk.cli.terminal import Terminal
from frontdesk.cost import described as events
from frontdesk.cost import month as months
from frontdesk.cost.estimate import SERVICES, Estimate, estimate
from frontdesk.cost.prices import PriceList, price_list
from frontdesk.cost.reference import EVENT, WAITLIST, reference_cost
from frontdesk.cost.requests import counted

_COUNT: Final = a_number(0, 1_000_000)
#: The number of lines shown as the largest.
_TOP: Final = 5


def cost(args: Namespace, on: Terminal) -> int:
    """Estimates a waitlist if one is described, else an event."""
    if args.waitlist is None:
        _of_an_event(args, on)
    else:
        _of_a_waitlist(args, on)
    return OK


def _of_an_event(args: Namespace, on: Terminal) -> None:
    event = events.described(
        args.guests,
        waiting=args.waiting,
        cancellations=args.cancel,
        offers=args.offers,
        lapsed=args.lapse,
        reminders=args.reminders,
        moved=args.moved,
        by_mail=args.by_mail,
        imported=args.imported,
        console_views=100 if args.console_views is None else args.console_views,
    )
    reference, prices = reference_cost(event.guests, EVENT), price_list()
    answer = estimate(events.occasions(event), reference, counted(), prices)
    if args.json:
        on.data({"desk": "rsvp", "event": asdict(event), **_as_data(answer, prices)})
        return
    _tell(f"An event with {event.guests:,} guests at the RSVP desk", answer, prices, on)
    _tell_the_whole(answer, "", on)
    _tell_the_rest(answer, prices, on)


def _of_a_waitlist(args: Namespace, on: Terminal) -> None:
    month = months.month(
        args.waitlist,
        requests=args.requests,
        pictures=args.pictures,
        slots=args.slots,
        offers=args.offers,
        by_text=args.by_text,
        sheet=args.sheet,
        console_views=args.console_views,
    )
    reference = reference_cost(month.entries, WAITLIST)
    prices = price_list().to(args.country)
    happens = months.occasions(month)
    answer = estimate(happens, reference, counted(), prices, pictures=month.pictures)
    if args.json:
        texts = {"country": args.country, "usd": answer.texts, "messages": happens["text"]}
        data = {"month": asdict(month), "texts": texts, **_as_data(answer, prices)}
        on.data({"desk": "waitlist", **data})
        return
    _tell(f"A month with {month.entries:,} entries on the waitlist", answer, prices, on)
    _tell_the_whole(answer, f"{happens['text']:,.0f} texts to {args.country}", on)
    _tell_the_rest(answer, prices, on)


def _as_data(answer: Estimate, prices: PriceList) -> dict[str, Any]:
    return {
        "usd": answer.total,
        "usd_if_warm": answer.warm,
        "usd_by_service": answer.by_service(),
        "usd_by_occasion": answer.by_occasion,
        "lines": [asdict(line) for line in answer.lines],
        "reference_usd": answer.reference,
        "ratio": answer.ratio,
        "usd_of_the_whole_month": answer.whole,
        "ratio_of_the_whole_month": answer.whole_ratio,
        "usd_by_month_if_the_free_part_is_unused": answer.monthly_after_free,
        "usd_by_month": {line.what: line.usd for line in answer.by_month},
        "prices": {
            "as_of": prices.as_of.isoformat(),
            "region": prices.region,
            "unsure": prices.unsure(),
        },
    }


def _tell(what: str, answer: Estimate, prices: PriceList, on: Terminal) -> None:
    on.say(
        f"{what}, in {prices.region}, list prices of {prices.as_of:%d %B %Y}, no free tier:",
    )
    on.say()
    rows = [(SERVICES[service], _usd(usd)) for service, usd in answer.by_service().items()]
    on.table(("paid by use", "USD"), [*rows, ("by use, but for texts", _usd(answer.total))])
    on.say()
    on.say(f"Functions start cold in this; if none did, it would be {_usd(answer.warm)} USD.")


def _tell_the_whole(answer: Estimate, texts: str, on: Terminal) -> None:
    """Prints the bill of a month in which nothing else happens, beside the reference."""
    parts = [("by use, but for texts", answer.total)]
    parts += [(texts, answer.texts)] if texts else []
    parts += [("every month, whatever happens", answer.monthly), ("the whole month", answer.whole)]
    on.say()
    on.table(
        ("the whole bill", "USD", "of the reference"),
        [(what, f"{usd:.2f}", _percent(answer.of_reference(usd))) for what, usd in parts],
    )
    on.say()
    on.say(
        f"The reference is {answer.reference:.2f} USD, and does not say what of these is in it."
        f" If the free alarms and metrics of the account are not used up by anything else, what"
        f" there is to pay every month is {answer.monthly_after_free:.2f} USD."
    )


def _tell_the_rest(answer: Estimate, prices: PriceList, on: Terminal) -> None:
    on.say()
    on.say("What matters most:")
    on.table(("service", "how many", "of what", "USD"), _top(answer))
    on.say()
    on.say("Every month, whatever happens:")
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


def _country(text: str) -> str:
    known = price_list().texts
    if text.upper() not in known:
        raise ArgumentTypeError(f"one of {', '.join(sorted(known))}, not {text!r}")
    return text.upper()


def _cost(parser: ArgumentParser) -> None:
    parser.add_argument("--guests", type=_COUNT, default=200, help="how many come (default 200)")
    parser.add_argument("--waiting", type=_COUNT, help="how many join the line (default a tenth)")
    parser.add_argument("--cancel", type=_COUNT, help="how many cancel (default a tenth)")
    parser.add_argument("--lapse", type=_COUNT, help="how many offers lapse (default a quarter)")
    parser.add_argument(
        "--reminders", type=_COUNT, default=3, help="reminders for each guest (default 3)"
    )
    parser.add_argument("--moved", type=_COUNT, default=0, help="how often it is moved")
    parser.add_argument("--by-mail", type=_COUNT, default=0, help="how many sign up by e-mail")
    parser.add_argument("--imported", type=_COUNT, default=0, help="how many were on a list")
    parser.add_argument(
        "--offers",
        type=_COUNT,
        help="how many offers (default one for each who cancels, two for each slot)",
    )
    parser.add_argument(
        "--console-views",
        type=_COUNT,
        help="pages that staff look at (default 100; in a month three more for each slot)",
    )
    _of_the_waitlist(parser)
    with_json(parser)


def _of_the_waitlist(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--waitlist",
        type=_COUNT,
        metavar="ENTRIES",
        help="a month of the waitlist instead, in which so many join it",
    )
    parser.add_argument("--slots", type=_COUNT, help="how many come free (default two fifths)")
    parser.add_argument("--requests", type=_COUNT, help="how many join by e-mail (default 5)")
    parser.add_argument(
        "--pictures",
        type=_COUNT,
        default=1,
        help="how many of their pictures are read (default 1)",
    )
    parser.add_argument(
        "--by-text",
        type=a_number(0, 100),
        default=75,
        metavar="PERCENT",
        help="how many of a hundred are told by text (default 75)",
    )
    parser.add_argument(
        "--country", type=_country, default="SG", help="where texts go to (default SG)"
    )
    parser.add_argument("--sheet", action="store_true", help="staff keep a Google Sheet")


COMMANDS = (
    Command(
        "cost",
        "Tell what an event, or a month of the waitlist, costs on AWS, from counted requests.",
        cost,
        _cost,
        on_data=False,
    ),
)
