"""Restores a deployment on AWS to an instant: stops its functions while it copies rows."""

from __future__ import annotations

import contextlib
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from frontdesk.cli.aws_account import account_of, aws_errors
from frontdesk.cli.command import OK, CannotRun
from frontdesk.cli.terminal import Terminal
from frontdesk.core.words import count
from frontdesk.values import Frozen

if TYPE_CHECKING:
    from frontdesk.store.dynamodb.restoring import Restoring

#: AWS keeps the history of a table for this long.
KEPT: Final = timedelta(days=35)
#: AWS needs this long before an instant can be restored.
RECENT: Final = timedelta(minutes=5)
_FUNCTION: Final = "AWS::Lambda::Function"


def restore_on_aws(args: Namespace, on: Terminal) -> int:
    from frontdesk.store.dynamodb.restoring import Restoring, restored_prefix

    at = instant_of(args.at, datetime.now(UTC))
    with aws_errors():
        account = account_of(args)
        restoring = Restoring(account.client("dynamodb"), at, account.prefix)
        restoring.begin()
        restoring.wait(lambda done, total: on.progress("Restoring tables", done, total))
        if not args.replace:
            on.say(f"The tables as they were at {at:%Y-%m-%d %H:%M:%S} UTC are beside the present")
            on.say(
                f"ones. To look: doctor --aws --table-prefix {restored_prefix(at, account.prefix)}"
            )
            on.say("To put them in the place of the present ones, add --replace.")
            return OK
        stack = Functions(account.client("cloudformation"), account.client("lambda"), args.stack)
        replace_rows(restoring, stack, on)
    return OK


def replace_rows(
    restoring: Restoring,
    functions: Functions,
    on: Terminal,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    with functions.standing_still(on, pause):
        copied = restoring.copy(lambda done, total: on.progress("Copying tables", done, total))
    restoring.tidy_up()
    on.say(
        f"{count(copied.written, 'row')} put back, {count(copied.deleted, 'row')} of later deleted."
        " The functions work again."
    )


def instant_of(text: str | None, now: datetime) -> datetime:
    """Parses `--at`, which needs a zone. AWS has the last 35 days, up to five minutes ago."""
    if text is None:
        raise CannotRun("Which instant? Say --at, like --at 2026-11-16T08:00Z.")
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise CannotRun(f"{text!r} is no instant. One is 2026-11-16T08:00Z.") from None
    if at.tzinfo is None:
        raise CannotRun(f"{text!r} has no time zone. In UTC it is {text}Z.")
    if not now - KEPT <= at <= now - RECENT:
        raise CannotRun("AWS keeps the past of tables for 35 days, up to five minutes ago.")
    return at.astimezone(UTC)


class Function(Frozen):
    name: str
    seconds: int
    """The time limit of a call."""
    reserved: int | None
    """The reserved concurrency, if there is one."""


class Functions:
    """All functions of the stack. While they are stopped, streams and queues keep their input."""

    def __init__(self, cloudformation: Any, lambda_: Any, stack: str) -> None:
        self._cloudformation = cloudformation
        self._lambda = lambda_
        self._stack = stack

    @contextlib.contextmanager
    def standing_still(self, on: Terminal, pause: Callable[[float], None]) -> Iterator[None]:
        """Stops all functions; starts them again at the end, even after an error."""
        functions = [self._described(name) for name in self._names()]
        if not functions:
            raise CannotRun(f"The stack {self._stack} has no functions. Say --stack.")
        on.note(f"Stopping {count(len(functions), 'function')}.")
        try:
            for each in functions:
                self._reserve(each.name, 0)
            longest = max(each.seconds for each in functions)
            on.note(f"Waiting {longest} seconds for calls that still run.")
            pause(longest)
            yield
        finally:
            for each in functions:
                self._reserve(each.name, each.reserved)

    def _names(self) -> list[str]:
        pages = self._cloudformation.get_paginator("list_stack_resources").paginate(
            StackName=self._stack
        )
        return [
            each["PhysicalResourceId"]
            for page in pages
            for each in page["StackResourceSummaries"]
            if each["ResourceType"] == _FUNCTION
        ]

    def _described(self, name: str) -> Function:
        """Treats a concurrency of 0 as none: an interrupted run may have left it."""
        timeout = self._lambda.get_function_configuration(FunctionName=name)["Timeout"]
        found = self._lambda.get_function_concurrency(FunctionName=name)
        return Function(name, timeout, found.get("ReservedConcurrentExecutions") or None)

    def _reserve(self, name: str, calls: int | None) -> None:
        if calls is None:
            self._lambda.delete_function_concurrency(FunctionName=name)
        else:
            self._lambda.put_function_concurrency(
                FunctionName=name, ReservedConcurrentExecutions=calls
            )
