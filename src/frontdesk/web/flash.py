"""Flash messages: shown once on the next page, in a short signed cookie bound to the session."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import timedelta
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.links import Keys
from frontdesk.core.members import Session
from frontdesk.values import Frozen
from frontdesk.web.sessions import drop_cookie, put_cookie, read_cookie
from frontdesk.web.site import Site, site_of

COOKIE = "fd_flash"
LASTS = timedelta(minutes=2)
MOST_CHARACTERS = 2_000
#: Separates these signatures from those for other purposes.
_DOMAIN = b"frontdesk/flash/1\x00"


class Flash(Frozen):
    """A fixed text, with a URL to undo the action if there is one. kind: good or problem."""

    says: str
    kind: str = "good"
    undo_url: str = ""

    def shown(self, hidden: dict[str, str]) -> dict[str, Any]:
        """Returns the values for the layout template."""
        return {
            "says": self.says,
            "kind": self.kind,
            "undo_url": self.undo_url,
            "undo": "Undo",
            "hidden": hidden,
        }


def put_flash(response: Response, site: Site, session: Session, flash: Flash) -> None:
    body = urlsafe_b64encode(msgspec.json.encode(flash)).decode()
    put_cookie(response, site, COOKIE, f"{body}.{_mac(site.keys, session, body)}", LASTS)


def flash_of(request: Request, session: Session) -> Flash | None:
    """Returns the flash message in the cookie if its signature is valid."""
    body, _, mac = read_cookie(request, COOKIE)[:MOST_CHARACTERS].partition(".")
    expected = _mac(site_of(request).keys, session, body)
    if not mac or not hmac.compare_digest(mac.encode(), expected.encode()):
        return None
    return msgspec.json.decode(urlsafe_b64decode(body), type=Flash)


def forget_flash(response: Response, site: Site) -> None:
    drop_cookie(response, site, COOKIE)


def _mac(keys: Keys, session: Session, body: str) -> str:
    text = f"{session.token_hash}.{body}".encode()
    return hmac.digest(keys.current.secret, _DOMAIN + text, "sha256").hex()
