"""Reads one raw mail: who wrote it, what is new in it, and whether anything may come of it."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum


class BadMail(Exception):
    """What arrived cannot be read as a mail."""


class Verdict(StrEnum):
    PASS = "pass"  # noqa: S105
    FAIL = "fail"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Authentication:
    """What the receiving side found out about the sender.

    A pass of SPF or DKIM says something about the domain it was checked for only.
    """

    spf: Verdict = Verdict.NONE
    dkim: Verdict = Verdict.NONE
    dmarc: Verdict = Verdict.NONE
    spf_domain: str = ""
    dkim_domains: tuple[str, ...] = ()


UNAUTHENTICATED = Authentication()


class Automatic(StrEnum):
    """Why a mail must never be answered or acted on."""

    AUTO_REPLY = "auto-reply"
    BOUNCE = "bounce"
    MAILING_LIST = "mailing list"
    LOOP = "loop"
    NO_SENDER = "no usable sender"


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMail:
    message_id: str
    in_reply_to: str
    references: tuple[str, ...]
    from_email: str
    from_name: str
    to: tuple[str, ...]
    subject: str
    new_text: str
    automatic: Automatic | None
    authenticated: bool


def read_mail(
    raw: bytes,
    *,
    authentication: Authentication = UNAUTHENTICATED,
    trusted_authserv: str = "",
    envelope_from: str | None = None,
    envelope_to: Collection[str] = (),
    our_addresses: Collection[str] = (),
) -> IncomingMail:
    """Everything worth knowing about one mail.

    The sender is authenticated by the verdict that is passed in, or by the topmost
    `Authentication-Results` header if `trusted_authserv` wrote it.
    """
    raise BadMail("not readable yet")
