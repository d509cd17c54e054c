"""Commands on AWS: chooses the account, reads its tables, calls its functions."""

from __future__ import annotations

import contextlib
import json
import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from frontdesk.cli.command import OK, CannotRun, settings_for
from frontdesk.cli.data_access import reading_data
from frontdesk.cli.terminal import Terminal
from frontdesk.connect.network_reasons import network_reason
from frontdesk.core.words import count
from frontdesk.engine.inspection import InspectableStore
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen

if TYPE_CHECKING:
    from frontdesk.store.dynamodb.inspection import DynamoInspection
    from frontdesk.store.dynamodb.table_restore import TableRestore


#: The function that handles the operator's requests.
OPERATOR: Final = "fd-sweep"
#: The function may run for up to five minutes.
_ANSWER_SECONDS: Final = 320


class AwsView(Frozen):
    """The tables of one deployment. They are not locked: others may write meanwhile."""

    reads: Reads
    inspection: DynamoInspection


class AwsAccount:
    """One deployment in one account and region, with the permissions of one profile."""

    def __init__(self, *, profile: str | None, region: str | None, prefix: str = "") -> None:
        try:
            from botocore.config import Config
            from botocore.session import Session
        except ImportError:
            raise CannotRun(
                "--aws needs boto3, which is not installed: pip install boto3."
            ) from None
        self._session = Session(profile=profile)
        if region:
            self._session.set_config_variable("region", region)
        self._with_retries = Config(
            retries={"mode": "standard", "total_max_attempts": 6},
            connect_timeout=5,
            read_timeout=60,
        )
        self._once = Config(retries={"total_max_attempts": 1}, read_timeout=_ANSWER_SECONDS)
        self.prefix = prefix

    def client(self, service: str) -> Any:
        return self._session.create_client(service, config=self._with_retries)

    def view(self) -> AwsView:
        from frontdesk.store.dynamodb.inspection import DynamoInspection
        from frontdesk.store.dynamodb.store import DynamoStore
        from frontdesk.store.dynamodb.table_reader import ContentBucket, TableReader
        from frontdesk.wiring.aws import TABLES

        tables, no_bucket = self.client("dynamodb"), ContentBucket(None, "")
        store = DynamoStore(tables, no_bucket, TABLES, prefix=self.prefix)
        return AwsView(store.reads(), DynamoInspection(TableReader(tables, no_bucket, self.prefix)))

    def ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Calls the operator's function once, since it may write; returns its answer."""
        answer = self._session.create_client("lambda", config=self._once).invoke(
            FunctionName=self.prefix + OPERATOR, Payload=json.dumps(question).encode()
        )
        returned: Mapping[str, Any] = json.loads(answer["Payload"].read())
        if "FunctionError" in answer:
            raise CannotRun(
                f"The function {self.prefix}{OPERATOR} failed. Its log on AWS says why."
            )
        return returned


def with_aws(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("on AWS")
    group.add_argument("--aws", action="store_true", help="use the deployment on AWS")
    group.add_argument("--profile", metavar="NAME", help="a profile of the AWS command line")
    group.add_argument("--region", metavar="NAME", help="the region, if the profile has none")
    group.add_argument(
        "--table-prefix",
        metavar="TEXT",
        help="the prefix of table names, as in the tables that `restore` made",
    )


def account_of(args: Namespace) -> AwsAccount:
    prefix = args.table_prefix
    if prefix is None:
        prefix = os.environ.get("FRONTDESK_TABLE_PREFIX", "")
    return AwsAccount(profile=args.profile, region=args.region, prefix=prefix)


@contextlib.contextmanager
def opened(args: Namespace) -> Iterator[InspectableStore]:
    """Opens the data for a command: a data directory, or AWS."""
    if not args.aws:
        if args.profile or args.region or args.table_prefix:
            raise CannotRun("--profile, --region and --table-prefix need --aws.")
        with reading_data(settings_for(args)) as view:
            yield view
        return
    with aws_errors():
        yield account_of(args).view()


@contextlib.contextmanager
def aws_errors() -> Iterator[None]:
    """Turns an error of AWS into one sentence."""
    try:
        from botocore.exceptions import BotoCoreError, ClientError
    except ImportError:
        raise CannotRun("--aws needs boto3, which is not installed: pip install boto3.") from None
    try:
        yield
    except ClientError as error:
        code, text = error.response["Error"]["Code"], error.response["Error"].get("Message", "")
        if code == "ResourceNotFoundException":
            raise CannotRun(
                f"Not found in this account and region ({error.operation_name}):"
                f" {text} Are --profile and --region right?"
            ) from error
        raise CannotRun(f"AWS refused {error.operation_name}: {text}") from error
    except BotoCoreError as error:
        raise CannotRun(f"AWS cannot be reached: {network_reason(error)}.") from error


#: AWS keeps the history of a table for this long.
KEPT: Final = timedelta(days=35)
#: AWS needs this long before an instant can be restored.
RECENT: Final = timedelta(minutes=5)
_FUNCTION: Final = "AWS::Lambda::Function"


def restore_on_aws(args: Namespace, on: Terminal) -> int:
    from frontdesk.store.dynamodb.table_restore import TableRestore, restored_prefix

    at = instant_of(args.at, datetime.now(UTC))
    with aws_errors():
        account = account_of(args)
        restoring = TableRestore(account.client("dynamodb"), at, account.prefix)
        restoring.begin()
        restoring.wait(lambda done, total: on.progress("Restoring tables", done, total))
        if not args.replace:
            on.say(f"The tables as of {at:%Y-%m-%d %H:%M:%S} UTC are beside the current ones.")
            on.say(
                f"To check them: doctor --aws --table-prefix {restored_prefix(at, account.prefix)}"
            )
            on.say("To replace the current ones with them, add --replace.")
            return OK
        stack = Functions(account.client("cloudformation"), account.client("lambda"), args.stack)
        replace_rows(restoring, stack, on)
    return OK


def replace_rows(
    restoring: TableRestore,
    functions: Functions,
    on: Terminal,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    with functions.stopped(on, pause):
        copied = restoring.copy(lambda done, total: on.progress("Copying tables", done, total))
    restoring.tidy_up()
    on.say(
        f"{count(copied.written, 'row')} restored, {count(copied.deleted, 'newer row')} deleted."
        " The functions run again."
    )


def instant_of(text: str | None, now: datetime) -> datetime:
    """Parses `--at`, which needs a zone. AWS has the last 35 days, up to five minutes ago."""
    if text is None:
        raise CannotRun("Give an instant with --at, like --at 2026-11-16T08:00Z.")
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise CannotRun(f"{text!r} is not an instant. Write it like 2026-11-16T08:00Z.") from None
    if at.tzinfo is None:
        raise CannotRun(f"{text!r} has no time zone. In UTC it is {text}Z.")
    if not now - KEPT <= at <= now - RECENT:
        raise CannotRun("AWS restores an instant of the last 35 days, up to five minutes ago.")
    return at.astimezone(UTC)


class LambdaFunction(Frozen):
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
    def stopped(self, on: Terminal, pause: Callable[[float], None]) -> Iterator[None]:
        """Stops all functions; starts each again at the end, even after an error."""
        functions = [self._described(name) for name in self._names()]
        if not functions:
            raise CannotRun(f"The stack {self._stack} has no functions. Name another with --stack.")
        on.note(f"Stopping {count(len(functions), 'function')}.")
        with contextlib.ExitStack() as starting:
            for each in functions:
                starting.callback(self._reserve, each.name, each.reserved)
                self._reserve(each.name, 0)
            longest = max(each.seconds for each in functions)
            on.note(f"Waiting {longest} seconds for calls that still run.")
            pause(longest)
            yield

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

    def _described(self, name: str) -> LambdaFunction:
        """Treats a concurrency of 0 as none: an interrupted run may have left it."""
        timeout = self._lambda.get_function_configuration(FunctionName=name)["Timeout"]
        found = self._lambda.get_function_concurrency(FunctionName=name)
        return LambdaFunction(name, timeout, found.get("ReservedConcurrentExecutions") or None)

    def _reserve(self, name: str, calls: int | None) -> None:
        if calls is None:
            self._lambda.delete_function_concurrency(FunctionName=name)
        else:
            self._lambda.put_function_concurrency(
                FunctionName=name, ReservedConcurrentExecutions=calls
            )
