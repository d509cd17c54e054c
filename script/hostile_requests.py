"""Generates hostile requests for every route: methods, paths, headers, forms, JSON, webhooks.

`script/fuzz` sends them to a server, and a test sends a sample without a server. The same seed
generates the same requests.
"""

import hashlib
import hmac
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import quote, urlencode

from frontdesk.values import Frozen, field

FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
PARTS = "multipart/form-data; boundary=x"

#: Texts that break programs: sizes, extreme numbers and times, encodings, other languages.
NASTY: Sequence[str] = (
    *("", " ", "0", "-1", "1", "2", "1e999", "1E999999", "9" * 30, "9" * 400, "NaN", "Infinity"),
    *("0x10", "1_000", "١٢", "²", "½", "true", "null", "None", "[]", "{}", "--", "'", '"', "`"),
    *("0001-01-01", "9999-12-31", "2026-02-30", "2026-11-20", "1969-12-31", "2201-01-01"),
    *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-11-20T15:00", "24:00"),
    *("0001-01-01T00:00", "9999-12-31T23:59", "9999-12", "0001-01", "00:00", "23:59:60"),
    *("\x00", "a\x00b", "\x01=1+1", "\r\nset-cookie: a=b", "\n", "\t", "\x7f", "\u2028", "\u202e"),
    *("\ufffe", "\ufeff", "\u200b", "é", "e\u0301", "İ", "ß", "ﬃ", "😀" * 50, "𝔸", "﷽" * 100),
    *("=1+1", "@SUM(A1)", "+1", "' OR 1=1--", "%s%n", "{{7*7}}", "${jndi:x}", "../../etc/passwd"),
    *("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "javascript:alert(1)"),
    *("//evil.example", "https://evil.example", "\\\\evil", "/console", "%00", "%ff%fe", "%2e%2e"),
    *(
        "ann@example.org",
        "a" * 300 + "@example.org",
        "a@b",
        "@",
        "a@[127.0.0.1]",
        "ann@exämple.org",
    ),
    *("+6591234567", "+" + "9" * 50, "0061 400 000 000", "UTC", "Asia/Singapore", "../UTC"),
    *("x" * 5_000, "x" * 70_000, "a,b;c\td", "#112233", "red", "on", "yes", "owner", "staff"),
)
METHODS: Sequence[str] = (
    *("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"),
    *("PROPFIND", "get", "X" * 30),
)
HEADERS: Sequence[str] = (
    *("accept", "accept-language", "user-agent", "referer", "if-none-match", "range", "origin"),
    *("idempotency-key", "authorization", "x-forwarded-proto", "cookie", "sec-fetch-site"),
    *("x-csrf", "last-event-id", "if-modified-since"),
)
#: These routes would end the session that all other requests use.
ENDS_THE_SESSION = ("/sign-out", "/end-session", "/end-others")


class Hostile(Frozen):
    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    as_member: bool = False
    pattern: str = ""


class Target(Frozen):
    """Describes a site under test: each route with its methods, and valid values to mix in."""

    routes: Sequence[tuple[str, frozenset[str]]]
    values: Mapping[str, Sequence[str]]
    """Values by the name of a path parameter; those under '' fit anywhere."""
    fields: Sequence[str]
    """Names of form fields."""
    forms: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    """The fields of an accepted form, each with good values, by route."""
    secret: str = ""
    """The secret that signs webhooks."""


def hostile_requests(
    target: Target, seed: int, csrf: Callable[[], str], now: Callable[[], int]
) -> Iterator[Hostile]:
    """Yields requests without end. Each round visits every route in another order."""
    maker = _Maker(target, random.Random(seed), csrf, now)
    while True:
        routes = list(target.routes)
        maker.random.shuffle(routes)
        for pattern, methods in routes:
            yield maker.request(pattern, methods)


class _Maker:
    def __init__(
        self, target: Target, chance: random.Random, csrf: Callable[[], str], now: Callable[[], int]
    ) -> None:
        self.random = chance
        self._target = target
        self._csrf = csrf
        self._now = now

    def request(self, pattern: str, methods: frozenset[str]) -> Hostile:
        chance = self.random
        usual = sorted(methods)
        method = chance.choice(METHODS) if chance.random() < 0.1 else chance.choice(usual)
        as_member = chance.random() < 0.7 and not pattern.endswith(ENDS_THE_SESSION)
        body, kind = self._body(method, pattern)
        headers = self._headers(kind)
        if pattern.startswith("/hooks/") and chance.random() < 0.8:
            body = self._notice()
            headers.update(self._signatures(body))
        return Hostile(
            method, self._path(pattern) + self._query(), headers, body, as_member, pattern
        )

    # --- addresses --------------------------------------------------------------------------

    def _path(self, pattern: str) -> str:
        path = re.sub(r"{(\w+)(?::\w+)?}", lambda found: self._segment(found[1]), pattern)
        tail = self.random.random()
        return path + ("/" if tail < 0.02 else "//../x" if tail < 0.03 else "")

    def _segment(self, name: str) -> str:
        good = self._target.values.get(name) or ()
        anything = self._target.values.get("") or ()
        chance = self.random.random()
        if good and chance < 0.75:
            value = self.random.choice(good)
            if self.random.random() < 0.1:
                value = self._damaged(value)
        elif anything and chance < 0.85:
            value = self.random.choice(anything)
        else:
            value = self.random.choice(NASTY)[:1_000]
        return quote(value, safe="") or "x"

    def _damaged(self, value: str) -> str:
        at = self.random.randrange(len(value) or 1)
        return value[:at] + self.random.choice("AaZ0-_.~") + value[at + 1 :]

    def _query(self) -> str:
        if self.random.random() < 0.5:
            return ""
        if self.random.random() < 0.1:
            return "?" + self.random.choice(("&&=&%%%=%&a[]=1", "%ff=%fe", "=" * 500, "a" * 8_000))
        return "?" + urlencode(self._pairs(self.random.randrange(1, 5), most=1_000))

    # --- content ----------------------------------------------------------------------------

    def _pairs(self, many: int, *, most: int = 70_000) -> list[tuple[str, str]]:
        names = self.random.choices(self._target.fields, k=many)
        return [(name, self._value()[:most]) for name in names]

    def _value(self) -> str:
        anything = self._target.values.get("") or ("x",)
        pool = anything if self.random.random() < 0.25 else NASTY
        return self.random.choice(pool)

    def _body(self, method: str, pattern: str) -> tuple[bytes, str]:
        if method in ("GET", "HEAD") and self.random.random() < 0.95:
            return b"", ""
        good = self._target.forms.get(pattern)
        if good and self.random.random() < 0.7:
            return self._almost_good(good, as_json=pattern.startswith("/api/"))
        make = self.random.choices(
            (self._form, self._json, self._parts, self._noise), weights=(6, 2, 1, 1)
        )[0]
        return make()

    def _almost_good(
        self, good: Mapping[str, Sequence[str]], *, as_json: bool
    ) -> tuple[bytes, str]:
        """Fills in a form with at most two wrong or missing fields, so that later checks run,
        too."""
        typed: dict[str, object] = {name: self.random.choice(one) for name, one in good.items()}
        for name in self.random.choices(list(typed), k=self.random.choice((0, 0, 1, 1, 2))):
            typed[name] = self._tree(1) if as_json and self.random.random() < 0.3 else self._value()
        if as_json and isinstance(typed.get("party"), str):
            typed["party"] = self.random.choice((1, 1, 1, 2, 0, 10**12))
        if as_json:
            return json.dumps(typed).encode(), JSON
        return urlencode({**typed, "csrf": self._csrf()}, errors="surrogatepass").encode(), FORM

    def _form(self) -> tuple[bytes, str]:
        pairs = [*self._pairs(self.random.randrange(1, 12)), ("csrf", self._csrf())]
        return urlencode(pairs, errors="surrogatepass").encode(), FORM

    def _json(self) -> tuple[bytes, str]:
        return json.dumps(self._tree(2)).encode(), JSON

    def _tree(self, depth: int) -> object:
        kind = self.random.randrange(8 if depth else 5)
        if kind == 0:
            return self.random.choice((None, True, False))
        if kind == 1:
            return self.random.choice((0, -1, 1, 2**31, 2**63, 2**64, 10**400, 0.5, 1e308))
        if kind < 5:
            return self.random.choice((self._value(), "\ud800", "\udfff" + self._value()))
        if kind == 5:
            return [self._tree(depth - 1) for _ in range(self.random.randrange(4))]
        names = self.random.choices(self._target.fields, k=self.random.randrange(6))
        return {name: self._tree(depth - 1) for name in names}

    def _parts(self) -> tuple[bytes, str]:
        pieces = [("csrf", self._csrf()), *self._pairs(3)]
        parts = [
            f'--x\r\ncontent-disposition: form-data; name="{name}"'.encode()
            + self.random.choice((b"", b'; filename="a.xlsx"', b'; filename="a.csv"'))
            + b"\r\n\r\n"
            + value.encode("utf-8", "replace")
            for name, value in pieces
        ]
        end = self.random.choice((b"\r\n--x--\r\n", b"\r\n--x", b""))
        return b"\r\n".join(parts) + end, PARTS

    def _noise(self) -> tuple[bytes, str]:
        size = self.random.choice((0, 1, 10, 1_000, 70_000))
        kinds = (
            FORM,
            JSON,
            PARTS,
            "multipart/form-data",
            "text/plain",
            "application/json; charset=x",
        )
        return self.random.randbytes(size), self.random.choice(kinds)

    def _headers(self, kind: str) -> dict[str, str]:
        """Adds few headers at a time, so that most requests pass the first checks."""
        found = {"content-type": kind} if kind else {}
        if self.random.random() < 0.2:
            name = self.random.choice(HEADERS)
            found[name] = re.sub(r"[^\x20-\x7e]", "?", self._value())[:2_000].strip()
        return found

    # --- webhooks ---------------------------------------------------------------------------

    def _notice(self) -> bytes:
        """Returns a notice of a booking tool with one invalid value."""
        times = ("2099-11-20T15:00:00+08:00", "2099-11-20T16:00:00+08:00")
        own = {"id": "b", "service": "Cut", "starts_at": times[0], "minutes": 30, "price": "12.50"}
        booking = {"uid": "u", "title": "Cut", "startTime": times[0], "endTime": times[1]}
        event = {"name": "Cut", "start_time": times[0], "end_time": times[1]}
        notices: tuple[dict[str, object], ...] = (
            {**own},
            {"triggerEvent": "BOOKING_CANCELLED", "payload": booking},
            {"event": "invitee.canceled", "payload": {"uri": "u", "scheduled_event": event}},
        )
        notice = self.random.choice(notices)
        inner: object = notice
        while isinstance(inner, dict):
            name = self.random.choice(list(inner))
            if isinstance(inner[name], dict) and self.random.random() < 0.8:
                inner = inner[name]
                continue
            inner[name] = self._tree(2) if self.random.random() < 0.9 else inner[name]
            break
        return self.random.choice((json.dumps(notice).encode(), self._noise()[0]))

    def _signatures(self, body: bytes) -> dict[str, str]:
        secret, at = self._target.secret.encode(), str(self._now())
        stamped = hmac.new(secret, at.encode() + b"." + body, hashlib.sha256).hexdigest()
        plain = hmac.new(secret, body, hashlib.sha256).hexdigest()
        return {
            "content-type": JSON,
            "frontdesk-signature": f"t={at},v1={stamped}",
            "calendly-webhook-signature": f"t={at},v1={stamped}",
            "x-cal-signature-256": plain,
        }


Fields = Mapping[str, str | Sequence[str]]
"""The fields of a form, with good words or with names of values of the target."""
_WHO: Fields = {
    "name": ("Ann Lee", "Bo"),
    "email": "contact",
    "mobile": ("", "+6591234567"),
    "party": ("1", "1", "2"),
    "consent": ("", "yes"),
}
_WISH: Fields = {
    "service": "service_name",
    "earliest": "day",
    "latest": "last_day",
    "from": ("", "09:00"),
    "until": ("", "18:00"),
}
_VISIT: Fields = {
    "service": "service_name",
    "at": "instant",
    "staff": "resource",
    "hold": "token",
    "once": ("a", "b", ""),
    "another": ("", "yes"),
}
_NOTES: Sequence[str] = ("Cut on Thursday after 3", "Wheel hour next week, mornings", "a haircut?")
_ANSWERS: Sequence[str] = ("confirm", "cancel", "move", "claim", "decline", "accept", "save")
#: Forms that anybody may send, and their routes.
_PUBLIC_FORMS: Sequence[tuple[Fields, Sequence[str]]] = (
    (_WHO, ("/e/{slug}", "/e/{slug}/embed", "/api/events/{slug}/guests")),
    ({**_WHO, **_WISH}, ("/waitlist", "/waitlist/embed", "/api/waitlist")),
    (
        {**_WHO, **_VISIT},
        ("/book", "/book/choose", "/book/embed/choose", "/api/booking"),
    ),
    ({"name": ("Ann Lee",), "contact": "contact", "note": _NOTES}, ("/book/ask",)),
    ({"contact": "contact"}, ("/e/{slug}/link", "/waitlist/link", "/book/link")),
    ({"email": "contact"}, ("/sign-in",)),
    (
        {
            "do": _ANSWERS,
            "at": "instant",
            "version": ("1", "2"),
            "visit": "appointment",
            "wishes": ("", "any morning"),
            "party": ("1", "2"),
        },
        ("/l/{token}",),
    ),
)


def public_forms(values: Mapping[str, Sequence[str]]) -> dict[str, dict[str, Sequence[str]]]:
    """Returns the forms by route, filled in with the values of a site."""
    return {
        route: {
            name: (values.get(words) or ("",)) if isinstance(words, str) else words
            for name, words in fields.items()
        }
        for fields, routes in _PUBLIC_FORMS
        for route in routes
    }


def hours_ahead(now: datetime, days: int = 14) -> tuple[list[str], list[str]]:
    """Returns the next days, and instants on them at which something may be booked."""
    on = [now.date() + timedelta(days=each) for each in range(days)]
    instants = [
        f"{day}T{hour:02}:{minute}Z" for day in on for hour in range(24) for minute in _HALF
    ]
    return [f"{day}" for day in on], instants


_HALF: Final = ("00", "30")


def form_fields(templates: Sequence[str]) -> list[str]:
    """Returns the names of all fields: those in templates, written out or by a macro, and those
    that only scripts or addresses send."""
    found = {name for text in templates for name in _FIELD.findall(text)}
    more = (
        *("page", "q", "state", "sort", "next", "do", "on", "month", "after", "kind", "round"),
        *("service", "staff", "party", "day", "from", "view", "key", "hold", "another", "answers"),
        *("contact", "email", "mobile", "consent", "answer-0"),
    )
    return sorted(found | set(more) | {"rows0", "pasted", "file", "arrived", "seen", "once"})


_FIELD: Final = re.compile(
    r"""(?:\bname="|\b(?:field|check_field|choice_field|select_field|text_area)\(')"""
    r"""([a-z][a-z0-9_.-]*)["']"""
)
