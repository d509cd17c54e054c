"""Texts that come in, as AWS publishes them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from frontdesk.aws.incoming_sms import incoming_text
from frontdesk.core.messages import IncomingText

AT = datetime(2026, 11, 16, 1, 0, tzinfo=UTC)
NOTICE = {
    "originationNumber": "+6591234567",
    "destinationNumber": "+6581234567",
    "messageKeyword": "KEYWORD",
    "messageBody": "Stop",
    "inboundMessageId": "cae173d2-66b9-564c-8309-21f858e9fb84",
}


@pytest.mark.spec("WL-06")
def test_a_text_has_its_number_its_words_and_the_id_by_which_it_is_known_again() -> None:
    assert incoming_text(NOTICE, AT) == IncomingText(
        from_mobile="+6591234567",
        words="Stop",
        id="cae173d2-66b9-564c-8309-21f858e9fb84",
        at=AT,
    )


@pytest.mark.parametrize(
    "notice",
    [{}, {**NOTICE, "originationNumber": "12345"}, {**NOTICE, "messageBody": None}, {"Type": "x"}],
)
def test_a_payload_that_is_no_text_from_a_number_is_ignored(notice: dict[str, Any]) -> None:
    assert incoming_text(notice, AT) is None
