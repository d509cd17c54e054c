"""The HTML of a mail for a frame in a console page."""

from __future__ import annotations

import re
from typing import Final

from starlette.responses import HTMLResponse

#: The policy for a mail in its frame: no scripts, nothing external, no access to our pages.
MAIL_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'; frame-ancestors 'self'; "
    "sandbox allow-popups allow-popups-to-escape-sandbox"
)
_HEAD: Final = re.compile(r"<head\b[^>]*>", re.IGNORECASE)


def mail_frame(html: str) -> HTMLResponse:
    """Returns the HTML in its own sandbox. Its links open in a new tab."""
    headers = {
        "content-security-policy": MAIL_POLICY,
        "x-content-type-options": "nosniff",
        "x-frame-options": "SAMEORIGIN",
        "referrer-policy": "no-referrer",
        "cache-control": "no-store",
    }
    return HTMLResponse(in_new_tabs(html), headers=headers)


def in_new_tabs(html: str) -> str:
    base = '<base target="_blank">'
    found = _HEAD.search(html)
    return f"{html[: found.end()]}{base}{html[found.end() :]}" if found else base + html
