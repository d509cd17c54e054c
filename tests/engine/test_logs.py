"""The log has one line of JSON for each entry, and no addresses."""

import json

import pytest

from frontdesk.logs import failure, log


@pytest.mark.spec("FD-30")
def test_a_line_of_the_log_is_json_and_holds_no_address(
    capsys: pytest.CaptureFixture[str],
) -> None:
    log("send.failed", send="abc", tries=3, why=ValueError('550 <ann.o\'hara@example.org> "x"\ny'))

    (line,) = capsys.readouterr().err.splitlines()
    logged = json.loads(line)
    assert logged.pop("at").endswith("+00:00")
    assert logged == {
        "event": "send.failed",
        "send": "abc",
        "tries": 3,
        "why": '550 <(address)> "x"\ny',
    }


def test_a_failure_is_named_in_one_line() -> None:
    assert failure(KeyError("x")) == "KeyError: 'x'"
    assert failure(TimeoutError()) == "TimeoutError"
    assert failure(ValueError("to:bob@example.org")) == "ValueError: to:(address)"
    assert failure(ValueError('to "Bob B"@example.org')) == "ValueError: to (address)"


@pytest.mark.spec("FD-30")
def test_a_phone_number_is_an_address_too() -> None:
    assert failure(ValueError("+6591234567 is not valid")) == "ValueError: (number) is not valid"
    assert failure(ValueError("due 2026-11-16T01:00:00+00:00")).endswith("01:00:00+00:00")
