"""Sample values of placeholders, for previews of the messages of several desks."""

from __future__ import annotations

from typing import Final

#: As long as a real token, so that previews show the right size of an SMS.
SAMPLE_TOKEN: Final = f"{'k7YcR2mVt0' * 4}k7Yc"
SAMPLE_LINK: Final = f"https://salon.example/l/{SAMPLE_TOKEN}"
SAMPLE_TELL_US: Final = "Please call +65 6123 4567."
SERVICE_SAMPLE: Final = {"name": "Ann Lee", "business": "Salon Mia", "service": "Cut and colour"}
#: `with_staff` is empty if no staff member is named.
VISIT_SAMPLE: Final = {
    **SERVICE_SAMPLE,
    "with_staff": "with Mia",
    "when": "Friday 20 November, 15:00 (SGT)",
}
