"""A client of Google's APIs for sheets, documents and files, with a service account."""

from __future__ import annotations

import base64
import json
import time
import urllib.parse
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from frontdesk.connect.http_client import TooLarge, Unreachable, send
from frontdesk.connect.rs256 import BadKey, RsaKey, read_key
from frontdesk.errors import SourceFailed
from frontdesk.values import Frozen

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
TOKEN_SECONDS: Final = 3600
_SPARE_SECONDS: Final = 120

#: Google's own limit for exports.
MOST_EXPORTED: Final = 10_000_000

_LATER: Final = "Google cannot be reached just now. We will try again."


DENIED: Final = (
    "Google does not let us at the sheet. Share it with {email}"
    " so that it may edit, and look at its address in the settings."
)


class GoogleError(SourceFailed):
    """Google cannot be used now; the text explains it to staff."""


class Denied(GoogleError):
    """The request fails until somebody changes the permission."""


class Account(Frozen):
    """A service account, as in its JSON file."""

    email: str
    key: RsaKey
    token_uri: str
    """Google's address for tokens, from the file."""

    def __repr__(self) -> str:
        return f"Account({self.email!r})"


def read_account(text: str) -> Account:
    """Parses the file. Errors never quote its content."""
    try:
        said = json.loads(text)
        return Account(said["client_email"], read_key(said["private_key"]), said["token_uri"])
    except (ValueError, KeyError, TypeError) as error:
        why = f": {error}" if isinstance(error, BadKey) else ""
        raise GoogleError(f"The file of the Google service account cannot be used{why}.") from None


class GoogleApi:
    """Limits the size of each answer; each failure is a sentence for staff."""

    def __init__(
        self,
        account: Account,
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
        self._clock = clock
        self._scopes = scopes
        self._seconds = seconds
        self._denied = denied
        self._token = ""
        self._until = 0.0

    def file(self, file_id: str) -> Mapping[str, Any]:
        """Returns the version, which rises with every change, and whether the file is trashed."""
        asked = {"fields": "version,trashed", "supportsAllDrives": "true"}
        return self._get(f"{self._drive}/drive/v3/files/{_part(file_id)}", asked)

    def export(self, file_id: str) -> bytes:
        """Exports a Google Doc as plain text."""
        url = f"{self._drive}/drive/v3/files/{_part(file_id)}/export"
        asked = urllib.parse.urlencode({"mimeType": "text/plain"})
        return self._data(f"{url}?{asked}", None, self._authorization(), MOST_EXPORTED)

    def pages(self, file_id: str) -> list[Mapping[str, Any]]:
        """Returns the sheets of a spreadsheet: 'sheetId', 'title', 'hidden', 'gridProperties'."""
        asked = {"fields": "sheets.properties(sheetId,title,hidden,gridProperties.columnCount)"}
        found = self._get(f"{self._sheets}/v4/spreadsheets/{_part(file_id)}", asked)
        return [each["properties"] for each in found.get("sheets", ())]

    def values(self, file_id: str, title: str) -> list[list[Any]]:
        """Returns all rows; days are serial numbers."""
        asked = {"valueRenderOption": "UNFORMATTED_VALUE", "dateTimeRenderOption": "SERIAL_NUMBER"}
        whole = "'{}'".format(title.replace("'", "''"))
        path = f"/v4/spreadsheets/{_part(file_id)}/values/{_part(whole)}"
        rows: list[list[Any]] = self._get(self._sheets + path, asked).get("values", [])
        return rows

    def change(self, file_id: str, requests: list[Mapping[str, Any]]) -> None:
        """Applies all of the requests or none."""
        url = f"{self._sheets}/v4/spreadsheets/{_part(file_id)}:batchUpdate"
        self._ask(url, json.dumps({"requests": requests}).encode(), "application/json")

    def _get(self, url: str, asked: Mapping[str, str]) -> Mapping[str, Any]:
        return self._ask(f"{url}?{urllib.parse.urlencode(asked)}")

    def _ask(self, url: str, body: bytes | None = None, kind: str = "") -> Mapping[str, Any]:
        headers = self._authorization() | ({"Content-Type": kind} if kind else {})
        return self._answer(url, body, headers)

    def _authorization(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._access()}"}

    def _access(self) -> str:
        """Returns an access token, valid for about an hour, in exchange for a signed assertion."""
        now = self._clock()
        if now < self._until:
            return self._token
        said = {
            "iss": self._account.email,
            "scope": " ".join(self._scopes),
            "aud": self._account.token_uri,
            "iat": int(now),
            "exp": int(now) + TOKEN_SECONDS,
        }
        body = urllib.parse.urlencode({"grant_type": GRANT, "assertion": self._signed(said)})
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = self._answer(self._account.token_uri, body.encode(), kind)
        self._token = str(answer.get("access_token", ""))
        self._until = now + int(answer.get("expires_in", 0)) - _SPARE_SECONDS
        return self._token

    def _signed(self, said: Mapping[str, Any]) -> str:
        parts = [_base64(json.dumps(each).encode()) for each in ({"alg": "RS256"}, said)]
        signature = self._account.key.sign(".".join(parts).encode())
        return ".".join([*parts, _base64(signature)])

    def _answer(
        self, url: str, body: bytes | None, headers: Mapping[str, str]
    ) -> Mapping[str, Any]:
        return _json(self._data(url, body, headers))

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
            raise GoogleError("This sheet is too large.") from None
        if answer.status != 200:
            self._until = 0.0
            raise self._refused(answer.status)
        return answer.body

    def _refused(self, status: int) -> GoogleError:
        match status:
            case 403 | 404:
                return Denied(self._denied.format(email=self._account.email))
            case 400 | 401:
                return Denied(
                    "Google does not know the service account, or its key has been revoked."
                )
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
