"""The files for one machine agree with the server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from frontdesk.embedded.http import MOST_CONNECTIONS, OPEN_FILES

FILES = Path(__file__).parents[2] / "deploy" / "one-machine"


@pytest.mark.spec("FD-29")
def test_nobody_is_redirected_to_a_name_that_the_visitor_claims() -> None:
    nginx = (FILES / "nginx.conf").read_text()
    redirects = re.findall(r"^\s*return 30\d (\S+);", nginx, re.MULTILINE)

    assert redirects == ["https://events.example.org$request_uri"]


@pytest.mark.spec("FD-29")
def test_one_visitor_of_the_proxy_does_not_take_all_connections() -> None:
    nginx = (FILES / "nginx.conf").read_text()
    limits = re.findall(r"^\s*limit_conn \S+ (\d+);", nginx, re.MULTILINE)

    assert [int(each) for each in limits] == [200]


def test_the_service_may_open_as_many_files_as_it_takes_connections() -> None:
    unit = (FILES / "frontdesk.service").read_text()
    (most,) = re.findall(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE)

    assert int(most) >= OPEN_FILES > MOST_CONNECTIONS
