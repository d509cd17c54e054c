"""Signs and reads sign-in links: one member, one nonce, valid once."""

from __future__ import annotations

from datetime import datetime
from enum import IntEnum

from frontdesk.core.ids import id_bytes, new_id
from frontdesk.core.links import BadLink, ExpiredLink, Keys, Link, read, sign
from frontdesk.core.members import MemberId
from frontdesk.values import Frozen


class Purpose(IntEnum):
    """The purpose of a link. Existing numbers must not change; the admin desk's begin at 200."""

    SIGN_IN = 200


class SignInToken(Frozen):
    """The content of a genuine link; `expired` if it came too late."""

    member_id: MemberId
    nonce: int
    expired: bool = False


def sign_in_url(
    base_url: str, keys: Keys, member_id: MemberId, nonce: int, expires_at: datetime
) -> str:
    link = Link(Purpose.SIGN_IN, id_bytes(member_id), nonce, expires_at)
    return f"{base_url}/sign-in/{sign(link, keys)}"


def read_sign_in(token: str, keys: Keys, now: datetime) -> SignInToken | None:
    """Reads a token; None if it is not a sign-in link of ours."""
    try:
        link, expired = read(token, keys, now), False
    except ExpiredLink as late:
        link, expired = late.link, True
    except BadLink:
        return None
    if link.purpose != Purpose.SIGN_IN:
        return None
    return SignInToken(MemberId(new_id(link.subject)), link.thing, expired)
