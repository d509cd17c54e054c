"""Declares the reads that the admin desk needs from a store, to decide and to display."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from frontdesk.core.decision import TimerName
from frontdesk.core.mail import MailId
from frontdesk.core.members import Member, MemberId, Session
from frontdesk.core.people import Person, PersonId
from frontdesk.core.saved_settings import SettingReads
from frontdesk.core.sends import Send, SendId, SendState
from frontdesk.core.wording import Wording, wording_setting
from frontdesk.desks.admin.model import (
    SAVED_BUSINESS,
    SAVED_TROUBLES,
    Business,
    Membership,
    OldRows,
    SignInLink,
    Trouble,
)
from frontdesk.engine.ports import DeadLetter, Recorded
from frontdesk.values import Frozen


class TeamRow(Frozen):
    """A membership with its person."""

    membership: Membership
    person: Person
    last_seen_at: datetime | None
    sessions: int


class MessageRow(Frozen):
    """A send with its person, and its subject if it went out."""

    send: Send
    person: Person
    subject: str


class MessageFilter(Frozen, kw_only=True):
    """Which messages to list; `but_desk` leaves out those of one desk."""

    search: str = ""
    states: frozenset[SendState] = frozenset()
    kind: str = ""
    person_id: str = ""
    but_desk: str = ""


class MailRow(Frozen):
    """A mail that came in, with only the beginning of its source."""

    id: MailId
    received_at: datetime
    sender: str
    recipient: str
    outcome: str
    head: bytes
    """The beginning of the mail, with the headers."""


class MailFilter(Frozen, kw_only=True):
    search: str = ""
    """Matches addresses, the names of known people, and outcomes."""
    for_a_person: bool = False
    """Only mails that no desk reads and nobody has dealt with."""


class FactFilter(Frozen, kw_only=True):
    desk: str = ""
    kind: str = ""
    about: str = ""
    """The id of a person, or of their entry on a list."""
    before: int = 0
    """Only facts with a lower number; 0 for the newest."""


class AdminSettings(SettingReads, Protocol):
    """The saved settings of the desk. The reads of each store inherit these methods."""

    def business(self) -> Business:
        return self.setting(SAVED_BUSINESS)

    def troubles(self) -> tuple[Trouble, ...]:
        """Returns the latest trouble of each outside system, ongoing or over."""
        return self.setting(SAVED_TROUBLES)

    def wording(self, mail_kind: str) -> Wording | None:
        """Returns the business's own wording of a mail to the team, if there is one."""
        return self.setting(wording_setting("fd", mail_kind))


class AdminReads(AdminSettings, Protocol):
    # To decide
    def membership(self, member_id: MemberId) -> Membership | None: ...
    def memberships_of(self, person_id: PersonId) -> tuple[Membership, ...]: ...
    def owners(self) -> tuple[Membership, ...]:
        """Returns the active owners, oldest first."""

    def sign_in(self, member_id: MemberId, nonce: int) -> SignInLink | None: ...
    def session(self, token_hash: str, now: datetime) -> Session | None:
        """Returns the session, if it has not ended or expired and its member is still active."""

    def staff(self) -> Sequence[PersonId]:
        """Returns active owners and staff who have given their own address."""

    def dead_letter(self, letter_id: int) -> DeadLetter | None:
        """Returns the dead letter, if nobody has dealt with it yet."""

    def letter_of_send(self, send_id: SendId) -> int | None:
        """Returns the number of the open dead letter about this send, or None."""

    def timer_at(self, name: TimerName) -> datetime | None: ...
    def old_count(self, what: OldRows, before: datetime, at_most: int) -> int:
        """Counts rows from before an instant, up to `at_most`."""

    # To show
    def member(self, member_id: MemberId) -> Member | None: ...
    def team(self, now: datetime) -> Sequence[TeamRow]: ...
    def sessions_of(self, member_id: MemberId, now: datetime) -> Sequence[Session]: ...
    def messages(
        self, wanted: MessageFilter, *, limit: int, offset: int = 0
    ) -> Sequence[MessageRow]:
        """Returns messages, newest first."""

    def message_counts(self, wanted: MessageFilter) -> dict[SendState, int]:
        """Counts messages by state; leaves out states without any."""

    def message_kinds(self, but_desk: str = "") -> Sequence[str]: ...
    def mails(self, wanted: MailFilter, *, limit: int, offset: int = 0) -> Sequence[MailRow]:
        """Returns incoming mails, newest first."""

    def mail_count(self, wanted: MailFilter) -> int: ...
    def people(self, search: str, *, limit: int, offset: int = 0) -> Sequence[Person]:
        """Returns people by name, without erased ones."""

    def people_count(self, search: str) -> int: ...
    def raw_mails(self, person_id: PersonId, limit: int) -> Sequence[tuple[str, datetime, bytes]]:
        """Returns the person's mails to us: id, time of receipt, and source."""

    def problems(self, limit: int) -> Sequence[DeadLetter]:
        """Returns open dead letters, newest first."""

    def problem_count(self) -> int: ...
    def facts(self, wanted: FactFilter, limit: int) -> Sequence[Recorded]:
        """Returns facts, newest first."""

    def fact(self, seq: int) -> Recorded | None: ...
