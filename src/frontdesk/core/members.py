"""Those who may sign in: what the web and the admin desk both need to know of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NewType

from frontdesk.core.decision import Command
from frontdesk.core.people import PersonId
from frontdesk.values import Frozen

MemberId = NewType("MemberId", str)

#: How long a session lasts after it was last used to change something.
SESSION_LASTS: Final = timedelta(days=30)

#: The first owner's, until they give their own. Nobody reads it.
STAND_IN_EMAIL: Final = "owner@frontdesk.example"


class Role(StrEnum):
    OWNER = "owner"
    """Everything, and the team."""
    STAFF = "staff"
    """Everything but the team and the settings of the business."""
    HOST = "host"
    """The events that they host, and nothing else."""

    def is_at_least(self, other: Role) -> bool:
        return _RANKS[self] >= _RANKS[other]


_RANKS: Final = {Role.HOST: 0, Role.STAFF: 1, Role.OWNER: 2}


class Member(Frozen):
    """One who may sign in, with their name. `events` are those that a host may see."""

    id: MemberId
    person_id: PersonId
    role: Role
    name: str
    email: str
    events: frozenset[str] = frozenset()

    def may_see(self, event_id: str) -> bool:
        return self.role is not Role.HOST or event_id in self.events

    @property
    def by(self) -> str:
        """How the audit names them."""
        return f"member:{self.id}"


class Session(Frozen):
    """A browser in which somebody is signed in. The token itself is in the browser alone."""

    token_hash: str
    member: Member
    csrf: str
    created_at: datetime
    expires_at: datetime
    device: str = ""


class ExtendSession(Command):
    """It is in use: count its days from now."""

    token_hash: str
