"""A fact of the outbox as the bus has it, and everybody who is brought one."""

from __future__ import annotations

import json
from typing import Any

from frontdesk.aws.streams import Row
from frontdesk.store.rows import instant


def detail(row: Row) -> dict[str, Any]:
    """The number as a text: it has more digits than many readers of JSON keep."""
    return {
        "seq": str(row["seq"]),
        "kind": row["kind"],
        "at": instant(row["at"]).isoformat(),
        "by": row["by"],
        "subject": row["subject"],
        "about": row.get("about", ""),
        "fact": json.loads(row["body"]),
    }
