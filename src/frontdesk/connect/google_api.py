"""A client of Google's APIs for sheets, documents and files, with a service account.

It signs tokens itself (RS256: RSASSA-PKCS1-v1_5 with SHA-256), which saves a library of 16 MB. It
signs once an hour, so nobody can measure how long that takes, and it decrypts nothing. A bug here
grants no access: Google would reject the token.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import secrets
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from frontdesk.connect.http_client import TooLarge, Unreachable, send
from frontdesk.errors import SourceFailed
from frontdesk.values import Frozen

#: The DER prefix of a SHA-256 digest.
_SHA256: Final = bytes.fromhex("3031300d060960864801650304020105000420")
_SEQUENCE: Final = 0x30
_INTEGER: Final = 0x02
_OCTETS: Final = 0x04
_LEAST_BITS: Final = 2048


class BadKey(ValueError):
    """The text is not a private RSA key in PEM."""


class RsaKey(Frozen):
    """The modulus, the public and the private exponent."""

    n: int
    e: int
    d: int

    def __repr__(self) -> str:
        return "RsaKey()"

    def sign(self, message: bytes) -> bytes:
        """Signs with blinding, so that the time reveals nothing of the key; verifies the result."""
        size = (self.n.bit_length() + 7) // 8
        digest = _SHA256 + hashlib.sha256(message).digest()
        padded = b"\x00\x01" + b"\xff" * (size - len(digest) - 3) + b"\x00" + digest
        number = int.from_bytes(padded, "big")
        blind = secrets.randbelow(self.n - 2) + 2
        hidden = pow(number * pow(blind, self.e, self.n) % self.n, self.d, self.n)
        signed = hidden * pow(blind, -1, self.n) % self.n
        assert pow(signed, self.e, self.n) == number, "the parts of the key do not fit together"
        return signed.to_bytes(size, "big")


def read_key(pem: str) -> RsaKey:
    """Parses 'BEGIN PRIVATE KEY' (PKCS #8), the format of Google's keys."""
    lines = [line.strip() for line in pem.strip().splitlines()]
    if lines[:1] != ["-----BEGIN PRIVATE KEY-----"] or lines[-1] != "-----END PRIVATE KEY-----":
        raise BadKey("the key does not begin with 'BEGIN PRIVATE KEY'")
    try:
        outer = base64.b64decode("".join(lines[1:-1]), validate=True)
        _version, _algorithm, (kind, inner) = list(_items(_content(outer, _SEQUENCE)))[:3]
        numbers = list(_items(_content(inner, _SEQUENCE))) if kind == _OCTETS else []
        _zero, n, e, d, *_ = (_number(item) for item in numbers)
    except (ValueError, IndexError, binascii.Error):
        raise BadKey("the key cannot be read") from None
    if n.bit_length() < _LEAST_BITS:
        raise BadKey("the key is too short")
    return RsaKey(n, e, d)


def _content(der: bytes, kind: int) -> bytes:
    ((found, content),) = _items(der)
    if found != kind:
        raise ValueError
    return content


def _items(der: bytes) -> Iterator[tuple[int, bytes]]:
    """Yields (kind, content) of each value in sequence."""
    at = 0
    while at < len(der):
        kind, length, at = der[at], der[at + 1], at + 2
        if length >= 0x80:
            size = length - 0x80
            length, at = int.from_bytes(der[at : at + size], "big"), at + size
        content = der[at : at + length]
        if len(content) != length:
            raise ValueError
        yield kind, content
        at += length


def _number(item: tuple[int, bytes]) -> int:
    kind, content = item
    if kind != _INTEGER:
        raise ValueError
    return int.from_bytes(content, "big")


SHEETS: Final = "https://sheets.googleapis.com"
DRIVE: Final = "https://www.googleapis.com"
SCOPES: Final = (
    "https://www.googleapis.com/auth/spreadsheets",
    "https://www.googleapis.com/auth/drive.metadata.readonly",
)
#: Exporting a document needs permission to read it; metadata is not enough.
DOCUMENT_SCOPES: Final = ("https://www.googleapis.com/auth/drive.readonly",)
GRANT: Final = "urn:ietf:params:oauth:grant-type:jwt-bearer"
TIMEOUT_SECONDS: Final = 20.0
MOST_BYTES: Final = 20_000_000
MOST_TOKEN_BYTES: Final = 100_000
TOKEN_SECONDS: Final = 3600
_SPARE_SECONDS: Final = 120

#: Google's own limit for exports.
MOST_EXPORTED: Final = 10_000_000
#: Text files are much smaller.
MOST_DOWNLOADED: Final = 2_000_000

_LATER: Final = "Google cannot be reached just now. We will try again."


UNKNOWN_ACCOUNT: Final = "Google does not know the service account, or its key has been revoked."
DENIED: Final = (
    "Google does not give us access to the sheet. Share it with {email}"
    " so that it may edit, and check its address in the settings."
)


class GoogleError(SourceFailed):
    """Google cannot be used now; the text explains it to staff."""


class Denied(GoogleError):
    """The request fails until somebody changes the permission."""


class ServiceAccount(Frozen):
    """A service account, as in its JSON file."""

    email: str
    key: RsaKey
    token_uri: str
    """Google's address for tokens, from the file."""

    def __repr__(self) -> str:
        return f"Account({self.email!r})"


def read_account(text: str) -> ServiceAccount:
    """Parses the file. Errors never quote its content."""
    try:
        found = json.loads(text)
        return ServiceAccount(
            found["client_email"], read_key(found["private_key"]), found["token_uri"]
        )
    except (ValueError, KeyError, TypeError) as error:
        why = f": {error}" if isinstance(error, BadKey) else ""
        raise GoogleError(f"The file of the Google service account cannot be used{why}.") from None


class AccessTokens:
    """Exchanges signed assertions for access tokens, which are valid for about an hour."""

    def __init__(
        self,
        account: ServiceAccount,
        scopes: Sequence[str],
        *,
        subject: str = "",
        clock: Callable[[], float] = time.time,
        seconds: float = TIMEOUT_SECONDS,
    ) -> None:
        """`subject` is the person for whom the account acts, if the domain has delegated that."""
        self._account = account
        self._scopes = scopes
        self._subject = subject
        self._clock = clock
        self._seconds = seconds
        self._token = ""
        self._until = 0.0

    def access(self) -> str:
        """Returns a valid token. Raises `Denied` or `GoogleError`."""
        now = self._clock()
        if now < self._until:
            return self._token
        claims = {
            "iss": self._account.email,
            "scope": " ".join(self._scopes),
            "aud": self._account.token_uri,
            "iat": int(now),
            "exp": int(now) + TOKEN_SECONDS,
        } | ({"sub": self._subject} if self._subject else {})
        form = urllib.parse.urlencode({"grant_type": GRANT, "assertion": self._signed(claims)})
        answer = self._exchange(form.encode())
        self._token = str(answer.get("access_token", ""))
        self._until = now + int(answer.get("expires_in", 0)) - _SPARE_SECONDS
        return self._token

    def forget(self) -> None:
        """Makes the next call ask for a new token."""
        self._until = 0.0

    def _exchange(self, form: bytes) -> Mapping[str, Any]:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        try:
            answer = send(
                self._account.token_uri,
                headers,
                form,
                seconds=self._seconds,
                max_bytes=MOST_TOKEN_BYTES,
            )
        except (Unreachable, TooLarge):
            raise GoogleError(_LATER) from None
        if answer.status in (400, 401, 403):
            raise Denied(UNKNOWN_ACCOUNT)
        if answer.status != 200:
            raise GoogleError(_LATER)
        return _json(answer.body)

    def _signed(self, claims: Mapping[str, Any]) -> str:
        parts = [_base64(json.dumps(each).encode()) for each in ({"alg": "RS256"}, claims)]
        signature = self._account.key.sign(".".join(parts).encode())
        return ".".join([*parts, _base64(signature)])


class GoogleApi:
    """Limits the size of each answer; each failure is a sentence for staff."""

    def __init__(
        self,
        account: ServiceAccount,
        *,
        sheets: str = SHEETS,
        drive: str = DRIVE,
        clock: Callable[[], float] = time.time,
        scopes: Sequence[str] = SCOPES,
        seconds: float = TIMEOUT_SECONDS,
        denied: str = DENIED,
    ) -> None:
        """`seconds` limits each request. `denied` tells staff how to give us permission."""
        self._account = account
        self._sheets = sheets
        self._drive = drive
        self._seconds = seconds
        self._denied = denied
        self._tokens = AccessTokens(account, scopes, clock=clock, seconds=seconds)

    def file(self, file_id: str) -> Mapping[str, Any]:
        """Returns the version, which rises with every change, the kind of the file ('mimeType'),
        and whether it is trashed."""
        query = {"fields": "version,trashed,mimeType", "supportsAllDrives": "true"}
        return self._get(f"{self._drive}/drive/v3/files/{_part(file_id)}", query)

    def download(self, file_id: str) -> bytes:
        """Returns the content of a file that is not one of Google's own kinds."""
        query = urllib.parse.urlencode({"alt": "media", "supportsAllDrives": "true"})
        url = f"{self._drive}/drive/v3/files/{_part(file_id)}?{query}"
        return self._data(url, None, self._authorization(), MOST_DOWNLOADED)

    def export(self, file_id: str) -> bytes:
        """Exports a Google Doc as plain text."""
        url = f"{self._drive}/drive/v3/files/{_part(file_id)}/export"
        query = urllib.parse.urlencode({"mimeType": "text/plain"})
        return self._data(f"{url}?{query}", None, self._authorization(), MOST_EXPORTED)

    def watch_changes(self, channel: Mapping[str, Any]) -> Mapping[str, Any]:
        """Opens a channel of notifications about all files that the account may see, from now on.
        Returns the channel, with 'resourceId' and 'expiration'."""
        changes, everywhere = f"{self._drive}/drive/v3/changes", {"supportsAllDrives": "true"}
        start = self._get(f"{changes}/startPageToken", everywhere).get("startPageToken", "")
        query = {**everywhere, "includeItemsFromAllDrives": "true", "pageToken": str(start)}
        url = f"{changes}/watch?{urllib.parse.urlencode(query)}"
        return self._ask(url, json.dumps(channel).encode(), "application/json")

    def stop_channel(self, channel_id: str, resource_id: str) -> None:
        body = json.dumps({"id": channel_id, "resourceId": resource_id}).encode()
        headers = self._authorization() | {"Content-Type": "application/json"}
        self._data(f"{self._drive}/drive/v3/channels/stop", body, headers)

    def pages(self, file_id: str) -> list[Mapping[str, Any]]:
        """Returns the sheets of a spreadsheet: 'sheetId', 'title', 'hidden', 'gridProperties'."""
        query = {"fields": "sheets.properties(sheetId,title,hidden,gridProperties.columnCount)"}
        found = self._get(f"{self._sheets}/v4/spreadsheets/{_part(file_id)}", query)
        return [each["properties"] for each in found.get("sheets", ())]

    def values(self, file_id: str, title: str) -> list[list[Any]]:
        """Returns all rows; days are serial numbers."""
        query = {"valueRenderOption": "UNFORMATTED_VALUE", "dateTimeRenderOption": "SERIAL_NUMBER"}
        whole = "'{}'".format(title.replace("'", "''"))
        path = f"/v4/spreadsheets/{_part(file_id)}/values/{_part(whole)}"
        rows: list[list[Any]] = self._get(self._sheets + path, query).get("values", [])
        return rows

    def change(self, file_id: str, requests: list[Mapping[str, Any]]) -> None:
        """Applies all of the requests or none."""
        url = f"{self._sheets}/v4/spreadsheets/{_part(file_id)}:batchUpdate"
        self._ask(url, json.dumps({"requests": requests}).encode(), "application/json")

    def _get(self, url: str, query: Mapping[str, str]) -> Mapping[str, Any]:
        return self._ask(f"{url}?{urllib.parse.urlencode(query)}")

    def _ask(self, url: str, body: bytes | None = None, kind: str = "") -> Mapping[str, Any]:
        headers = self._authorization() | ({"Content-Type": kind} if kind else {})
        return _json(self._data(url, body, headers))

    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._tokens.access()}"}

    def _data(
        self,
        url: str,
        body: bytes | None,
        headers: Mapping[str, str],
        most: int = MOST_BYTES,
    ) -> bytes:
        try:
            answer = send(url, headers, body, seconds=self._seconds, max_bytes=most)
        except Unreachable:
            raise GoogleError(_LATER) from None
        except TooLarge:
            raise GoogleError("This file is too large.") from None
        if answer.status not in (200, 204):
            self._tokens.forget()
            raise self._refused(answer.status)
        return answer.body

    def _refused(self, status: int) -> GoogleError:
        match status:
            case 403 | 404:
                return Denied(self._denied.format(email=self._account.email))
            case 400 | 401:
                return Denied(UNKNOWN_ACCOUNT)
            case _:
                return GoogleError(_LATER)


def _json(data: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(data)
    except ValueError:
        raise GoogleError(_LATER) from None
    if not isinstance(found, dict):
        raise GoogleError(_LATER)
    return found


def _part(text: str) -> str:
    return urllib.parse.quote(text, safe="")


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
