"""Lists the facts that the admin desk's followers act on, for the doctor."""

from __future__ import annotations

from typing import Final

from frontdesk.desks.admin.notes import NOTES
from frontdesk.engine.inspection import DeskChecks, kinds_of

CHECKS: Final = DeskChecks(followed={"fd.tell": kinds_of(NOTES)})
