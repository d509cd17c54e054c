"""Renders mails to the team."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Final

from frontdesk.core.localtime import spoken_deadline, zone
from frontdesk.core.members import MemberId, Role
from frontdesk.core.sends import Via
from frontdesk.core.wording import Wording, WordingSpec, usable
from frontdesk.desks.admin.decide.people import MARKED_WRONG
from frontdesk.desks.admin.links import sign_in_url
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.model import Part
from frontdesk.desks.admin.trouble_words import WORDS, unreached_text
from frontdesk.engine.desk import Drop
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import (
    DeskMessages,
    MessageContent,
    MessageContext,
    MessageKind,
    message_kind,
)
from frontdesk.logs import failure, log

_ROLES: Final = {
    Role.OWNER: "You are an owner: you see and change everything, and choose who is in the team.",
    Role.STAFF: "You are staff: you see and change everything but the team and the settings.",
    Role.HOST: "You are a host: you see your event, its guests and its messages.",
}


def sign_in(c: MessageContext) -> MessageContent | Drop:
    why = f"somebody asked to sign in to {c.sender.business} with your address."
    return _sign_in(c, f"You get this mail because {why}")


def invitation(c: MessageContext) -> MessageContent | Drop:
    why = f"an owner of {c.sender.business} added you to the team."
    return _sign_in(c, f"You get this mail because {why}")


def _sign_in(c: MessageContext, reason: str) -> MessageContent | Drop:
    fd = admin(c.reads)
    membership = fd.membership(MemberId(c.send.subject))
    if membership is None or not membership.is_active:
        return Drop("no longer in the team")
    if c.person.bounced == MARKED_WRONG:
        return Drop("an owner has marked this address as wrong")
    link = fd.sign_in(membership.id, int(c.send.params["nonce"]))
    if link is None or link.spent_at is not None or c.now >= link.expires_at:
        return Drop("the link is used already or too old")
    keys, base_url = c.sender.keys(), c.sender.console_url
    values = {
        "name": c.person.name,
        "until": spoken_deadline(link.expires_at, c.now, zone(fd.business().zone)),
        "sign_in_link": sign_in_url(base_url, keys, membership.id, link.nonce, link.expires_at),
        "role_line": _ROLES[membership.role],
    }
    return MessageContent(values, reason=reason)


CountUnreached = Callable[[Reads, datetime], int]
"""Counts people whom no message reaches until texts go out again."""


class TroubleContext(MessageContext):
    out_of_reach: CountUnreached


def trouble(c: TroubleContext) -> MessageContent | Drop:
    fd, part = admin(c.reads), Part(str(c.send.params["part"]))
    if c.person.id not in fd.staff():
        return Drop("no longer in the team")
    if not any(each.part is part and each.is_shown for each in fd.troubles()):
        return Drop("it works again")
    values = {
        "name": c.person.name,
        "what": WORDS[part].what,
        "means": _means(c, part),
        "why": str(c.send.params["why"]),
        "console_link": f"{c.sender.console_url}/console/problems",
    }
    reason = f"You get this mail because you are in the team of {c.sender.business}."
    return MessageContent(values, reason=reason)


def _means(c: TroubleContext, part: Part) -> str:
    means = WORDS[part].means
    if part is not Part.TEXTS:
        return means
    try:
        people = c.out_of_reach(c.reads, c.now)
    except Exception as error:  # send the mail even if the number cannot be counted
        log("trouble.not_counted", why=failure(error))
        return means
    return f"{unreached_text(people, c.now)} {means}"


_EVERY: Final = {"name": "Ann Lee", "business": "The Long Table"}
_SIGN_IN: Final = {
    **_EVERY,
    "until": "until 10:15 today (SGT)",
    "sign_in_link": "https://example.org/sign-in/sample",
}

KINDS: Final[Mapping[str, MessageKind]] = {
    "sign_in": message_kind(
        sign_in,
        "Somebody of the team asks to sign in",
        """
Subject: Sign in to {{ business }}

# Here is your link

With it you sign in to {{ business }}. It works once, {{ until }}.

If you did not ask for it, you can leave it: nobody gets in without it.

Sign in:
{{ sign_in_link }}
""",
        "sign_in_link",
        **_SIGN_IN,
    ),
    "invitation": message_kind(
        invitation,
        "Somebody is added to the team",
        """
Subject: You are invited to the team of {{ business }}

# Welcome to {{ business }}

{{ role_line }}

This link lets you in once, {{ until }}.

After that, ask for a new one with this address on the sign-in page.

Sign in:
{{ sign_in_link }}
""",
        "sign_in_link",
        **_SIGN_IN,
        role_line=_ROLES[Role.HOST],
    ),
    "trouble": message_kind(
        trouble,
        "A connected service fails",
        """
Subject: {{ what }}

# {{ what }}

{{ means }}

What we were told: {{ why }}

You get no further mail about this until it has worked again.

See the problem:
{{ console_link }}
""",
        "what console_link",
        **_EVERY,
        what="The language model cannot be used.",
        means="Requests by mail are read by our rules alone.",
        why="AccessDeniedException: You don't have access to the model.",
        console_link="https://example.org/console/problems",
    ),
}
WORDINGS: Final[Mapping[str, WordingSpec]] = {
    kind: declared.mail for kind, declared in KINDS.items() if declared.mail
}


def messages(out_of_reach: CountUnreached = lambda _reads, _now: 0) -> DeskMessages:
    def context(base: MessageContext) -> TroubleContext:
        return TroubleContext(
            base.sender, base.reads, base.send, base.person, base.now, out_of_reach
        )

    return DeskMessages(KINDS, context, _wording)


def _wording(reads: Reads, _via: Via, kind: str) -> Wording:
    return usable(WORDINGS[kind], admin(reads).wording(kind))
