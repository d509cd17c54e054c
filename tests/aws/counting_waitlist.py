"""Plays everything that happens on a waitlist in a month, each once, and counts requests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from statistics import mean
from typing import Any

from frontdesk.core.sms import size
from frontdesk.store.dynamodb.schema import FD_TIMERS, WL_ENTRIES
from frontdesk.store.dynamodb.waitlist.entries import ENTRIES
from tests.aws.counting import Counts, count, less
from tests.aws.stack import Stack, Visitor, host
from tests.aws.studio import Studio

#: The approximate tokens of a model for a request and for a summary.
REQUEST_TOKENS = {"thousand_in": 0.9, "thousand_out": 0.4}
SUMMARY_TOKENS = {"thousand_in": 0.5, "thousand_out": 0.3}
#: The time of Google's answers to one look at a sheet, in answers of AWS.
GOOGLE = 16
#: A function that is called every three minutes starts cold once an hour.
LOOKS_IN_AN_HOUR = 20
HUNDRED = 100
READ_BYTES = 4_096
SYNC = {"ask": "sync", "by": "member:test", "let_go": []}


class MeasureWaitlist:
    def __init__(self, stack: Stack, studio: Studio, visit: Callable[[Stack, str], None]) -> None:
        self.stack = stack
        self.studio = studio
        self.visit = visit
        self.found: dict[str, Counts] = {}

    def all(self) -> dict[str, Counts]:
        self.studio.given()
        self.stack.invoke("drive-sync", SYNC)  # syncs within the same hour make no other version
        self.joining()
        self.offering()
        self.lapsing()
        self.asking_by_mail()
        self.expiring_entries()
        self.keeping_the_list()
        found = {name: without_messages(each) for name, each in self.found.items()}
        return {**found, **self.messages()}

    def count(self, name: str, do: Callable[[], object]) -> Counts:
        self.found[name] = count(self.stack, do)
        return self.found[name]

    def joining(self) -> None:
        page = f"{self.stack.addresses['web-form']}waitlist"
        self.count("form-visit", lambda: self.visit(self.stack, page))
        seen = count(self.stack, lambda: Visitor(self.stack).get(page))
        joined = count(self.stack, lambda: self.studio.joins("ann", by_text=True))
        self.found["joined"] = less(joined, seen)
        self.studio.joins("bob")
        self.count("place-view", self.look_at_place)

    def look_at_place(self) -> None:
        page = Visitor(self.stack).get(self.studio.link("bob"))
        assert page.status == 200, page.body

    def offering(self) -> None:
        studio = self.studio
        self.count("slot-freed", studio.comes_free)
        self.count(
            "slot-declined", lambda: (studio.passes("ann"), studio.wait_for_messages("bob", 2))
        )
        self.count(
            "slot-claimed", lambda: (studio.takes("bob"), studio.wait_for_messages("bob", 3))
        )

    def lapsing(self) -> None:
        """Offers a slot to Cat, whom staff have put on the list, and then to Ann."""
        studio = self.studio
        studio.waits("cat")
        studio.comes_free(2)
        studio.wait_for_messages("cat", 1)
        self.stack.settle()

        def lapse() -> None:
            studio.time_is_up(1, 2)
            studio.wait_for_messages("ann", 3)

        self.count("slot-lapsed", lapse)

    def asking_by_mail(self) -> None:
        visitor = host(self.stack)
        board = f"{self.stack.addresses['fd-console']}console/waitlist"
        visitor.get(board)
        self.count("board-view", lambda: visitor.get(board))
        counts = self.count("request", lambda: self.approve(visitor, f"{board}/requests"))
        counts["ses"] = {"mail_in": 1}
        counts["s3"]["put"] += 1
        counts["bedrock"] = dict(REQUEST_TOKENS)

    def approve(self, visitor: Visitor, requests: str) -> None:
        studio = self.studio
        studio.writes("dan", f"Hello,\n\nplease put me on the list for {studio.service}.\n")
        address = f"{requests}/{studio.proposal('dan').id}"
        shown = visitor.get(address)
        filled = {**shown.fields, "service": studio.service, **studio.days}
        assert visitor.post(address, **filled).status == 200
        studio.wait_for_messages("dan", 1)

    def expiring_entries(self) -> None:
        self.stack.invoke("fd-sweep", {})
        self.count_at_its_time("housekeeping", "wl/house/daily")
        self.count_at_its_time("summary", "wl/summary/monthly")["bedrock"] = dict(SUMMARY_TOKENS)
        look = self.count("sheet-look", lambda: self.stack.invoke("drive-sync", {}))
        look["answers"] = {"drive-sync": look.get("answers", {}).get("drive-sync", 0) + GOOGLE}
        look["scheduler"] = {"fired": 1}
        look["cold"] = {"drive-sync": 1 / LOOKS_IN_AN_HOUR}

    def count_at_its_time(self, function: str, timer: str) -> Counts:
        now = datetime.now(UTC).replace(microsecond=0)
        self.stack.dynamodb.update_item(
            TableName=FD_TIMERS.name,
            Key={"name": {"S": timer}},
            UpdateExpression="SET due_at = :now",
            ExpressionAttributeValues={":now": {"N": str(int(now.timestamp()))}},
        )
        ring = {"timer": timer, "due_at": now.isoformat()}
        counts = self.count(function, lambda: self.stack.invoke(function, ring))
        counts["scheduler"] = {"fired": 1}
        return counts

    def keeping_the_list(self) -> None:
        """Counts a version of the list. The emulator charges a list of any length the same, so the
        cost on AWS is computed from the rows. Reading a hundred of them takes about as long as a
        few answers."""
        self.count("list-kept", lambda: self.stack.invoke("drive-sync", SYNC))
        entries = [row for row in self.stack.rows(WL_ENTRIES) if row["shelf"]["S"] == ENTRIES.shelf]
        ahead = round(HUNDRED * mean(map(row_bytes, entries)) / READ_BYTES, 1)
        self.found["hundred-ahead"] = {"dynamodb": {"read": ahead}}
        self.found["hundred-kept"] = {
            "dynamodb": {"read": ahead + HUNDRED},  # each person is a row of another table
            "answers": {"drive-sync": 3},
        }

    def messages(self) -> dict[str, Counts]:
        texts = [size(text).segments for text in self.studio.texts("ann")]
        mails = [
            len(mail.raw) / 1024
            for mail in list(self.stack.sink.received)
            if mail.rcpt_to[0].endswith(f"-{self.studio.name}@example.org")
        ]
        return {
            "text": {"texts": {"part": round(mean(texts), 2)}},
            "mail": {"ses": {"message": 1, "kb": round(mean(mails), 2)}},
        }


def row_bytes(row: dict[str, Any]) -> int:
    """Estimates the size as AWS does: names, and values without their type."""
    return sum(len(name) + len(str(*value.values())) for name, value in row.items())


def without_messages(counts: Counts) -> Counts:
    """Returns the counts without messages, whose channel depends on the recipient."""
    mail_in = {what: n for what, n in counts.get("ses", {}).items() if what == "mail_in"}
    others = {service: part for service, part in counts.items() if service != "ses"}
    return {**others, "ses": mail_in} if mail_in else others
