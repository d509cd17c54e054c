"""What the mails to the team say, in the business's own words or in ours."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute

from frontdesk.core.wording import Wording
from frontdesk.desks.admin.commands import SetWording
from frontdesk.desks.admin.load import admin
from frontdesk.desks.admin.messages import WORDINGS
from frontdesk.engine.ports import Reads
from frontdesk.features.wordings.pages import Mails, WordingPages
from frontdesk.web.console.shell import SettingsLink

PATH: Final = "/console/settings/team-mails"
TITLE: Final = "Team email templates"
LINK: Final = SettingsLink(
    TITLE, "The words of invitations to the team and of sign-in links.", PATH
)


def _own(reads: Reads, kind: str) -> Wording | None:
    return admin(reads).wording(kind)


MAILS: Final = Mails(
    path=PATH,
    title=TITLE,
    groups=(("To the team", WORDINGS),),
    own=_own,
    change=SetWording,
)


def routes() -> list[BaseRoute]:
    return WordingPages(MAILS).routes()
