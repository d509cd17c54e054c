"""Members of the team and their sessions, for the web pages and the admin desk."""

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

#: The address of the first owner until they give their own. Nobody reads its mail.
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
    """Somebody who may sign in. `events` are the events that a host may see."""

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
        """The name of this actor in the audit."""
        return f"member:{self.id}"


class Session(Frozen):
    """A browser in which a member is signed in. Only the browser has the token itself."""

    token_hash: str
    member: Member
    csrf: str
    created_at: datetime
    expires_at: datetime
    device: str = ""


class ExtendSession(Command):
    """Moves the end of a session that is in use: its days count from now."""

    token_hash: str
