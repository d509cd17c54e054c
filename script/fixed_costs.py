"""Counts the resources in the template with a fixed monthly price.

`python -m script.fixed_costs` writes the counts to `src/frontdesk/cost/fixed.toml`, which
`frontdesk cost` reads, and updates the tables of `docs/costs.md`. A test compares both with the
template.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from frontdesk.cost import workload
from frontdesk.cost.estimate import EVERY_MONTH, Estimate, counted, estimate
from frontdesk.cost.prices import BOOKINGS, WAITLIST, price_list, reference_cost
from script.aws_template import application

ROOT: Final = Path(__file__).parents[1]
KEPT: Final = ROOT / "src" / "frontdesk" / "cost" / "fixed.toml"
HEADING: Final = (
    "# Counted in the template for AWS; after a change of its parts: python -m script.fixed_costs"
)


PAGE: Final = ROOT / "docs" / "costs.md"
BEGIN: Final = "<!-- These tables are written by: python -m script.fixed_costs -->\n"
END: Final = "<!-- end of the tables -->"
GUESTS: Final = (50, 200, 1_000, 2_000)
ENTRIES: Final = (200, 1_000, 2_000, 5_000, 10_000)
VISITS: Final = (50, 200, 500, 1_000)
APPOINTMENTS: Final = (200, 500, 1_000, 2_000)


def main() -> None:
    KEPT.write_text(as_toml(count_fixed(application())), "utf-8")
    price_list.cache_clear()
    PAGE.write_text(with_tables(PAGE.read_text("utf-8")), "utf-8")


def with_tables(page: str) -> str:
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n" + "\n".join(_tables()) + "\n\n" + END + after


def _tables() -> Iterator[str]:
    yield "| every month, whatever happens | how many | USD | free of them |"
    yield "| --- | --- | --- | --- |"
    for each in price_list().by_month:
        free = min(each.count, each.free)
        yield f"| {each.unit} | {each.count} | {each.total:.2f} | {free or 'none'} |"
    nothing = estimate({}, 1.0, counted(), price_list())
    for look in nothing.by_month[-len(EVERY_MONTH) :]:
        yield f"| {look.unit} | {look.count:.0f} | {look.usd:.2f} | none |"
    yield f"| **all of it** | | **{nothing.monthly:.2f}** | |"
    yield f"| if the free ones are unused | | {nothing.monthly_after_free:.2f} | |"
    yield ""
    yield "| an event with | by use, USD | the whole month, USD | reference, USD | by use | whole |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for guests in GUESTS:
        happens, reference = workload.occasions(workload.described(guests)), reference_cost(guests)
        one = estimate(happens, reference, counted(), price_list())
        yield (
            f"| {guests:,} guests | {one.total:.2f} | {one.whole:.2f} | {reference:.2f}"
            f" | {one.ratio:.1%} | {one.whole_ratio:.0%} |"
        )
    yield ""
    yield from _months("the waitlist with", "a Google Sheet", ENTRIES, "entries", _waitlist)
    yield ""
    yield from _months("bookings with", "calendars and embeddings", VISITS, "bookings", _bookings)
    yield ""
    yield from _reminders()


def _months(
    of: str,
    option: str,
    sizes: tuple[int, ...],
    unit: str,
    month: Callable[[int, bool], Estimate],
) -> Iterator[str]:
    """Builds a table of months with so many entries or bookings, without and with an option."""
    yield (
        f"| a month of {of} | by use, USD | with {option} | texts to SG, USD"
        " | whole month without texts | the whole month, USD | reference, USD | by use | whole |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for size in sizes:
        one, more = month(size, False), month(size, True)
        yield (
            f"| {size:,} {unit} | {one.total:.2f} | {more.total:.2f} | {one.texts:.0f}"
            f" | {one.whole - one.texts:.2f} | {one.whole:.0f} | {one.reference:g}"
            f" | {one.ratio:.1%} | {one.whole_ratio:.0%} |"
        )


def _reminders() -> Iterator[str]:
    """Builds the table of months of reminders, for which the requirements give no reference."""
    yield (
        "| a month of reminders for | by use, USD | texts to SG, USD | whole month without texts"
        " | the whole month, USD |"
    )
    yield "| --- | --- | --- | --- | --- |"
    for size in APPOINTMENTS:
        happens = workload.appointment_occasions(workload.appointment_month(size))
        one = estimate(happens, 0.0, counted(), price_list().to("SG"))
        yield (
            f"| {size:,} appointments | {one.total:.2f} | {one.texts:.0f}"
            f" | {one.whole - one.texts:.2f} | {one.whole:.0f} |"
        )


def _waitlist(entries: int, sheet: bool) -> Estimate:
    month = workload.month(entries, sheet=sheet)
    reference = reference_cost(entries, WAITLIST)
    happens = workload.month_occasions(month)
    prices = price_list().to("SG")
    return estimate(
        happens, reference, counted(), prices, pictures=month.pictures, own_secrets=month.sheet
    )


def _bookings(bookings: int, connected: bool) -> Estimate:
    month = workload.booking_month(bookings, calendars=connected, embeddings=connected)
    reference = reference_cost(bookings, BOOKINGS)
    happens = workload.booking_occasions(month)
    prices = price_list().to("SG")
    return estimate(happens, reference, counted(), prices, own_secrets=month.calendars)


def as_toml(counts: Mapping[str, int]) -> str:
    return "\n".join((HEADING, *(f"{name} = {number}" for name, number in counts.items()), ""))


def count_fixed(template: Mapping[str, Any]) -> dict[str, int]:
    """Counts resources. One with a condition counts as if the condition were true."""
    resources = template["Resources"]
    return {
        "secrets": sum(1 for _ in _of(resources, "AWS::SecretsManager::Secret")),
        "alarms": sum(map(_metrics_watched, _of(resources, "AWS::CloudWatch::Alarm"))),
        "metrics": len(set(_metrics_made(resources))),
    }


def _of(resources: Mapping[str, Any], kind: str) -> Iterator[Mapping[str, Any]]:
    return (each["Properties"] for each in resources.values() if each["Type"] == kind)


def _metrics_watched(alarm: Mapping[str, Any]) -> int:
    """Counts the metrics of an alarm. AWS charges for each metric in an expression."""
    return sum("MetricStat" in each for each in alarm.get("Metrics", ())) or 1


def _metrics_made(resources: Mapping[str, Any]) -> Iterator[str]:
    """Yields each metric by name and dimensions, even if several logs feed it."""
    for properties in _of(resources, "AWS::Logs::MetricFilter"):
        for made in properties["MetricTransformations"]:
            name = f"{made['MetricNamespace']}/{made['MetricName']}"
            yield f"{name}/{sorted(map(str, made.get('Dimensions', ())))}"


if __name__ == "__main__":
    main()
