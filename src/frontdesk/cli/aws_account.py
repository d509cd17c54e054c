"""Commands on AWS: chooses the account, reads its tables, calls its functions."""

from __future__ import annotations

import contextlib
import json
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from frontdesk.cli.command import CannotRun, settings_for
from frontdesk.cli.data_access import looking
from frontdesk.engine.inspection import Inspected
from frontdesk.engine.ports import Reads
from frontdesk.values import Frozen

if TYPE_CHECKING:
    from frontdesk.store.dynamodb.inspection import DynamoInspection

#: The function that does the operator's requests.
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
            raise CannotRun("--aws needs boto3: pip install 'frontdesk[aws]'.") from None
        self._session = Session(profile=profile)
        if region:
            self._session.set_config_variable("region", region)
        self._patient = Config(
            retries={"mode": "standard", "total_max_attempts": 6},
            connect_timeout=5,
            read_timeout=60,
        )
        self._once = Config(retries={"total_max_attempts": 1}, read_timeout=_ANSWER_SECONDS)
        self.prefix = prefix

    def client(self, service: str) -> Any:
        config = self._once if service == "lambda" else self._patient
        return self._session.create_client(service, config=config)

    def view(self) -> AwsView:
        from frontdesk.store.dynamodb.inspection import DynamoInspection
        from frontdesk.store.dynamodb.store import DynamoStore
        from frontdesk.store.dynamodb.table_reader import Bucket, TableReader
        from frontdesk.wiring.aws import TABLES

        tables, no_bucket = self.client("dynamodb"), Bucket(None, "")
        store = DynamoStore(tables, no_bucket, TABLES, prefix=self.prefix)
        return AwsView(store.reads(), DynamoInspection(TableReader(tables, no_bucket, self.prefix)))

    def ask(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Calls the operator's function, which may write; returns its answer."""
        answer = self.client("lambda").invoke(
            FunctionName=self.prefix + OPERATOR, Payload=json.dumps(question).encode()
        )
        said = json.loads(answer["Payload"].read())
        if "FunctionError" in answer:
            raise CannotRun(f"{OPERATOR} failed: {said.get('errorMessage', 'no reason given')}")
        found: Mapping[str, Any] = said
        return found


def with_aws(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("on AWS")
    group.add_argument("--aws", action="store_true", help="of the deployment on AWS")
    group.add_argument("--profile", metavar="NAME", help="a profile of the AWS command line")
    group.add_argument("--region", metavar="NAME", help="the region, if the profile has none")
    group.add_argument(
        "--table-prefix",
        metavar="TEXT",
        help="what stands before the names of tables, as in those that `restore` made",
    )


def account_of(args: Namespace) -> AwsAccount:
    prefix = args.table_prefix
    if prefix is None:
        prefix = os.environ.get("FRONTDESK_TABLE_PREFIX", "")
    return AwsAccount(profile=args.profile, region=args.region, prefix=prefix)


@contextlib.contextmanager
def opened(args: Namespace) -> Iterator[Inspected]:
    """Opens the data for a command: a data directory, or AWS."""
    if not args.aws:
        if args.profile or args.region or args.table_prefix:
            raise CannotRun("--profile, --region and --table-prefix belong to --aws.")
        with looking(settings_for(args)) as view:
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
        raise CannotRun("--aws needs boto3: pip install 'frontdesk[aws]'.") from None
    try:
        yield
    except ClientError as error:
        said = error.response["Error"]
        if said["Code"] == "ResourceNotFoundException":
            raise CannotRun(
                f"There is no such thing in this account and region ({error.operation_name}):"
                f" {said.get('Message', '')} Are --profile and --region right?"
            ) from error
        raise CannotRun(f"AWS refused {error.operation_name}: {said.get('Message')}") from error
    except BotoCoreError as error:
        raise CannotRun(f"AWS cannot be asked: {error}") from error
