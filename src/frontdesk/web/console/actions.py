"""Buttons on the page of one row: each runs a command, and asks first if it has a question."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Generic, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.decision import Command
from frontdesk.values import Frozen
from frontdesk.web.console.forms import confirm_page, is_confirmed
from frontdesk.web.console.shell import act
from frontdesk.web.site import site_of

R = TypeVar("R")


class RowAction(Frozen, Generic[R]):
    """A button of the page. If the action cannot be undone, `question` asks first, and `means`
    explains what follows."""

    name: str
    label: str
    command: Callable[[R, datetime], Command]
    says: str
    fits: Callable[[R, datetime], bool]
    question: str = ""
    means: str = ""
    is_danger: bool = False

    async def run(
        self, request: Request, row: R, url: str, *, active: str, refusal: Callable[[StrEnum], str]
    ) -> Response:
        """`url` is the page of the row."""
        if self.question and not is_confirmed(request):
            return confirm_page(
                request,
                question=self.question,
                means=self.means,
                label=self.label,
                keep_url=url,
                active=active,
                is_danger=self.is_danger,
            )
        command = self.command(row, site_of(request).clock.now())
        return await act(request, command, url, self.says, refusal)
