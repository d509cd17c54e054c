"""The product on AWS: tables, a bucket and SES, shared by as many functions as there are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from frontdesk.channels.mailbox import PhoneChannel
from frontdesk.channels.ses import SesChannel
from frontdesk.channels.sns import SnsChannel
from frontdesk.connect.bedrock import Haiku
from frontdesk.core.links import Keys
from frontdesk.core.messages import Channels, TextChannel
from frontdesk.engine.clock import Clock, SystemClock
from frontdesk.frozen import frozen
from frontdesk.settings import Settings
from frontdesk.store.dynamodb.house import HOUSE
from frontdesk.store.dynamodb.limits import DynamoLimits
from frontdesk.store.dynamodb.look import Bucket
from frontdesk.store.dynamodb.rsvp import RSVP
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.web.limits import network
from frontdesk.wiring.back_room import BackRoom, back_room

TABLES: Final = (RSVP, HOUSE)
#: What holds on AWS unless Parameter Store says otherwise: SES sends mail and takes it in, at the
#: usual port, and writes down what it thinks of the sender; SNS sends texts.
DEFAULTS: Final = {
    "channel": "ses",
    "texts": "sns",
    "trusted-authserv": "amazonses.com",
    "mail-in-port": "25",
}


@frozen
class Account:
    """Where this deployment has its things. `client` gives one for a service by its name."""

    client: Callable[[str], Any]
    mail_bucket: str
    table_prefix: str = ""
    configuration_set: str = ""
    model: str = ""

    @property
    def bucket(self) -> Bucket:
        return Bucket(_Later(lambda: self.client("s3")), self.mail_bucket)


def put_together(
    settings: Settings, keys: Callable[[], Keys], account: Account, *, clock: Clock | None = None
) -> BackRoom:
    store = DynamoStore(
        account.client("dynamodb"), account.bucket, TABLES, prefix=account.table_prefix
    )
    channel = SesChannel(_Later(lambda: account.client("ses")), account.configuration_set)
    model = model_of(account)
    return back_room(
        settings,
        store,
        Channels(channel, texts_of(settings, account)),
        keys,
        clock or SystemClock(),
        drafts=model.thank if model else None,
    )


def texts_of(settings: Settings, account: Account) -> TextChannel | None:
    """Kept in the mailbox where somebody wants to try things, by SNS, or not at all."""
    match settings.texts_by:
        case "sns":
            return SnsChannel(_Later(lambda: account.client("sns")), settings.text_sender)
        case "mailbox":
            return PhoneChannel()
        case _:
            return None


def limits_of(account: Account) -> DynamoLimits:
    return DynamoLimits(account.client("dynamodb"), account.table_prefix, network=network)


def model_of(account: Account) -> Haiku | None:
    """Only where one is named; the product works the same without."""
    if not account.model:
        return None
    return Haiku(_Later(lambda: account.client("bedrock-runtime")), account.model)


class _Later:
    """A client that is made when it is first used: most functions need few of them."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        return getattr(self._make(), name)
