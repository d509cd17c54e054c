"""Reports of SNS about texts, as CloudWatch Logs hands them to a function."""

from __future__ import annotations

import base64
import gzip
import json
from typing import Any

import pytest

from frontdesk.connect.sns_reports import FailedDelivery, failed_deliveries

#: As AWS documents it, in "Viewing CloudWatch Logs" of the guide to SNS.
FAILURE = """{
    "notification": {
        "messageId": "1077257a-92f3-5ca3-bc97-6a915b310625",
        "timestamp": "2016-06-28 00:40:34.559"
    },
    "delivery": {
        "mnc": 0,
        "numberOfMessageParts": 1,
        "destination": "+14255550100",
        "priceInUSD": 0.00645,
        "smsType": "Transactional",
        "mcc": 0,
        "providerResponse": "Unknown error attempting to reach phone",
        "dwellTimeMs": 1420,
        "dwellTimeMsUntilDeviceAck": 1692
    },
    "status": "FAILURE"
}"""
SUCCESS = FAILURE.replace("FAILURE", "SUCCESS")


def packed(*lines: str, kind: str = "DATA_MESSAGE") -> dict[str, Any]:
    batch = {
        "messageType": kind,
        "owner": "123456789012",
        "logGroup": "sns/ap-southeast-1/123456789012/DirectPublishToPhoneNumber/Failure",
        "logStream": "8a2b",
        "subscriptionFilters": ["frontdesk"],
        "logEvents": [
            {"id": str(number), "timestamp": 1_467_074_434_559, "message": line}
            for number, line in enumerate(lines)
        ],
    }
    return {"data": base64.b64encode(gzip.compress(json.dumps(batch).encode())).decode()}


@pytest.mark.spec("AR-20")
def test_a_failure_is_read_as_aws_documents_it() -> None:
    assert list(failed_deliveries(packed(FAILURE))) == [
        FailedDelivery(
            "1077257a-92f3-5ca3-bc97-6a915b310625",
            "+14255550100",
            "Unknown error attempting to reach phone",
        )
    ]


@pytest.mark.spec("AR-20")
@pytest.mark.parametrize(
    "awslogs",
    [
        packed(SUCCESS),
        packed("not JSON", "[]", "null", "{}", '{"status": "FAILURE"}'),
        packed(FAILURE, kind="CONTROL_MESSAGE"),
        packed(),
    ],
)
def test_other_lines_are_no_failures(awslogs: dict[str, Any]) -> None:
    assert list(failed_deliveries(awslogs)) == []


@pytest.mark.spec("AR-20")
def test_a_line_that_cannot_be_read_hides_no_other() -> None:
    assert len(list(failed_deliveries(packed("not JSON", FAILURE, SUCCESS, FAILURE)))) == 2
