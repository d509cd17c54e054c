"""Parses a raw mail: its sender, its new text, and whether a desk may act on it."""

import re
from collections.abc import Collection
from enum import StrEnum

from frontdesk.connect.mail_headers import (
    Authentication,
    Verdict,
    addresses,
    decode_words,
    domain_of,
    message_ids,
    read_results,
)
from frontdesk.connect.mail_text import calendar_reply, new_text, readable_text
from frontdesk.connect.mime_parts import BadMail, MimePart, read_part
from frontdesk.core.contacts import BadContact, clean_email, clean_name, name_from_email
from frontdesk.core.mail import written_by
from frontdesk.values import Frozen

__all__ = [
    "Authentication",
    "Automatic",
    "BadMail",
    "IncomingMail",
    "Verdict",
    "read_mail",
    "repeat_key",
]

MAX_REFERENCES = 20
MAX_NAME = 120
MAX_SUBJECT = 300
MAX_HOPS = 50


class Automatic(StrEnum):
    """The reason why we must not answer a mail or act on it."""

    AUTO_REPLY = "auto-reply"
    BOUNCE = "bounce"
    MAILING_LIST = "mailing list"
    LOOP = "loop"
    NO_SENDER = "no usable sender"


class IncomingMail(Frozen, kw_only=True):
    """A mail with the values that desks need. Texts are empty if the mail has none."""

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
    calendar_reply: str = ""

    @property
    def sender_name(self) -> str:
        """The name in the header, or one that is made from the address."""
        try:
            return clean_name(self.from_name)
        except BadContact:
            return name_from_email(self.from_email)


def read_mail(
    raw: bytes,
    *,
    authentication: Authentication | None = None,
    trusted_authserv: str = "",
    envelope_from: str | None = None,
    envelope_to: Collection[str] = (),
    our_addresses: Collection[str] = (),
) -> IncomingMail:
    """Parses one mail. Raises only `BadMail`.

    The verdicts in `authentication` decide whether the sender is authenticated. Without them, the
    topmost `Authentication-Results` header decides, if it is by `trusted_authserv`: that server
    must remove headers with its name from incoming mail.
    """
    mail = read_part(raw)
    name, email = _sender(mail)
    if authentication is None:
        authentication = read_results(
            mail.first("authentication-results"), trusted=trusted_authserv
        )
    return IncomingMail(
        message_id=next(iter(message_ids(mail.first("message-id"), at_most=1)), ""),
        in_reply_to=next(iter(message_ids(mail.first("in-reply-to"), at_most=1)), ""),
        references=message_ids(mail.first("references"), at_most=MAX_REFERENCES),
        from_email=email,
        from_name=name,
        to=_recipients(mail, envelope_to),
        subject=decode_words(mail.first("subject"))[:MAX_SUBJECT],
        new_text=new_text(readable_text(mail)),
        automatic=_automatic(mail, email, envelope_from, our_addresses),
        authenticated=bool(email) and authentication.vouches_for(domain_of(email)),
        calendar_reply=calendar_reply(mail),
    )


def repeat_key(raw: bytes) -> bytes:
    """Returns a key that is the same for a mail and its repeats: its sender and Message-ID.

    Each server adds headers of its own, so two copies of one mail differ. Without an id or a
    sender, the key is the whole mail.
    """
    try:
        mail = read_part(raw)
    except BadMail:
        return raw
    ids = message_ids(mail.first("message-id"), at_most=1)
    _, email = _sender(mail)
    return written_by(email, ids[0]) if ids and email else raw


def _sender(mail: MimePart) -> tuple[str, str]:
    """Returns name and address; no address unless there is exactly one."""
    headers = mail.all("from")
    found = addresses(headers[0]) if len(headers) == 1 and len(headers[0]) <= 2_000 else []
    if len(found) != 1:
        return "", ""
    name = found[0].name[:MAX_NAME].strip()
    try:
        return name, clean_email(found[0].email)
    except BadContact:
        return name, ""


def _recipients(mail: MimePart, envelope_to: Collection[str]) -> tuple[str, ...]:
    """Returns all recipients, those of the envelope first: it says where the mail really went."""
    found = list(envelope_to)
    for header in ("delivered-to", "x-original-to", "to", "cc"):
        for value in mail.all(header)[:10]:
            found += [address.email for address in addresses(value)]
    return tuple(dict.fromkeys(email.lower() for email in found if _EMAIL.fullmatch(email)))


_EMAIL = re.compile(r"[^\s<>@\"]{1,64}@[^\s<>@\"]{1,255}")


def _automatic(
    mail: MimePart, email: str, envelope_from: str | None, our_addresses: Collection[str]
) -> Automatic | None:
    """Returns the first reason that applies; the header rules follow RFC 3834, 2369 and 3464."""
    if _is_loop(mail, email, our_addresses):
        return Automatic.LOOP
    if _is_bounce(mail, email):
        return Automatic.BOUNCE
    if _is_auto_reply(mail, email):
        return Automatic.AUTO_REPLY
    if _is_list(mail):
        return Automatic.MAILING_LIST
    if envelope_from in ("", "<>") or _BARE.sub("", mail.first("return-path")) == "<>":
        return Automatic.BOUNCE
    return None if email else Automatic.NO_SENDER


_BARE = re.compile(r"\s+")


def _is_loop(mail: MimePart, email: str, our_addresses: Collection[str]) -> bool:
    ours = {address.lower() for address in our_addresses}
    return (
        bool(mail.all("x-frontdesk") or mail.all("x-loop"))
        or (bool(email) and email in ours)
        or len(mail.all("received")) > MAX_HOPS
    )


def _is_bounce(mail: MimePart, email: str) -> bool:
    written = " ".join(mail.all("from"))[:2_000].lower()
    return (
        (
            mail.kind == "multipart/report"
            and mail.parameter("report-type") in ("", "delivery-status")
        )
        or bool(mail.all("x-failed-recipients"))
        or email.partition("@")[0] in ("mailer-daemon", "postmaster")
        or "mailer-daemon" in written
    )


def _is_auto_reply(mail: MimePart, email: str) -> bool:
    return (
        mail.kind == "multipart/report"
        or _word(mail, "auto-submitted") not in ("", "no")
        or _word(mail, "precedence") in ("auto_reply", "junk")
        or any(_word(mail, name) not in ("", "no") for name in _AUTO_REPLY_HEADERS)
        or _asks_for_no_answer(mail)
        or _is_no_reply(email)
        or bool(_AUTO_REPLY_SUBJECT.match(decode_words(mail.first("subject"))[:100]))
    )


_AUTO_REPLY_HEADERS = ("x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply")
_AUTO_REPLY_SUBJECT = re.compile(
    r"(automatic reply|auto(matic)? ?response|auto-?reply|out of (the )?office|undeliver"
    r"|automatische antwort|abwesenheits|r[ée]ponse automatique|respuesta autom[áa]tica"
    r"|fuera de la oficina|absence du bureau)",
    re.IGNORECASE,
)


def _asks_for_no_answer(mail: MimePart) -> bool:
    """Exchange sets this header on automatic mails, but also on mails of people.

    It lists the replies that the sender does not want. Ours are automatic, so 'All', 'AutoReply'
    and 'OOF' concern us; receipts ('DR', 'RN', …) are also suppressed on people's mails.
    """
    unwanted = {word.strip().lower() for word in mail.first("x-auto-response-suppress").split(",")}
    return not unwanted.isdisjoint(("all", "autoreply", "oof"))


def _is_no_reply(email: str) -> bool:
    local = re.sub("[-_.]", "", email.partition("@")[0].partition("+")[0])
    return local.startswith(_NO_REPLY) or local.endswith(_NO_REPLY)


_NO_REPLY = ("noreply", "donotreply")


def _is_list(mail: MimePart) -> bool:
    return _word(mail, "precedence") in ("bulk", "list") or any(
        name in _LIST_HEADERS for name, _ in mail.headers
    )


_LIST_HEADERS = frozenset(
    ("list-id", "list-unsubscribe", "list-post", "list-help", "mailing-list", "x-mailing-list")
)


def _word(mail: MimePart, name: str) -> str:
    """Returns the first word of a header, without comments and parameters."""
    return mail.first(name)[:200].partition(";")[0].partition("(")[0].strip().lower()
