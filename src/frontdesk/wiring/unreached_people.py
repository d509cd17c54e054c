"""Counts people who cannot be reached while the month's limit on texts applies."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, time

from frontdesk.core.people import Person
from frontdesk.core.text_rules import TextRules, month_of, resumes_on
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import takes_sms
from frontdesk.values import Frozen


class UnreachedPeople(Frozen):
    engine: Callable[[], Engine]
    rules: TextRules

    def count(self, reads: Reads, now: datetime) -> int:
        """Counts people who may get messages from a desk before texts go out again, and can only
        get them as texts.
        """
        until = datetime.combine(resumes_on(now), time(), UTC)
        spent = reads.engine.text_spend(month_of(now))
        desks = self.engine().desks.values()
        ids = {each for desk in desks for each in desk.people_to_tell(reads, now, until)}
        people = reads.engine.people_with(sorted(ids)).values()
        return sum(self._needs_texts(reads, person, spent) for person in people)

    def _needs_texts(self, reads: Reads, person: Person, spent: int) -> bool:
        if person.erased or (person.email and not person.bounced):
            return False
        may_pay = self.rules.is_within_budget(person.mobile, spent)
        return not may_pay and takes_sms(reads, self.rules, person)
