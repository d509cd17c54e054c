"""The command `cost`: estimates an event, or a month of one of the other desks, on AWS."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from typing import Any, Final

from msgspec.structs import asdict

from frontdesk.cli.command import OK, CliCommand, a_number, with_json
from frontdesk.cli.terminal import Terminal
from frontdesk.cost import workload
from frontdesk.cost.estimate import SERVICES, Estimate, counted, estimate
from frontdesk.cost.prices import (
    BOOKINGS,
    EVENT,
    WAITLIST,
    PriceList,
    price_list,
    reference_cost,
)
from frontdesk.values import Frozen

_COUNT: Final = a_number(0, 1_000_000)
NO_REFERENCE: Final = 0.0
#: The number of lines shown as the largest.
_TOP: Final = 5


def cost(args: Namespace, on: Terminal) -> int:
    """Estimates a month of the named desk, or else an event."""
    if args.appointments is not None:
        _of_appointments(args, on)
    elif args.bookings is not None:
        _of_bookings(args, on)
    elif args.waitlist is not None:
        _of_a_waitlist(args, on)
    else:
        _of_an_event(args, on)
    return OK


def _of_an_event(args: Namespace, on: Terminal) -> None:
    event = workload.described(
        args.guests,
        waiting=args.waiting,
        cancellations=args.cancel,
        offers=args.offers,
        lapsed=args.lapse,
        **_given(args, "reminders", "moved", "by_mail", "imported", "console_views"),
    )
    reference, prices = reference_cost(event.guests, EVENT), price_list()
    answer = estimate(workload.occasions(event), reference, counted(), prices)
    if args.json:
        on.data({"desk": "rsvp", "event": asdict(event), **_as_data(answer, prices)})
        return
    _tell(f"An event with {event.guests:,} guests at the RSVP desk", answer, prices, on)
    _tell_the_whole(answer, "", on)
    _tell_the_rest(answer, prices, on)


def _of_a_waitlist(args: Namespace, on: Terminal) -> None:
    names = ("requests", "pictures", "slots", "offers", "by_text", "sheet", "console_views")
    month = workload.month(args.waitlist, **_given(args, *names))
    prices = price_list().to(args.country)
    happens = workload.month_occasions(month)
    reference = reference_cost(month.entries, WAITLIST)
    answer = estimate(
        happens, reference, counted(), prices, pictures=month.pictures, own_secrets=month.sheet
    )
    title = f"A month with {month.entries:,} entries on the waitlist"
    _tell_a_month(_Month("waitlist", title, month, happens["text"]), answer, prices, args, on)


def _of_bookings(args: Namespace, on: Terminal) -> None:
    names = (
        "requests",
        "moved",
        "reminders",
        "by_text",
        "calendars",
        "embeddings",
        "console_views",
    )
    month = workload.booking_month(args.bookings, cancelled=args.cancel, **_given(args, *names))
    prices = price_list().to(args.country)
    happens = workload.booking_occasions(month)
    reference = reference_cost(month.bookings, BOOKINGS)
    answer = estimate(happens, reference, counted(), prices, own_secrets=month.calendars)
    title = f"A month with {month.bookings:,} bookings"
    texts = happens["booking-text"]
    _tell_a_month(_Month("booking", title, month, texts), answer, prices, args, on)


def _of_appointments(args: Namespace, on: Terminal) -> None:
    names = ("reminders", "by_text", "sheet", "console_views")
    month = workload.appointment_month(
        args.appointments, cancelled=args.cancel, **_given(args, *names)
    )
    prices = price_list().to(args.country)
    happens = workload.appointment_occasions(month)
    answer = estimate(happens, NO_REFERENCE, counted(), prices, own_secrets=month.sheet)
    title = f"A month of reminders for {month.appointments:,} appointments"
    texts = happens["visit-text"]
    _tell_a_month(_Month("reminders", title, month, texts), answer, prices, args, on)


def _given(args: Namespace, *names: str) -> dict[str, Any]:
    """Returns the options that were given; the workload has defaults for the others."""
    return {name: value for name in names if (value := getattr(args, name)) is not None}


class _Month(Frozen):
    """A month of a desk that sends texts."""

    desk: str
    title: str
    described: workload.WaitlistMonth | workload.BookingMonth | workload.AppointmentMonth
    texts: float


def _tell_a_month(
    month: _Month, answer: Estimate, prices: PriceList, args: Namespace, on: Terminal
) -> None:
    if args.json:
        texts = {"country": args.country, "usd": answer.texts, "messages": month.texts}
        data = {"month": asdict(month.described), "texts": texts, **_as_data(answer, prices)}
        on.data({"desk": month.desk, **data})
        return
    _tell(month.title, answer, prices, on)
    _tell_the_whole(answer, f"{month.texts:,.0f} texts to {args.country}", on)
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
    """Prints the whole bill of a month, as if nothing else used the account, and the reference."""
    parts = [("by use, but for texts", answer.total)]
    parts += [(texts, answer.texts)] if texts else []
    parts += [("every month, whatever happens", answer.monthly), ("the whole month", answer.whole)]
    on.say()
    if not answer.reference:
        on.table(("the whole bill", "USD"), [(what, f"{usd:.2f}") for what, usd in parts])
        on.say()
        on.say(
            "There is no reference for this desk; its budget is 30 USD. The bookings themselves,"
            " and offers to the waitlist, come on top: see --bookings and --waitlist. What is paid"
            " every month is paid once for all desks. If the free alarms and metrics of the"
            " account are not used up by anything else, it is"
            f" {answer.monthly_after_free:.2f} USD."
        )
        return
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
        "--reminders",
        type=_COUNT,
        help="reminders for each guest (default 3), booking or appointment (default 2)",
    )
    parser.add_argument(
        "--moved",
        type=_COUNT,
        help="how often the event is moved (default 0), or how many bookings (default a tenth)",
    )
    parser.add_argument("--by-mail", type=_COUNT, help="how many sign up by e-mail")
    parser.add_argument("--imported", type=_COUNT, help="how many were on a list")
    parser.add_argument(
        "--offers",
        type=_COUNT,
        help="how many offers (default one for each who cancels, two for each slot)",
    )
    parser.add_argument(
        "--console-views",
        type=_COUNT,
        help="pages that staff look at (default 100; in a month three more for each slot, two for"
        " each booking)",
    )
    _of_months(parser)
    with_json(parser)


def _of_months(parser: ArgumentParser) -> None:
    months = parser.add_mutually_exclusive_group()
    months.add_argument(
        "--waitlist",
        type=_COUNT,
        metavar="ENTRIES",
        help="a month of the waitlist instead, with this many new entries",
    )
    months.add_argument(
        "--bookings",
        type=_COUNT,
        nargs="?",
        const=200,
        metavar="BOOKINGS",
        help="a month of the booking desk instead, with this many bookings (default 200)",
    )
    months.add_argument(
        "--appointments",
        type=_COUNT,
        nargs="?",
        const=500,
        metavar="APPOINTMENTS",
        help="a month of the reminders desk instead, with this many appointments (default 500)",
    )
    parser.add_argument("--slots", type=_COUNT, help="how many come free (default two fifths)")
    parser.add_argument(
        "--requests",
        type=_COUNT,
        help="how many join or book by e-mail (default 5, of bookings a tenth)",
    )
    parser.add_argument(
        "--pictures", type=_COUNT, help="how many of their pictures are read (default 1)"
    )
    parser.add_argument(
        "--by-text",
        type=a_number(0, 100),
        metavar="PERCENT",
        help="how many of a hundred are told by text (default 75, of bookings 25)",
    )
    parser.add_argument(
        "--country", type=_country, default="SG", help="where texts go to (default SG)"
    )
    parser.add_argument("--sheet", action="store_true", help="staff keep a Google Sheet")
    parser.add_argument("--calendars", action="store_true", help="calendars are connected")
    parser.add_argument(
        "--embeddings", action="store_true", help="embeddings find the service that a mail means"
    )


COMMANDS = (
    CliCommand(
        "cost",
        "Tell what an event, or a month of the waitlist, bookings or reminders, costs on AWS.",
        cost,
        _cost,
        on_data=False,
    ),
)
