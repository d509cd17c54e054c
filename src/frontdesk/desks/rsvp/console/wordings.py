"""What each mail of this desk says, in the business's own words or in ours."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute

from frontdesk.core.wording import Wording
from frontdesk.desks.rsvp.commands import SetWording
from frontdesk.desks.rsvp.load import rsvp
from frontdesk.desks.rsvp.messages import WORDINGS
from frontdesk.desks.rsvp.messages.events import TO_HOSTS
from frontdesk.engine.ports import Reads
from frontdesk.features.wordings.pages import Mails, WordingPages

PATH: Final = "/console/settings/mails"


def _own(reads: Reads, kind: str) -> Wording | None:
    return rsvp(reads).wording(kind)


MAILS: Final = Mails(
    path=PATH,
    title="Email templates",
    groups=(
        ("To guests", {kind: mail for kind, mail in WORDINGS.items() if kind not in TO_HOSTS}),
        ("To hosts", {kind: mail for kind, mail in WORDINGS.items() if kind in TO_HOSTS}),
    ),
    own=_own,
    change=SetWording,
)


def routes() -> list[BaseRoute]:
    return WordingPages(MAILS).routes()
