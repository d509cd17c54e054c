"""Commands beside a running server: they read the file, and the server writes for them."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import urllib3

from frontdesk.store.sqlite.lock import running
from tests.support.machine import Machine, machine, until

PEOPLE = "name,email\n" + "".join(f"Guest {n},guest{n}@example.org\n" for n in range(30))


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    with machine(tmp_path_factory.mktemp("one")) as one:
        yield one.with_event("supper", seats=20).with_event("tea", seats=20).start()


def post(one: Machine, order: str, token: str, **headers: str) -> int:
    return one.post(f"/control/{order}", {}, {"authorization": f"Bearer {token}", **headers})[0]


@pytest.mark.spec("FD-25")
@pytest.mark.spec("EV-10")
def test_an_import_goes_through_the_server_whose_followers_tell_the_guests(
    one: Machine, tmp_path: Path
) -> None:
    people = tmp_path / "people.csv"
    people.write_text(PEOPLE)

    report = one.data("import", "supper", str(people))

    outcomes = [row["outcome"] for row in report["rows"]]
    assert outcomes == ["confirmed"] * 20 + ["waitlisted"] * 10
    # These mails are no answers, so they wait for the morning if it is night there.
    until(lambda: told(one, "guest%") == 30)
    assert {row["outcome"] for row in one.data("import", "supper", str(people))["rows"]} == {
        "already on the list"
    }
    assert one.data("doctor")["problems"] == []


def told(one: Machine, who: str) -> int:
    [(number,)] = one.rows(
        "SELECT count(*) FROM fd_send JOIN fd_person USING (person_id)"
        " WHERE state IN ('sent', 'held') AND email LIKE ?",
        who,
    )
    assert isinstance(number, int)
    return number


def sign_up(one: Machine, who: str) -> None:
    status, answer = one.post(
        "/api/events/tea/guests", {"name": who.title(), "email": f"{who}@example.org"}
    )
    assert status == 200, answer
    until(lambda: told(one, f"{who}@%") == 1)


@pytest.mark.spec("FD-20")
def test_people_are_erased_and_data_is_backed_up_while_it_is_served(
    one: Machine, tmp_path: Path
) -> None:
    sign_up(one, "dora")
    copy = tmp_path / "copy.db"

    assert one.run("backup", str(copy)).returncode == 0
    one.data("erase", "dora@example.org")

    gone = one.run("person", "dora@example.org")
    assert (gone.returncode, gone.stderr) == (1, "frontdesk: Nobody has this address.\n")
    refused = one.run("restore", str(copy))
    assert refused.returncode == 1
    assert "Stop it first" in refused.stderr
    elsewhere = Machine(tmp_path / "elsewhere")
    assert elsewhere.run("restore", str(copy)).returncode == 0
    assert elsewhere.data("person", "dora@example.org")["person"]["name"] == "Dora"
    assert "link-keys.json is missing" in elsewhere.run("doctor").stdout
    shutil.copy(one.data_dir / "link-keys.json", elsewhere.data_dir)
    assert elsewhere.data("doctor")["problems"] == []


@pytest.mark.spec("FD-08")
def test_a_key_is_exchanged_while_it_is_served_and_old_links_still_work(one: Machine) -> None:
    sign_up(one, "ann")
    last = len(json.loads((one.data_dir / "link-keys.json").read_text()))

    assert one.data("keys", "rotate") == {"key": last + 1, "older": [*range(last, 0, -1)]}

    sign_up(one, "bob")
    tokens = [mail_link(one, f"{who}@example.org").rpartition("/")[2] for who in ("ann", "bob")]
    assert tokens[0][:2] != tokens[1][:2]
    assert [opens(one, token) for token in tokens] == [200, 200]


def mail_link(one: Machine, email: str) -> str:
    [mail] = one.data("person", email)["messages"]
    text: str = mail["text"]
    return next(line for line in text.splitlines() if "/l/" in line).partition("#")[0]


def opens(one: Machine, token: str) -> int:
    return urllib3.request("GET", f"{one.url}/l/{token}", retries=False).status


def test_an_order_without_the_token_of_the_lock_file_is_refused(one: Machine) -> None:
    found = running(one.data_dir)
    assert found is not None
    assert len(found.token) > 40
    keys = one.data_dir / "link-keys.json"
    before = keys.read_text()

    assert post(one, "rotate-keys", "") == 404
    assert post(one, "rotate-keys", found.token[:-1]) == 404
    assert post(one, "rotate-keys", found.token, **{"x-forwarded-for": "127.0.0.1"}) == 404
    assert post(one, "dance", found.token) == 404
    assert keys.read_text() == before
    assert post(one, "rotate-keys", found.token) == 200
    assert len(json.loads(keys.read_text())) == len(json.loads(before)) + 1
