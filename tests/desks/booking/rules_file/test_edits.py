"""The console edits `rules.yml` in place: an edit changes nothing else in the file."""

from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.core.yaml_edit import CannotEdit
from frontdesk.desks.booking.rules import BookingRules, DatedHours, Period, WeekHours
from frontdesk.desks.booking.rules_file import edits
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.features.catalogue.model import Service
from frontdesk.values import replace

SALON = (Path(__file__).parent / "salon.yml").read_text()
BLOCK = """\
hours:  # when we are open
  mon-fri: 9:00-12:30, 13:30-18:00  # lunch is sacred
  # Saturdays are short
  sat: 9-14
staff:
  mira:
    hours:
      mon: 9:00-17:00
    name: "Mira"
    away:
      - 2026-12-01
services:
  # our best
  Haircut:   # since 1998
    minutes: 45
  Colour: {minutes: 90,
    price: 80,  # with care
  }
tone: |
  Warm.

# the end
"""
FLOW = "{hours: {mon: 9:00-10:00}, staff: {mira: {}}, services: {Haircut: {minutes: 45}}}\n"
FILES = {"salon": SALON, "block": BLOCK, "flow": FLOW, "windows": BLOCK.replace("\n", "\r\n")}


def rules_of(text: str) -> BookingRules:
    parsed = parse_rules(text)
    assert parsed.problems == (), text
    assert parsed.rules is not None
    return parsed.rules


def lineless(value: object) -> object:
    """Removes the line numbers, which an edit may change."""

    def strip(node: object) -> object:
        if isinstance(node, dict):
            return {key: strip(each) for key, each in node.items() if key != "line"}
        return [strip(each) for each in node] if isinstance(node, list | tuple) else node

    return strip(msgspec.to_builtins(value))


def untouched(before: str, after: str) -> None:
    """Checks that every comment of the file is still there, in order."""
    rest = after
    for line in before.splitlines():
        if "#" in line:
            _, found, rest = rest.partition(line[line.index("#") :])
            assert found, line


TICKS = st.integers(0, 287).map(lambda n: n * 5)


@st.composite
def days(draw: st.DrawFn) -> tuple[Period, ...]:
    edges = sorted(draw(st.sets(TICKS, max_size=6)))
    return tuple(Period(a, b) for a, b in zip(edges[::2], edges[1::2], strict=False))


WEEKS = st.one_of(
    st.tuples(*[days()] * 7),
    st.tuples(days(), days()).map(lambda two: (*[two[0]] * 5, *[two[1]] * 2)),
)


@pytest.mark.spec("BK-38", "BK-08")
@settings(deadline=None, max_examples=30)
@given(week=WEEKS, name=st.sampled_from(sorted(FILES)), who=st.sampled_from(["", "mira"]))
def test_the_week_grid_writes_exactly_the_hours_that_were_chosen(
    week: WeekHours, name: str, who: str
) -> None:
    before = FILES[name].replace("    breaks: {daily: 12:30-13:00}\n", "")
    after = edits.set_hours(before, who, week)
    old, new = rules_of(before), rules_of(after)
    given = new.resources[0].hours if who else new.hours
    assert lineless(given) == lineless(week)
    if who:
        first = replace(new.resources[0], hours=old.resources[0].hours, exceptions=())
        was = replace(old.resources[0], exceptions=())
        assert lineless((first, *new.resources[1:])) == lineless((was, *old.resources[1:]))
        assert lineless(replace(new, resources=())) == lineless(replace(old, resources=()))
    else:
        assert lineless(replace(new, hours=old.hours)) == lineless(old)
    untouched(before, after)
    assert edits.set_hours(after, who, week) == after


@pytest.mark.spec("BK-38")
def test_a_day_that_differs_now_leaves_its_group_and_the_rest_of_the_line_stays() -> None:
    week = rules_of(BLOCK).hours
    friday = (*week[:4], (Period(540, 720),), *week[5:])
    assert edits.set_hours(BLOCK, "", friday) == BLOCK.replace("  mon-fri:", "  mon-thu:").replace(
        "  sat: 9-14\n", "  sat: 9-14\n  fri: 9:00-12:00\n"
    )


@pytest.mark.spec("BK-38")
def test_a_resource_without_hours_gets_the_hours_of_the_business_again() -> None:
    after = edits.use_business_hours(BLOCK, "mira")
    assert rules_of(after).resources[0].hours is None
    untouched(BLOCK, after)


@pytest.mark.spec("BK-28")
@pytest.mark.parametrize("name", sorted(FILES))
@pytest.mark.parametrize("who", ["", "mira"])
def test_time_off_is_added_to_the_list_that_is_there(name: str, who: str) -> None:
    first, last = date(2027, 3, 1), date(2027, 3, 5)
    before = FILES[name]
    after = edits.add_time_off(before, who, first_on=first, last_on=last, note="Spring: #1, ok")
    old, new = rules_of(before), rules_of(after)
    had, has = (
        (old.closed, new.closed)
        if not who
        else (old.resources[0].exceptions, new.resources[0].exceptions)
    )
    added = DatedHours(first, last, note="Spring: #1, ok")
    assert {str(lineless(one)) for one in has} == {str(lineless(one)) for one in (*had, added)}


@pytest.mark.spec("BK-28")
def test_a_single_date_becomes_a_list_of_both() -> None:
    text = "staff: {mira: {away: 2026-12-01}}\n"
    day = date(2026, 12, 2)
    hours = (Period(540, 720),)
    after = edits.add_time_off(text, "mira", first_on=day, last_on=day, hours=hours)
    assert after == ("staff: {mira: {away: [2026-12-01, {on: 2026-12-02, hours: 9:00-12:00}]}}\n")


NAMES = (
    st.text(
        st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp", "Cf", "Co", "Cn"]),
        min_size=1,
        max_size=30,
    )
    .map(lambda text: " ".join(text.split()))
    .filter(bool)
)
SERVICES = st.builds(
    Service,
    NAMES,
    st.integers(1, 100).map(lambda n: timedelta(minutes=5 * n)),
    st.integers(0, 100_000),
    st.integers(1, 200),
    st.lists(NAMES, max_size=3, unique_by=str.casefold).map(tuple),
    st.booleans(),
)


def called(services: Sequence[Service]) -> list[str]:
    return [each.casefold() for one in services for each in (one.name, *one.aliases)]


def as_service(rules: BookingRules, name: str) -> Service:
    one = next(each for each in rules.services if each.name == name)
    return Service(one.name, one.duration, one.price_cents, one.most, one.aliases, one.unlisted)


@pytest.mark.spec("BK-08")
@settings(deadline=None, max_examples=30)
@given(name=st.sampled_from(sorted(FILES)), service=SERVICES, other=SERVICES)
def test_a_service_is_added_changed_renamed_and_removed_as_it_was_given(
    name: str, service: Service, other: Service
) -> None:
    before = FILES[name]
    old = rules_of(before)
    mine = [each.casefold() for one in old.services for each in (one.name, *one.aliases)]
    for one in (service, other):
        names = called([one])
        if len(set(names)) < len(names) or set(names) & set(mine):
            return
    added = edits.add_service(before, service)
    assert as_service(rules_of(added), service.name) == service
    assert lineless(rules_of(added).services[:-1]) == lineless(old.services)
    changed = edits.change_service(added, service, other)
    assert as_service(rules_of(changed), other.name) == other
    untouched(before, changed)
    assert lineless(rules_of(edits.remove_service(changed, other.name))) == lineless(old)


@pytest.mark.spec("BK-08")
def test_a_renamed_service_keeps_its_blackouts() -> None:
    text = BLOCK + "blackouts:\n  - {on: 2026-11-27, services: [colour, Haircut]}\n"
    after = edits.rename_service(text, "Haircut", "Cut: short")
    assert rules_of(after).blackouts[0].services == ("Colour", "Cut: short")
    assert after == text.replace("  Haircut:   #", '  "Cut: short":   #').replace(
        "Haircut]", '"Cut: short"]'
    )


@pytest.mark.spec("BK-08")
@settings(deadline=None, max_examples=30)
@given(name=st.sampled_from(sorted(FILES)), member=NAMES)
def test_a_member_of_the_team_is_added_and_removed_again(name: str, member: str) -> None:
    before = FILES[name]
    old = rules_of(before)
    if member.casefold() in (one.name.casefold() for one in old.resources):
        return
    added = edits.add_staff(before, member)
    staff = [one for one in rules_of(added).resources if one.kind == "staff"]
    assert staff[-1].name == member
    removed = edits.remove_staff(added, staff[-1].id)
    assert lineless(rules_of(removed)) == lineless(old)
    untouched(before, removed)


@pytest.mark.spec("BK-08")
def test_a_renamed_member_keeps_the_id_and_the_services() -> None:
    after = edits.rename_staff(SALON, "ana", "Ana Weiß")
    ana = rules_of(after).resource("ana")
    assert ana is not None
    assert ana.name == "Ana Weiß"
    assert lineless(rules_of(after).services) == lineless(rules_of(SALON).services)


@pytest.mark.spec("BK-08")
def test_a_member_who_alone_does_a_service_is_not_removed() -> None:
    text = "staff: {mira: {}, ana: {}}\nservices: {Cut: {minutes: 30, staff: [mira]}}\n"
    with pytest.raises(CannotEdit, match="Cut needs mira; name somebody else there first"):
        edits.remove_staff(text, "mira")
    both = text.replace("[mira]", "[mira, ana]")
    assert edits.remove_staff(both, "mira") == (
        "staff: {ana: {}}\nservices: {Cut: {minutes: 30, staff: [ana]}}\n"
    )


@pytest.mark.spec("BK-08")
def test_an_empty_file_and_empty_parts_get_what_is_added() -> None:
    service = Service("Cut", timedelta(minutes=30), 5_500)
    assert edits.add_staff("", "Mira") == "staff: {mira: {name: Mira}}\n"
    assert edits.add_service("# hi\nservices:  # none yet\n", service) == (
        "# hi\nservices:  # none yet\n  Cut: {minutes: 30, price: 55}\n"
    )
    assert edits.add_service("# hi", service) == "# hi\nservices: {Cut: {minutes: 30, price: 55}}\n"
    with pytest.raises(CannotEdit, match="line 1: the file ends too early"):
        edits.add_staff("hours: {", "Mira")
