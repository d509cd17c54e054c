"""Sessions in a cookie, and protection against forged requests."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from datetime import timedelta
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.decision import Refused
from frontdesk.core.ids import ID_BYTES
from frontdesk.core.members import SESSION_LASTS, ExtendSession, Member, Session
from frontdesk.values import Frozen
from frontdesk.web.site import Site, site_of

COOKIE = "fd_session"
#: Browsers accept a cookie with this prefix only over https, for this host and all its paths.
HOST_ONLY = "__Host-"
#: A value that needs no quotes in a cookie.
_TOKEN = re.compile(r"[\w.-]+", re.ASCII)
_PLAIN = "HttpOnly; Path=/; SameSite=lax"
_SECURE = f"{_PLAIN}; Secure"
TOKEN_BYTES = 32
MOST_TOKEN_CHARACTERS = 64
#: A session is extended at most this often, so that not every click is a write.
EXTEND_AFTER = timedelta(days=1)
MOST_NEXT_CHARACTERS = 500


class NewSession(Frozen):
    """The tokens that a browser gets at sign-in. They are always new."""

    token: str
    csrf: str

    @property
    def token_hash(self) -> str:
        return hash_of(self.token)


def new_session() -> NewSession:
    return NewSession(secrets.token_urlsafe(TOKEN_BYTES), secrets.token_urlsafe(ID_BYTES))


def hash_of(token: str) -> str:
    """The store has only this hash, so that nobody can sign in with a copy of the data."""
    return hashlib.sha256(token.encode()).hexdigest()


def session_of(request: Request) -> Session | None:
    """Returns the session of this browser, if it is still valid."""
    try:
        known: Session | None = request.state.session
    except AttributeError:
        known = request.state.session = _find(request)
    return known


def member_of(request: Request) -> Member | None:
    session = session_of(request)
    return session.member if session else None


def _find(request: Request) -> Session | None:
    token = read_cookie(request, COOKIE)
    if not token or len(token) > MOST_TOKEN_CHARACTERS:
        return None
    site = site_of(request)
    found: Session | None = site.reads().desk("fd").session(hash_of(token), site.clock.now())
    return found


def read_cookie(request: Request, name: str) -> str:
    """Reads a cookie of ours. Over https, a subdomain cannot set it."""
    return request.cookies.get(cookie_name(site_of(request), name), "")


def cookie_name(site: Site, name: str) -> str:
    return f"{HOST_ONLY}{name}" if _is_secure(site) else name


def put_cookie(response: Response, site: Site, name: str, value: str, lasts: timedelta) -> None:
    is_secure, seconds = _is_secure(site), int(lasts.total_seconds())
    named = cookie_name(site, name)
    if _TOKEN.fullmatch(value):  # without quotes; Starlette takes five times as long
        end = f"; Max-Age={seconds}; {_SECURE if is_secure else _PLAIN}"
        response.headers.append("set-cookie", f"{named}={value}{end}")
        return
    response.set_cookie(
        named,
        value,
        max_age=seconds,
        path="/",
        httponly=True,
        samesite="lax",
        secure=is_secure,
    )


def drop_cookie(response: Response, site: Site, name: str) -> None:
    response.delete_cookie(
        cookie_name(site, name), path="/", httponly=True, samesite="lax", secure=_is_secure(site)
    )


def put_session_cookie(response: Response, site: Site, session: NewSession) -> None:
    put_cookie(response, site, COOKIE, session.token, SESSION_LASTS)


async def extend(request: Request, response: Response, session: Session) -> None:
    """Extends a session in use, in the store and in the browser."""
    site = site_of(request)
    if session.expires_at - site.clock.now() > SESSION_LASTS - EXTEND_AFTER:
        return
    outcome = await site.run(ExtendSession(session.token_hash), by=session.member.by)
    if isinstance(outcome, Refused):
        return
    put_cookie(response, site, COOKIE, read_cookie(request, COOKIE), SESSION_LASTS)


def is_our_form(session: Session, token: str) -> bool:
    """Returns whether the CSRF token is that of this session; compares in constant time."""
    return hmac.compare_digest(session.csrf.encode(), token.encode())


def comes_from_us(request: Request) -> bool:
    """Whether the request comes from our own pages, by its headers. Old browsers send none and
    pass."""
    fetched_from = request.headers.get("sec-fetch-site", "same-origin")
    if fetched_from not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin")
    if origin is None:
        return True
    ours = {site_of(request).settings.console_at, f"{request.url.scheme}://{request.url.netloc}"}
    return _place(origin) in {_place(each) for each in ours}


def _place(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ("", url)
    return parts.scheme, parts.netloc.lower()


def safe_next(path: str) -> str:
    """Returns the path if it is a page of the console, else the first page of the console."""
    is_ours = path == "/console" or path.startswith(("/console/", "/console?"))
    is_plain = path.isascii() and path.isprintable() and not {"\\", "\x20"} & set(path)
    is_short = len(path) <= MOST_NEXT_CHARACTERS
    return path if is_ours and is_plain and is_short and "/.." not in path else "/console"


def device_of(request: Request) -> str:
    """Describes a browser in a few words: 'Firefox on Linux'. Nothing else is stored."""
    agent = request.headers.get("user-agent", "")[:500]
    browser = next((name for mark, name in _BROWSERS if mark in agent), "A browser")
    system = next((name for mark, name in _SYSTEMS if mark in agent), "")
    return f"{browser} on {system}" if system else browser


_BROWSERS = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
)
_SYSTEMS = (
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "a Mac"),
    ("Linux", "Linux"),
)


def _is_secure(site: Site) -> bool:
    return site.settings.base_url.startswith("https://")
