"""Which rows the admin desk asks a store for: to decide, and to show."""

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
    Rows,
    SignInLink,
    Trouble,
)
from frontdesk.engine.ports import DeadLetter, Recorded
from frontdesk.values import Frozen


class TeamRow(Frozen):
    """A membership with the person behind it."""

    membership: Membership
    person: Person
    last_seen_at: datetime | None
    sessions: int


class MessageRow(Frozen):
    """A send with its person, and the subject it had if it went out."""

    send: Send
    person: Person
    subject: str


class MessageFilter(Frozen, kw_only=True):
    """`but_desk` leaves the messages of one desk out."""

    search: str = ""
    states: frozenset[SendState] = frozenset()
    kind: str = ""
    person_id: str = ""
    but_desk: str = ""


class MailRow(Frozen):
    """A mail that came in, without most of what it says."""

    id: MailId
    received_at: datetime
    sender: str
    recipient: str
    outcome: str
    head: bytes
    """Its beginning, with the headers."""


class MailFilter(Frozen, kw_only=True):
    search: str = ""
    """In addresses, in the names of people we know, and in what became of it."""
    for_a_person: bool = False
    """Only those that no desk reads and nobody has dealt with."""


class FactFilter(Frozen, kw_only=True):
    desk: str = ""
    kind: str = ""
    about: str = ""
    """A person, or somebody's id on a list."""
    before: int = 0
    """Only those before this number; 0 for the newest."""


class HouseSettings(SettingReads, Protocol):
    """The saved settings of the desk. Each store's reads inherit these."""

    def business(self) -> Business:
        return self.setting(SAVED_BUSINESS)

    def troubles(self) -> tuple[Trouble, ...]:
        """Outside systems that fail or failed: the last time of each part."""
        return self.setting(SAVED_TROUBLES)

    def wording(self, mail_kind: str) -> Wording | None:
        """What the business has changed about a mail to the team."""
        return self.setting(wording_setting("fd", mail_kind))


class AdminReads(HouseSettings, Protocol):
    # To decide
    def membership(self, member_id: MemberId) -> Membership | None: ...
    def memberships_of(self, person_id: PersonId) -> tuple[Membership, ...]: ...
    def owners(self) -> tuple[Membership, ...]:
        """Active ones, the first to come first."""

    def sign_in(self, member_id: MemberId, nonce: int) -> SignInLink | None: ...
    def session(self, token_hash: str, now: datetime) -> Session | None:
        """Neither ended nor over, and of somebody who is still a member."""

    def staff(self) -> Sequence[PersonId]:
        """Owners and staff who have given an address of their own."""

    def dead_letter(self, letter_id: int) -> DeadLetter | None:
        """If nobody has dealt with it yet."""

    def letter_of_send(self, send_id: SendId) -> int | None:
        """The number of the open dead letter about this send, if there is one."""

    def timer_at(self, name: TimerName) -> datetime | None: ...
    def old_count(self, what: Rows, before: datetime, at_most: int) -> int:
        """How many rows are from before an instant; not counted further than `at_most`."""

    # To show
    def member(self, member_id: MemberId) -> Member | None: ...
    def team(self, now: datetime) -> Sequence[TeamRow]: ...
    def sessions_of(self, member_id: MemberId, now: datetime) -> Sequence[Session]: ...
    def messages(
        self, wanted: MessageFilter, *, limit: int, offset: int = 0
    ) -> Sequence[MessageRow]:
        """Newest first."""

    def message_counts(self, wanted: MessageFilter) -> dict[SendState, int]:
        """By state, whichever states are wanted."""

    def message_kinds(self, but_desk: str = "") -> Sequence[str]: ...
    def mails(self, wanted: MailFilter, *, limit: int, offset: int = 0) -> Sequence[MailRow]:
        """What came in, newest first."""

    def mail_count(self, wanted: MailFilter) -> int: ...
    def people(self, search: str, *, limit: int, offset: int = 0) -> Sequence[Person]:
        """By name; erased ones are nowhere."""

    def people_count(self, search: str) -> int: ...
    def raw_mails(self, person_id: PersonId, limit: int) -> Sequence[tuple[str, datetime, bytes]]:
        """What they wrote to us: id, when, and the mail as it came."""

    def problems(self, limit: int) -> Sequence[DeadLetter]:
        """Open ones, newest first."""

    def problem_count(self) -> int: ...
    def facts(self, wanted: FactFilter, limit: int) -> Sequence[Recorded]:
        """Newest first."""

    def fact(self, seq: int) -> Recorded | None: ...
