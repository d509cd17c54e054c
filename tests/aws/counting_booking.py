"""Plays everything that happens at the booking desk in a month, each once, and counts requests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from statistics import mean
from typing import Any

from frontdesk.core.sms import size
from frontdesk.desks.booking.rules import CalendarRef, Period
from frontdesk.desks.booking.rules_file.catalogue import default_rules
from tests.aws.counting import Counts, count, less
from tests.aws.counting_waitlist import REQUEST_TOKENS, without_messages
from tests.aws.outside import Outside
from tests.aws.salon import HOUR, Salon
from tests.aws.stack import Stack, Visitor, host
from tests.aws.studio import a_number
from tests.support.google import BOOKING_FILE, exported

OPENS, CLOSES = 9 * 60, 18 * 60
HALF_HOUR = timedelta(minutes=30)
#: Soon enough to wait for, and late enough to make the booking before it.
REMINDED_IN = timedelta(seconds=20)
#: The time of Google's answers, in answers of AWS: a read takes an access token and a query, and a
#: booking also writes an event.
GOOGLE_READ, GOOGLE_WRITE = 20, 35
#: The function that compares the index every 15 minutes starts cold once an hour.
CONFIG_COLD = 0.25
CHARACTERS_IN_A_TOKEN = 4
#: A mail as customers write: a greeting, a problem, the wish for a time, a name.
UNNAMED = (
    "Hello,\n\nMy fringe is in my eyes. Do you have time tomorrow at 10:00?\n\nThank you, Una\n"
)
#: The function that reads every five minutes starts cold once an hour.
LOOKS_IN_AN_HOUR = 12


class MeasureBooking:
    """Measures the booking desk. `visit` opens a page and loads its files."""

    def __init__(self, salon: Salon, visit: Callable[[Stack, str], None]) -> None:
        self.stack = salon.stack
        self.salon = salon
        self.visit = visit
        self.found: dict[str, Counts] = {}

    def all(self) -> dict[str, Counts]:
        given(self.salon)
        self.booking()
        self.changing()
        self.reminding()
        self.asking_by_mail()
        self.looking_at_the_day()
        found = {name: without_messages(each) for name, each in self.found.items()}
        return {**found, **self.messages()}

    def count(self, name: str, do: Callable[[], object]) -> Counts:
        self.found[name] = count(self.stack, do)
        return self.found[name]

    def booking(self) -> None:
        salon, at = self.salon, self.salon.time()
        self.count("book-visit", lambda: self.visit(self.stack, salon.page))
        day = f"{salon.page}?service={salon.service}&day={at.date()}"
        self.count("times-view", lambda: Visitor(self.stack).get(day))
        visitor = Visitor(self.stack)
        self.count("time-held", lambda: salon.chooses(visitor, at))
        self.count("booked", lambda: salon.books("ann", at, visitor))
        self.count("booking-view", lambda: Visitor(self.stack).get(salon.link("ann")))

    def changing(self) -> None:
        """Ann moves and cancels, and nobody waits for her time. Then Bob cancels, and Wim takes his
        time from the waitlist."""
        salon = self.salon
        self.count("booking-moved", lambda: salon.moves("ann", salon.time(4, 15)))
        self.count("booking-cancelled", lambda: salon.cancels("ann"))
        salon.books("bob")
        salon.wait_for_messages("bob", 1)
        salon.comes_free()  # makes the waitlist read its rules, which have no quiet hours
        self.stack.settle()
        salon.waits("wim")

        def refill() -> None:
            salon.cancels("bob")
            salon.wait_for_messages("wim", 1)
            salon.takes("wim")

        refilled = count(self.stack, refill)
        self.found["booking-refilled"] = less(refilled, self.found["booking-cancelled"])

    def reminding(self) -> None:
        """Counts a booking whose reminder is due at once, and subtracts the booking."""
        salon, visitor = self.salon, Visitor(self.stack)
        now = datetime.now(UTC).replace(microsecond=0)
        at = now.replace(minute=0, second=0) + 30 * HOUR
        given(salon, hours=((Period(0, 24 * 60),),) * 7, reminders=(at - now - REMINDED_IN,))

        def book_and_hear() -> None:
            salon.chooses(visitor, at)
            salon.books("cat", at, visitor)
            salon.wait_for_messages("cat", 2)

        counts = count(self.stack, book_and_hear)
        for before in ("time-held", "booked"):
            counts = less(counts, self.found[before])
        self.found["booking-reminder"] = counts
        given(salon)

    def asking_by_mail(self) -> None:
        salon = self.salon
        wish = f"could I have a {salon.service} on {salon.time(6):%-d %B %Y} at 10:00?"

        def ask() -> None:
            salon.asks("dan", f"Hello,\n\n{wish}\n\nDan Lee\n")
            salon.wait_for_messages("dan", 1)

        counts = self.count("booking-request", ask)
        counts["ses"] = {"mail_in": 1}
        counts["s3"]["put"] += 1
        counts["bedrock"] = dict(REQUEST_TOKENS)
        self.count(
            "proposal-booked", lambda: (salon.takes("dan"), salon.wait_for_messages("dan", 2))
        )

    def looking_at_the_day(self) -> None:
        visitor = host(self.stack)
        console = f"{self.stack.addresses['fd-console']}console/bookings"
        board = f"{console}?on={self.salon.time().date()}"
        visitor.get(board)
        self.count("day-view", lambda: visitor.get(board))

    def messages(self) -> dict[str, Counts]:
        salon = self.salon
        salon.phones["pia"] = a_number()
        salon.books("pia", salon.time(hour=16))
        texts = [size(one).segments for one in salon.wait_for_messages("pia", 1)]
        mails = [
            len(mail.raw) / 1024
            for mail in list(self.stack.sink.received)
            if mail.rcpt_to[0].endswith(f"-{salon.name}@example.org")
        ]
        return {
            "booking-text": {"texts": {"part": round(mean(texts), 2)}},
            "booking-mail": {"ses": {"message": 1, "kb": round(mean(mails), 2)}},
        }


def with_a_calendar(salon: Salon) -> dict[str, Counts]:
    """Compares a booking with a calendar to one without, at the same place. Earlier bookings are
    written into the calendar first; on a busy machine this may go on, so the smallest count is
    used."""
    stack = salon.stack
    given(salon)
    salon.books("ann", salon.time(hour=10))
    plain = count(stack, lambda: salon.books("ann", salon.time(hour=12)))
    given(salon, CalendarRef("sam", write=True))
    for _ in ("writes them", "knows them"):
        stack.invoke("bk-calendar", {})
        stack.settle()
    looks = [count(stack, lambda: stack.invoke("bk-calendar", {})) for _ in range(3)]
    look = min(looks, key=lambda each: each["dynamodb"]["write"])
    look["answers"] = {"bk-calendar": look["answers"]["bk-calendar"] + GOOGLE_READ}
    look["scheduler"] = {"fired": 1}
    look["cold"] = {"bk-calendar": round(1 / LOOKS_IN_AN_HOUR, 2)}
    written = count(stack, lambda: salon.books("ann", salon.time(hour=14)))
    write = less(written, plain)
    write["answers"]["bk-calendar"] += GOOGLE_WRITE
    return {"calendar-look": without_messages(look), "calendar-write": without_messages(write)}


def with_embeddings(outside: Outside) -> dict[str, Counts]:
    """Counts a mail that names no service: each sentence is embedded and compared. The mail itself
    costs as much as any request. The rules are in Google Drive."""
    salon, titan, vectors = outside.salon, outside.titan, outside.vectors
    stack = salon.stack
    given(salon)
    outside.google.writes(BOOKING_FILE, exported(default_rules(salon.wl.catalogue())))
    stack.invoke("fn-config-sync", {})
    look = count(stack, lambda: stack.invoke("fn-config-sync", {}))
    look["scheduler"] = {"fired": 1}
    look["cold"] = {"fn-config-sync": CONFIG_COLD}
    texts, asked = len(titan.texts), len(vectors.operations())
    salon.asks("una", UNNAMED)
    stack.settle()
    embedded = titan.texts[texts:]
    queries = vectors.operations()[asked:].count("QueryVectors")
    assert queries == len(embedded), "each sentence is embedded and compared"
    tokens = sum(len(text) for text in embedded) / CHARACTERS_IN_A_TOKEN
    return {
        "config-look": without_messages(look),
        "service-embedded": {
            "answers": {"host-import": 2 * queries},
            "bedrock": {"thousand_embedded": round(tokens / 1_000, 3)},
            "s3vectors": {"query": queries},
        },
    }


def given(salon: Salon, *calendars: CalendarRef, **rules: Any) -> None:
    """Sets the rules of a small business: open for nine hours, a start every half hour."""
    usual = {"hours": ((Period(OPENS, CLOSES),),) * 7, **rules}
    salon.given(*calendars, service={"step": HALF_HOUR}, **usual)
