"""The requests that `frontdesk cost` computes with are those that the functions really make."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from urllib.parse import urljoin

import pytest

import frontdesk.cost
from frontdesk.core.members import MemberId, Role
from frontdesk.core.people import PersonId
from frontdesk.cost.estimate import OCCASIONS, OF_REMINDERS
from frontdesk.desks.admin.commands import InviteMember
from frontdesk.desks.rsvp.changes import ImportRow
from frontdesk.desks.rsvp.commands import BeginImport, EditEvent, SendThanks
from frontdesk.values import replace
from tests.aws.clinic import Clinic
from tests.aws.counting import (
    Counts,
    as_toml,
    count,
    differences,
    functions,
    less,
    quicker,
    share,
    with_starts,
)
from tests.aws.counting_booking import MeasureBooking, with_a_calendar, with_embeddings
from tests.aws.counting_reminders import MeasureReminders
from tests.aws.counting_waitlist import MeasureWaitlist
from tests.aws.outside import Outside
from tests.aws.salon import Salon
from tests.aws.stack import AwsDesk, Stack, Visitor, desk_on, host
from tests.aws.studio import Studio
from tests.support.guest_links import CANCEL

pytestmark = pytest.mark.needs("ministack")

KEPT = Path(frontdesk.cost.__file__).parent / "requests.toml"
#: Saves the counts; "busy" keeps earlier times that were shorter.
MEASURE = os.environ.get("FRONTDESK_MEASURE", "")
MANY = 10
#: Estimated tokens for a note: the emulator's model always gives the same answer.
TOKENS = {"thousand_in": 0.6, "thousand_out": 0.4}
REMINDERS = ("7d", "1d", "3h")
#: Counted on the deployment with calendars and embeddings.
WITH_A_CALENDAR = ("calendar-look", "calendar-write")
WITH_EMBEDDINGS = ("service-embedded", "config-look")


class Measure:
    """Plays each occasion of an event once, and counts."""

    def __init__(self, stack: Stack, new_desk: Callable[[], AwsDesk]) -> None:
        self.stack = stack
        self.new_desk = new_desk
        self.found: dict[str, Counts] = {}

    def all(self) -> dict[str, Counts]:
        self.signing_up_and_cancelling()
        self.lapsing()
        self.by_mail()
        self.many()
        self.looking()
        return self.found

    def count(self, name: str, do: Callable[[], object], people: int = 1) -> Counts:
        self.found[name] = share(count(self.stack, do), people)
        return self.found[name]

    def signing_up_and_cancelling(self) -> None:
        desk = self.new_desk().given(cap=1, reminders=REMINDERS)
        self.count("visit", lambda: visit(self.stack, desk.page))
        visited = count(self.stack, lambda: Visitor(self.stack).get(desk.page))
        sign_up = count(self.stack, lambda: desk.signs_up("ann"))
        self.found["sign-up-confirmed"] = less(sign_up, visited)
        self.count("link-view", lambda: Visitor(self.stack).get(desk.link("ann", CANCEL)))
        gave_up = count(self.stack, lambda: desk.gives_up("ann"))
        cancelled = self.found["cancelled"] = less(gave_up, self.found["link-view"])
        desk.signs_up("bob")
        self.stack.settle()
        waiting = count(self.stack, lambda: desk.signs_up("cat"))
        self.found["sign-up-waiting"] = less(waiting, visited)
        offered = less(count(self.stack, lambda: desk.gives_up("bob")), self.found["link-view"])
        self.found["offer-made"] = less(offered, cancelled)
        claimed = count(self.stack, lambda: desk.takes("cat"))
        self.found["offer-claimed"] = less(claimed, self.found["link-view"])

    def lapsing(self) -> None:
        desk = self.new_desk().given(cap=1, reminders=REMINDERS, claim_window=timedelta(seconds=2))
        desk.signs_up("ann")
        desk.signs_up("bob")
        desk.wait_for_mails("ann", 1)

        def give_up() -> None:
            desk.gives_up("ann")
            desk.wait_for_mails("bob", 3)

        counts = count(self.stack, give_up)
        for before in ("link-view", "cancelled", "offer-made"):
            counts = less(counts, self.found[before])
        self.found["offer-lapsed"] = counts

    def by_mail(self) -> None:
        desk = self.new_desk().given(cap=1, reminders=REMINDERS)

        def write() -> None:
            desk.writes("ann", "Count me in!\n", 1)
            desk.wait_for_mails("ann", 1)

        counts = self.count("mail-in", write)
        counts["ses"]["mail_in"] = 1
        counts["s3"]["put"] += 1

    def many(self) -> None:
        """Counts facts about all guests of an event at once."""
        desk = self.new_desk().given(cap=MANY, reminders=REMINDERS, daily_mail=True)
        rows = tuple(
            ImportRow(number, f"Guest {number}", desk.email(f"guest{number}"), 1)
            for number in range(1, MANY + 1)
        )
        job = desk.new_job()
        brought = BeginImport(desk.event_id, job, rows, invite=False)
        self.count("import-row", lambda: desk.run(brought), MANY)
        later = timedelta(days=31)
        self.count("moved", lambda: move(desk, later), MANY)
        self.reminding(desk)
        self.after_the_event(desk)

    def reminding(self, desk: AwsDesk) -> None:
        """Counts reminders that are due in a moment; tries later ones if the moment passes too
        early.

        A reminder never follows closely after the news of a change. So reminders are set anew for
        guests who joined long ago.
        """
        for rule, seconds in (("2h", 30), ("3h", 90), ("4h", 240), ("5h", 600)):
            move(desk, timedelta(days=1, seconds=seconds))
            self.stack.settle()
            desk.joined_long_ago()
            remind(desk, ("1d", rule))
            self.stack.settle()
            due_at = desk.event.details.starts_at - timedelta(days=1)
            if list(desk.timers().values()).count(due_at) == MANY:
                break
        self.count("reminder", self.wait_for_reminders, MANY)

    def wait_for_reminders(self) -> None:
        self.stack.until(f"{MANY} reminders", lambda: len(self.reminded()) >= MANY, 700)

    def reminded(self) -> list[str]:
        mails = [mail.message for mail in list(self.stack.sink.received)]
        return [str(mail["to"]) for mail in mails if "is tomorrow" in str(mail["subject"])]

    def after_the_event(self, desk: AwsDesk) -> None:
        new, email = desk.product.engine.new_id, f"host-{desk.slug}@example.org"
        member, person = MemberId(new()), PersonId(new())
        desk.run(InviteMember(member, person, "Hanna", email, Role.HOST, desk.event_id, 1))
        self.stack.settle()
        self.count("headcount", lambda: desk.ring("ev/headcount/", desk.stack.settle))
        desk.is_over()
        self.stack.settle()
        draft = self.count("thank-you-draft", lambda: desk.ring("ev/over/", desk.stack.settle))
        draft["bedrock"] = dict(TOKENS)
        thanks = SendThanks(desk.event_id, desk.new_job(), "Thank you for coming.")
        self.count("thank-you", lambda: desk.run(thanks), MANY)

    def looking(self) -> None:
        desk = self.new_desk().given(cap=1)
        visitor = host(self.stack)
        address = f"{self.stack.addresses['fd-console']}console/events/{desk.event_id}"
        visitor.get(address)
        self.count("console-view", lambda: visitor.get(address))
        self.stack.invoke("fd-sweep", {})  # the first sweep has more to do
        self.count("sweep", lambda: self.stack.invoke("fd-sweep", {}))


def move(desk: AwsDesk, starts_in: timedelta) -> None:
    event, starts_at = desk.event, desk.clock.now() + starts_in
    details = replace(event.details, starts_at=starts_at, ends_at=starts_at + timedelta(hours=2))
    desk.run(
        EditEvent(event.id, event.version, event.slug, details, event.settings, desk.new_job())
    )


def remind(desk: AwsDesk, rules: tuple[str, ...]) -> None:
    event = desk.event
    settings = replace(event.settings, reminders=rules)
    desk.run(
        EditEvent(event.id, event.version, event.slug, event.details, settings, desk.new_job())
    )


def visit(stack: Stack, address: str) -> None:
    """Loads the page with all its files, like a browser without a cache."""
    visitor = Visitor(stack)
    page = visitor.get(address)
    for found in re.findall(r'(?:href|src)="(/static/[^"]+)"', page.body):
        assert visitor.get(urljoin(address, found)).status == 200, found


class Counted:
    """Collects the counts of this process by occasion; compares them, or saves a complete set."""

    def __init__(self) -> None:
        self.stacks: list[Stack] = []
        self.found: dict[str, Counts] = {}

    def add(self, stack: Stack, played: Mapping[str, Counts], names: Iterable[str]) -> None:
        found = {name: with_starts(name, played[name]) for name in names}
        self.stacks.append(stack)
        self.found |= found
        if not MEASURE:
            kept = kept_counts()
            assert differences({name: kept.get(name, {}) for name in found}, found) == []
        elif self.found.keys() == set(OCCASIONS):
            self._save()

    def _save(self) -> None:
        timed = functions(*self.stacks)
        if MEASURE == "busy":
            timed = quicker(timed, tomllib.loads(KEPT.read_text())["function"])
        KEPT.write_text(as_toml(timed, {name: self.found[name] for name in OCCASIONS}))


def kept_counts() -> dict[str, Counts]:
    kept: dict[str, Counts] = tomllib.loads(KEPT.read_text())["occasion"]
    return kept


@pytest.fixture(scope="module")
def counted() -> Counted:
    return Counted()


def test_every_occasion_was_counted_and_nothing_else() -> None:
    assert kept_counts().keys() == set(OCCASIONS)


@pytest.mark.timeout(1200)  # takes long on a busy machine
@pytest.mark.spec("FD-31")
def test_the_counted_requests_are_those_that_are_made(
    stack: Stack, tmp_path: Path, counted: Counted
) -> None:
    """The booking desk comes last: once it takes bookings, it also handles slots."""
    back, name = desk_on(stack, tmp_path).product, os.urandom(4).hex()
    played = {
        **Measure(stack, lambda: desk_on(stack, tmp_path)).all(),
        **MeasureWaitlist(stack, Studio(stack, back, name), visit).all(),
        **MeasureBooking(Salon(stack, back, f"bk{name}"), visit).all(),
    }
    elsewhere = {*WITH_A_CALENDAR, *WITH_EMBEDDINGS, *OF_REMINDERS}
    counted.add(stack, played, [each for each in OCCASIONS if each not in elsewhere])


@pytest.mark.spec("FD-31")
def test_the_counted_requests_about_calendars_are_those_that_are_made(
    outside: Outside, counted: Counted
) -> None:
    counted.add(outside.stack, with_a_calendar(outside.salon), WITH_A_CALENDAR)


@pytest.mark.spec("FD-31")
def test_the_counted_requests_about_embeddings_are_those_that_are_made(
    outside: Outside, counted: Counted
) -> None:
    counted.add(outside.stack, with_embeddings(outside), WITH_EMBEDDINGS)


@pytest.mark.timeout(1200)
@pytest.mark.spec("FD-31")
def test_the_counted_requests_about_appointments_are_those_that_are_made(
    clinic: Clinic, counted: Counted
) -> None:
    """Subtracts a booking without reminders, which was counted on another deployment."""
    booked = counted.found["booked"] if MEASURE else kept_counts()["booked"]
    counted.add(clinic.stack, MeasureReminders(clinic, booked).all(), OF_REMINDERS)
