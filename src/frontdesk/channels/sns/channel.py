"""Sends SMS through Amazon SNS and classifies failures."""

from __future__ import annotations

from typing import Any, Final

from botocore.exceptions import BotoCoreError, ClientError

from frontdesk.channels.aws_failures import aws_error_of, classify
from frontdesk.core.messages import SendFailed, SendLater, SendRefused, SendUnknown, Text

#: SNS returns these codes for a bad parameter. The text names the parameter.
_BAD_PARAMETER: Final = frozenset(
    {"InvalidParameter", "ParameterValueInvalid", "ValidationException"}
)


class SnsChannel:
    """`client` must not retry: an SMS that may have been sent is not sent again.

    `sender` is the name that phones show, in countries whose networks allow one. `number` is the
    origination number: a number of the account, to which people can reply.
    """

    name: Final = "sns"
    local: Final = False

    def __init__(self, client: Any, sender: str = "", number: str = "") -> None:
        self._client = client
        self._sender = sender
        self._number = number

    def send(self, message: Text) -> str:
        """Returns the id of SNS once it has accepted the text; raises a `SendFailed` otherwise."""
        self._refuse_opted_out(message.to_mobile)
        try:
            accepted = self._client.publish(
                PhoneNumber=message.to_mobile,
                Message=message.text,
                MessageAttributes=self._attributes(),
            )
        except (ClientError, BotoCoreError) as error:
            raise _failed(error) from None
        return str(accepted["MessageId"])

    def _refuse_opted_out(self, mobile: str) -> None:
        """Raises `SendRefused` for a number that opted out: SNS would accept and drop the SMS."""
        try:
            answer = self._client.check_if_phone_number_is_opted_out(phoneNumber=mobile)
        except (ClientError, BotoCoreError) as error:
            raise _not_asked(_failed(error)) from None
        if answer["isOptedOut"]:
            raise SendRefused("sns: this number has opted out", about_recipient=True)

    def _attributes(self) -> dict[str, Any]:
        chosen = {"AWS.SNS.SMS.SMSType": "Transactional"}
        if self._sender:
            chosen["AWS.SNS.SMS.SenderID"] = self._sender
        if self._number:
            chosen["AWS.MM.SMS.OriginationNumber"] = self._number
        return {
            name: {"DataType": "String", "StringValue": value} for name, value in chosen.items()
        }


def _not_asked(failed: SendFailed) -> SendFailed:
    """Maps an unknown outcome of the check to `SendLater`: nothing was sent yet."""
    return SendLater(failed.reason) if isinstance(failed, SendUnknown) else failed


def _failed(error: ClientError | BotoCoreError) -> SendFailed:
    failed = classify("sns", error)
    if not isinstance(error, ClientError) or not isinstance(failed, SendRefused):
        return failed
    answer = aws_error_of(error)
    about_number = answer.code in _BAD_PARAMETER and "phone" in answer.text.lower()
    return SendRefused(failed.reason, permanent=failed.permanent, about_recipient=about_number)
