"""Builds the application on AWS: tables, buckets, SES and SNS, shared by all functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from frontdesk.channels import AwsAccess
from frontdesk.core.links import Keys
from frontdesk.core.mail import MailFolder
from frontdesk.engine.clock import Clock, SystemClock
from frontdesk.errors import BadSettings
from frontdesk.logs import log
from frontdesk.settings import Settings
from frontdesk.store.dynamodb.limits import DynamoLimits
from frontdesk.store.dynamodb.schema import FD_RATELIMIT, Table
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.table_reader import ContentBucket
from frontdesk.values import Frozen
from frontdesk.web.limits import network
from frontdesk.wiring import model
from frontdesk.wiring.application import Application, build_application
from frontdesk.wiring.channels import MAIL, channels, sms_channel
from frontdesk.wiring.desks import DESKS

if TYPE_CHECKING:
    from frontdesk.connect.embeddings.s3_vectors import NamesInS3Vectors
    from frontdesk.connect.models.port import LanguageModel
    from frontdesk.features.calendars.busy_times import CalendarCache
    from frontdesk.features.calendars.console import CalendarSyncer
    from frontdesk.features.sheet_sync.console import SheetSyncer
    from frontdesk.reading.model import PictureReader

K = TypeVar("K")
TABLES: Final = tuple(desk.dynamodb() for desk in DESKS)
#: Settings on AWS unless Parameter Store overrides them: SES sends and receives mail, and reports
#: whether the sender is authentic; SNS sends texts; all desks are on.
DEFAULTS: Final = {
    "desks-off": "",
    "channel": "ses",
    "texts": "sns",
    "trusted-authserv": "amazonses.com",
    "mail-in-port": "25",
}


#: The index of the services' names in S3 Vectors.
INDEX: Final = "vec-services"


class AwsResources(Frozen):
    """The resources of this deployment. `client` returns a client for a service, by name."""

    client: Callable[[str], Any]
    mail_bucket: str
    table_prefix: str = ""
    configuration_set: str = ""
    model: str = ""
    waitlist_mail_bucket: str = ""
    """The bucket for mail to the waitlist; if empty, the mail bucket has it."""
    rules_bucket: str = ""
    """The bucket for the documents of staff; if empty, only the tables have them."""
    sheets_bucket: str = ""
    """The bucket for the versions of the waitlist; if empty, the mail bucket has them."""
    reminders_mail_bucket: str = ""
    reminders_rules_bucket: str = ""
    reminders_sheets_bucket: str = ""
    """The same three for the reminders desk: its mail, its documents, versions of appointments."""
    drive_secret: str = ""
    """The name of the secret with the key to the Google Sheet of the staff."""
    embedding_region: str = ""
    """The region in which texts are embedded; empty if there are no embeddings."""
    vector_bucket: str = ""
    """The vector bucket with the index of services."""
    has_calendar: bool = False
    """Tells whether staff put openings into a calendar; only some functions know its address."""

    @property
    def bucket(self) -> ContentBucket:
        return self.bucket_named(self.mail_bucket)

    def buckets(self, names: Mapping[K, str]) -> dict[K, ContentBucket]:
        """Leaves out those without a name."""
        return {key: self.bucket_named(name) for key, name in names.items() if name}

    def bucket_named(self, name: str) -> ContentBucket:
        return ContentBucket(_LazyClient(lambda: self.client("s3")), name)


class RemoteWork(Frozen):
    """Work that other functions do for the console, since only they have the keys to it."""

    sheet: Callable[[str], SheetSyncer]
    """Syncs the sheet of the desk with this code."""
    documents: Callable[[str, str], Callable[[], bool]]
    """Has a function read the documents of the desk with this code."""
    calendars: Callable[[str], CalendarSyncer]
    """Has `calendar-sync` read the calendars of this kind."""
    calendar_cache: Callable[[str], CalendarCache]
    """Has this function read a calendar."""


def build(
    settings: Settings,
    keys: Callable[[], Keys],
    account: AwsResources,
    *,
    claim_keys: Callable[[], Keys] | None = None,
    clock: Clock | None = None,
) -> Application:
    store = DynamoStore(
        account.client("dynamodb"),
        account.bucket,
        TABLES,
        prefix=account.table_prefix,
        sheet_buckets=account.buckets(
            {"wl": account.sheets_bucket, "ar": account.reminders_sheets_bucket}
        ),
        mail_buckets=account.buckets(
            {
                MailFolder.WAITLIST: account.waitlist_mail_bucket,
                MailFolder.REMINDERS: account.reminders_mail_bucket,
            }
        ),
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
        nearest=lambda _names: service_index(account),
    )


def _model(settings: Settings, account: AwsResources) -> LanguageModel | None:
    """Returns the model, or None. Logs wrong settings; everything else works without a model. Only
    functions that are given a model's name may call Bedrock.
    """

    def bedrock(is_quick: bool) -> _LazyClient:
        name = "bedrock-runtime/quick" if is_quick else "bedrock-runtime"
        return _LazyClient(lambda: account.client(name))

    if settings.model_by in ("", "bedrock") and not account.model:
        return None
    try:
        return model.model_of(settings, bedrock, account.model)
    except BadSettings as error:
        log("settings.failed", why=str(error))
        return None


def service_index(account: AwsResources) -> NamesInS3Vectors | None:
    """Returns the index that `fn-config-sync` keeps; only some functions are given its name."""
    if not (account.embedding_region and account.vector_bucket):
        return None
    from frontdesk.connect.embeddings.s3_vectors import NamesInS3Vectors
    from frontdesk.connect.embeddings.titan import TitanEmbedder

    bedrock = _LazyClient(
        lambda: account.client(f"bedrock-runtime/embed@{account.embedding_region}")
    )
    vectors = _LazyClient(lambda: account.client("s3vectors"))
    return NamesInS3Vectors(vectors, account.vector_bucket, INDEX, TitanEmbedder(bedrock))


def _pictures(account: AwsResources) -> PictureReader:
    from frontdesk.reading.textract import Textract

    return Textract(_LazyClient(lambda: account.client("textract")))


def aws_access(account: AwsResources) -> AwsAccess:
    return AwsAccess(
        lambda service: _LazyClient(lambda: account.client(service)), account.configuration_set
    )


def limits_of(account: AwsResources, table: Table = FD_RATELIMIT) -> DynamoLimits:
    return DynamoLimits(account.client("dynamodb"), account.table_prefix, table, network=network)


class _LazyClient:
    """Creates the client on first use: most functions need few of them."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        return getattr(self._make(), name)
