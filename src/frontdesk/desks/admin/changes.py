"""Defines the conditional writes of the admin desk."""

from __future__ import annotations

from datetime import datetime

from frontdesk.core.decision import Change
from frontdesk.core.members import MemberId, Role
from frontdesk.desks.admin.model import Membership, OldRows, SignInLink


class AddMember(Change):
    """Condition: this person does not have this role (for this event) yet."""

    membership: Membership


class AddOwner(Change):
    """Condition: there is no owner at all."""

    membership: Membership


class EndMembership(Change):
    """Ends a membership with its sessions and links. Condition: it is active, and another owner
    stays."""

    member_id: MemberId
    at: datetime


class WriteRole(Change):
    """Condition: the role as read, and another owner stays."""

    member_id: MemberId
    before: Role
    after: Role


class AddSignIn(Change):
    """Condition: the nonce is new. A printed link replaces those printed before."""

    link: SignInLink


class SpendSignIn(Change):
    """Condition: the link is unspent, and `at` is before it expires."""

    member_id: MemberId
    nonce: int
    at: datetime
    address_works: bool = False
    """Whether to remove the mark of a bounce from the member's address. Only for a mailed link."""


class AddSession(Change):
    """Condition: the token is new and the membership is active."""

    token_hash: str
    member_id: MemberId
    csrf: str
    device: str
    created_at: datetime
    expires_at: datetime


class MoveSessionEnd(Change):
    """Condition: the session has not ended."""

    token_hash: str
    expires_at: datetime


class EndOneSession(Change):
    """Ends a session; no error if it has ended already."""

    token_hash: str
    at: datetime


class EndSessionsOf(Change):
    """Ends every session and unspent link of a member, except the session `but`."""

    member_id: MemberId
    at: datetime
    but: str = ""


class SettleLetter(Change):
    """Closes a dead letter. Condition: it is open."""

    letter_id: int
    at: datetime


class DeleteOldRows(Change):
    """Deletes up to `at_most` of the oldest rows from before an instant; of messages only the text.
    No condition."""

    what: OldRows
    before: datetime
    at_most: int
