"""What each mail of this desk says, in the business's own words or in ours."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute

from frontdesk.core.wording import Wording
from frontdesk.desks.rsvp import voice
from frontdesk.desks.rsvp.commands import SetWording
from frontdesk.desks.rsvp.host_mails import TO_HOSTS
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.mail_kinds import KINDS
from frontdesk.engine.ports import Reads
from frontdesk.web.wordings import Mails, WordingPages

PATH: Final = "/console/settings/mails"


def _own(reads: Reads, kind: str) -> Wording | None:
    return rsvp(reads).wording(kind)


MAILS: Final = Mails(
    path=PATH,
    title="Email templates",
    groups=(
        ("To guests", {kind: mail for kind, mail in KINDS.items() if kind not in TO_HOSTS}),
        ("To hosts", {kind: mail for kind, mail in KINDS.items() if kind in TO_HOSTS}),
    ),
    default=voice.default,
    own=_own,
    change=SetWording,
)


def routes() -> list[BaseRoute]:
    return WordingPages(MAILS).routes()
