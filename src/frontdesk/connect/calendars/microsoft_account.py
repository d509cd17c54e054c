"""An application of a Microsoft directory, and its access tokens (client credentials)."""

from __future__ import annotations

import time
import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any, Final

from frontdesk.connect.calendars.port import CalendarDown, CalendarRefused
from frontdesk.connect.calendars.rest import TIMEOUT_SECONDS, json_object, text_of
from frontdesk.connect.http_client import TooLarge, Unreachable, send
from frontdesk.values import Frozen

LOGIN: Final = "https://login.microsoftonline.com"
_LATER: Final = "Microsoft cannot be reached just now. We will try again."
_TOKEN_BYTES: Final = 100_000
_SPARE_SECONDS: Final = 120


class MicrosoftAccount(Frozen):
    """An application of the directory, with its secret."""

    tenant: str
    client_id: str
    client_secret: str

    def __repr__(self) -> str:
        return f"MicrosoftAccount({self.tenant!r}, {self.client_id!r})"


class ClientTokens:
    """Exchanges the application's secret for access tokens (client credentials)."""

    def __init__(
        self,
        account: MicrosoftAccount,
        *,
        login: str = LOGIN,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._account = account
        self._url = f"{login}/{urllib.parse.quote(account.tenant, safe='')}/oauth2/v2.0/token"
        self._clock = clock
        self._token = ""
        self._until = 0.0

    def access(self) -> str:
        now = self._clock()
        if now >= self._until:
            answer = self._exchange()
            lasts = answer.get("expires_in")
            self._token = text_of(answer, "access_token")
            self._until = now + (lasts if isinstance(lasts, int) else 0) - _SPARE_SECONDS
        return self._token

    def forget(self) -> None:
        self._until = 0.0

    def _exchange(self) -> Mapping[str, Any]:
        form = urllib.parse.urlencode(
            {
                "grant_type": "client_credentials",
                "client_id": self._account.client_id,
                "client_secret": self._account.client_secret,
                "scope": "https://graph.microsoft.com/.default",
            }
        )
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        try:
            answer = send(
                self._url,
                kind,
                form.encode(),
                seconds=TIMEOUT_SECONDS,
                max_bytes=_TOKEN_BYTES,
            )
        except (Unreachable, TooLarge):
            raise CalendarDown(_LATER) from None
        if answer.status in (400, 401, 403):
            raise CalendarRefused(
                "Microsoft does not know the application, or its secret has expired."
            )
        found = json_object(answer)
        if answer.status != 200 or found is None:
            raise CalendarDown(_LATER)
        return found
