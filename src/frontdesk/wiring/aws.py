"""The product on AWS: tables, a bucket and SES, shared by as many functions as there are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
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
from frontdesk.wiring import documents, model, waitlist
from frontdesk.wiring.application import Application, build_application
from frontdesk.wiring.channels import MAIL, channels, sms_channel
from frontdesk.wiring.desks import DESKS

if TYPE_CHECKING:
    from frontdesk.connect.models.port import LanguageModel
    from frontdesk.desks.waitlist.slot_intake import SlotIntake
    from frontdesk.features.calendars.sync import CalendarSync
    from frontdesk.features.documents.sync import Documents
    from frontdesk.features.sheet_sync.model import Source
    from frontdesk.features.sheet_sync.sync import SheetSync
    from frontdesk.reading.model import PictureReader

TABLES: Final = tuple(desk.dynamodb() for desk in DESKS)
#: To keep a version of the whole list costs more the longer it is.
TABLE_EVERY: Final = timedelta(hours=1)
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


def slot_intake_of(back: Application, account: Account) -> SlotIntake:
    """Where freed slots and what staff write come in."""
    from frontdesk.features.documents.bucket_files import BucketFiles
    from frontdesk.features.documents.files import NoFiles

    name, copies = account.rules_bucket, documents.addresses(back.settings)
    files = BucketFiles(account.bucket_named(name), copies) if name else NoFiles()
    return waitlist.slot_intake(
        waitlist.documents(back.engine, back.clock, files, back.troubles, copies)
    )


def documents_of(back: Application, account: Account) -> Documents | None:
    """Reads the documents that staff write in Google Docs, and copies them to where all others read
    them; nothing if there are none."""
    from frontdesk.features.documents.bucket_files import BucketFiles
    from frontdesk.features.documents.google_docs import MirroredDocs

    if not (documents.addresses(back.settings) and account.rules_bucket):
        return None
    bucket = BucketFiles(account.bucket_named(account.rules_bucket))
    docs = documents.google_docs(back.settings, bucket, lambda: _drive_key(account))
    files = MirroredDocs(docs, bucket)
    return waitlist.documents(back.engine, back.clock, files, back.troubles)


def sheet_sync(back: Application, account: Account, *, changed: bool = True) -> SheetSync:
    """`changed`: the list may have changed on our side since the last time."""
    from frontdesk.desks.waitlist.sheet import list_table
    from frontdesk.features.sheet_sync.sync import SheetSync

    return SheetSync(
        back.engine,
        back.clock,
        list_table(back.settings.country),
        _sheet(back.settings, account),
        changed=changed,
        table_every=TABLE_EVERY,
    )


def _sheet(settings: Settings, account: Account) -> Source | None:
    """One that cannot be opened is shown to staff as such."""
    from frontdesk.desks.waitlist.sheet import COLUMNS
    from frontdesk.errors import SourceFailed
    from frontdesk.features.sheet_sync.sources import NotOpened, source_at

    try:
        return source_at(
            settings.waitlist_sheet, COLUMNS, lambda: _drive_key(account), settings.google_api
        )
    except SourceFailed as bad:
        return NotOpened(str(bad))


def _drive_key(account: Account) -> str:
    """The JSON of the service account."""
    from frontdesk.connect.google_api import GoogleError

    secrets = account.client("secretsmanager")
    try:
        return str(secrets.get_secret_value(SecretId=account.drive_secret)["SecretString"])
    except secrets.exceptions.ResourceNotFoundException:
        raise GoogleError(f"There is no key to the sheet in {account.drive_secret}.") from None


def calendar_sync(back: Application, account: Account) -> CalendarSync | None:
    """Where there is a calendar of openings."""
    from frontdesk.wiring import calendar

    if not back.settings.calendar_url:
        return None
    return calendar.calendar_sync(back.settings, slot_intake_of(back, account))


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
