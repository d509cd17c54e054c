"""Builds the booking desk's parts on AWS: its rules in a bucket, calendars at another function."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from frontdesk.desks.booking.decide.states import CALENDAR_JOB
from frontdesk.desks.booking.documents import EDITED_RULES
from frontdesk.desks.booking.model import CODE
from frontdesk.features.documents.sync import Documents
from frontdesk.wiring.application import Application
from frontdesk.wiring.aws import AwsResources, RemoteWork
from frontdesk.wiring.booking import desk
from frontdesk.wiring.booking.rules import addresses_of, documents_with
from frontdesk.wiring.desk_parts import DeskOnAws
from frontdesk.wiring.google_documents import copies_in_bucket

if TYPE_CHECKING:
    from frontdesk.web.site import Site

#: The function that reads and writes the calendars of bookings.
BK_CALENDAR: Final = "bk-calendar"
#: The function that copies the rules from Google Drive.
CONFIG_SYNC: Final = "fn-config-sync"


class BookingOnAws(DeskOnAws):
    def install(
        self, back: Application, site: Site, account: AwsResources, remote: RemoteWork
    ) -> None:
        from frontdesk.desks.booking.pages.fresh_calendars import CACHE
        from frontdesk.features.documents.console import refresh_key

        desk.install(site)
        site.shared[EDITED_RULES] = documents_in_bucket(back, account)
        if addresses_of(back.settings):
            site.shared[refresh_key(CODE)] = remote.documents(CONFIG_SYNC, CODE)
        site.shared[CACHE] = remote.calendar_cache(BK_CALENDAR)

    def open(self, back: Application, account: AwsResources) -> None:
        documents_in_bucket(back, account).take_edits()
        desk.hold_cleanup(back).turn()

    def job_functions(self) -> Mapping[str, str]:
        return {CALENDAR_JOB: BK_CALENDAR}


def documents_in_bucket(back: Application, account: AwsResources) -> Documents:
    """Reads the file in the bucket, which is a copy if staff edit it in Google Drive."""
    copies = addresses_of(back.settings)
    return documents_with(back, copies_in_bucket(account, account.rules_bucket, copies), copies)
