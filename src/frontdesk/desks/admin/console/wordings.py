"""Edits the wording of mails to the team."""

from __future__ import annotations

from typing import Final

from frontdesk.desks.admin.commands import SetWording
from frontdesk.desks.admin.messages import WORDINGS
from frontdesk.features.wordings.pages import WordingPages
from frontdesk.web.console.shell import SettingsLink

PAGES: Final = WordingPages(
    desk="fd",
    path="/console/settings/team-mails",
    title="Team email templates",
    groups=(("To the team", WORDINGS),),
    change=SetWording,
)
LINK: Final = SettingsLink(
    PAGES.title, "The words of invitations to the team and of sign-in links.", PAGES.path
)
