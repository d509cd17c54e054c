"""The conditional writes of the admin desk."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Change
from frontdesk.core.members import MemberId, Role
from frontdesk.desks.admin.model import Membership, Rows, SignInLink


class AddMember(Change):
    """Condition: this person does not have this role (for this event) yet."""

    membership: Membership


class AddOwner(Change):
    """Condition: there is no owner at all."""

    membership: Membership


class EndMembership(Change):
    """With all its sessions and links. Condition: it is active, and another owner stays."""

    member_id: MemberId
    at: datetime


class WriteRole(Change):
    """Condition: the role as read, and another owner stays."""

    member_id: MemberId
    before: Role
    after: Role


class AddSignIn(Change):
    """Condition: the nonce is new. A printed one replaces those printed before."""

    link: SignInLink


class SpendSignIn(Change):
    """Condition: it was not spent before, and `at` is not past its expiry."""

    member_id: MemberId
    nonce: int
    at: datetime


class AddSession(Change):
    """Condition: the token is new and the membership active."""

    token_hash: str
    member_id: MemberId
    csrf: str
    device: str
    created_at: datetime
    expires_at: datetime


class MoveSessionEnd(Change):
    """Condition: it has not ended."""

    token_hash: str
    expires_at: datetime


class EndOneSession(Change):
    """Ending what has ended is no error."""

    token_hash: str
    at: datetime


class EndSessionsOf(Change):
    """Every session and every unspent link of a member; `but` is left alone."""

    member_id: MemberId
    at: datetime
    but: str = ""


class SettleLetter(Change):
    """Staff have dealt with a dead letter. Condition: nobody had before."""

    letter_id: int
    at: datetime


class Forget(Change):
    """The oldest rows from before an instant, as many as `at_most`. No condition."""

    what: Rows
    before: datetime
    at_most: int
