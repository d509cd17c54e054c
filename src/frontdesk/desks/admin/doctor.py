"""Doctor checks of the admin desk: its followers, and mail to owners and staff."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from frontdesk.desks.admin.notes import NOTES
from frontdesk.desks.admin.refused_mail import way_out, why_no_mail, without_mail
from frontdesk.engine.inspection import CheckResult, DeskChecks, InspectableStore, kinds_of


def examine(view: InspectableStore, _now: datetime, _settled: bool) -> CheckResult:
    return CheckResult(
        tuple(
            f"{one.name} of the team gets no mail. {why_no_mail(one)} {way_out(one)}"
            for one in without_mail(view.reads)
        )
    )


CHECKS: Final = DeskChecks(followed={"fd.tell": kinds_of(NOTES)}, examine=examine)
