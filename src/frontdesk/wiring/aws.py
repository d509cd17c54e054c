"""The product on AWS: tables, a bucket and SES, shared by as many functions as there are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from frontdesk.channels import AwsAccess
from frontdesk.core.links import Keys
from frontdesk.engine.clock import Clock, SystemClock
from frontdesk.errors import BadSettings
from frontdesk.logs import log
from frontdesk.settings import Settings
from frontdesk.store.dynamodb.limits import DynamoLimits
from frontdesk.store.dynamodb.schema import FD_RATELIMIT, Table
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.table_reader import Bucket
from frontdesk.values import Frozen
from frontdesk.web.limits import network
from frontdesk.wiring import model
from frontdesk.wiring.application import Application, build_application
from frontdesk.wiring.channels import MAIL, channels, sms_channel
from frontdesk.wiring.desks import DESKS

if TYPE_CHECKING:
    from frontdesk.connect.models.port import LanguageModel
    from frontdesk.reading.model import PictureReader

TABLES: Final = tuple(desk.dynamodb() for desk in DESKS)
#: What holds on AWS unless Parameter Store says otherwise: SES sends mail and takes it in, at the
#: usual port, and writes down what it thinks of the sender; SNS sends texts.
DEFAULTS: Final = {
    "channel": "ses",
    "texts": "sns",
    "trusted-authserv": "amazonses.com",
    "mail-in-port": "25",
}


class Account(Frozen):
    """Where this deployment has its things. `client` gives one for a service by its name."""

    client: Callable[[str], Any]
    mail_bucket: str
    table_prefix: str = ""
    configuration_set: str = ""
    model: str = ""
    waitlist_mail_bucket: str = ""
    """For mail to the waitlist; without one it lies with all other mail."""
    rules_bucket: str = ""
    """For what staff write; without one only the tables have it."""
    sheets_bucket: str = ""
    """For the versions of the waitlist; without one they lie with the mail."""
    drive_secret: str = ""
    """The name of what opens the sheet that staff edit at Google's."""
    has_calendar: bool = False
    """Whether staff put openings into a calendar; where it is, few functions know."""

    @property
    def bucket(self) -> Bucket:
        return self.bucket_named(self.mail_bucket)

    def bucket_if_any(self, name: str) -> Bucket | None:
        return self.bucket_named(name) if name else None

    def bucket_named(self, name: str) -> Bucket:
        return Bucket(_Later(lambda: self.client("s3")), name)


class Elsewhere(Frozen):
    """What other functions do when a page of the console asks: they alone have the keys to it."""

    sheet: object
    documents: object
    calendar: object


def build(
    settings: Settings,
    keys: Callable[[], Keys],
    account: Account,
    *,
    claim_keys: Callable[[], Keys] | None = None,
    clock: Clock | None = None,
) -> Application:
    store = DynamoStore(
        account.client("dynamodb"),
        account.bucket,
        TABLES,
        prefix=account.table_prefix,
        sheets_bucket=account.bucket_if_any(account.sheets_bucket),
        waitlist_mail=account.bucket_if_any(account.waitlist_mail_bucket),
    )
    access = aws_access(account)
    return build_application(
        settings,
        store,
        channels(MAIL["ses"](settings, access), sms_channel(settings, access)),
        keys,
        clock or SystemClock(),
        claim_keys=claim_keys,
        model=_model(settings, account),
        pictures=partial(_pictures, account),
    )


def _model(settings: Settings, account: Account) -> LanguageModel | None:
    """One with wrong settings is logged as a failure; everything else works without it. Bedrock is
    asked by those functions alone that are told of a model, and so may."""

    def bedrock(is_quick: bool) -> _Later:
        name = "bedrock-runtime/quick" if is_quick else "bedrock-runtime"
        return _Later(lambda: account.client(name))

    if settings.model_by in ("", "bedrock") and not account.model:
        return None
    try:
        return model.model_of(settings, bedrock, account.model)
    except BadSettings as error:
        log("settings.failed", why=str(error))
        return None


def _pictures(account: Account) -> PictureReader:
    from frontdesk.reading.textract import Textract

    return Textract(_Later(lambda: account.client("textract")))


def aws_access(account: Account) -> AwsAccess:
    return AwsAccess(
        lambda service: _Later(lambda: account.client(service)), account.configuration_set
    )


def limits_of(account: Account, table: Table = FD_RATELIMIT) -> DynamoLimits:
    return DynamoLimits(account.client("dynamodb"), account.table_prefix, table, network=network)


class _Later:
    """A client that is made when it is first used: most functions need few of them."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        return getattr(self._make(), name)
