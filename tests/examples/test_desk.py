"""The recipe for a desk: its example runs in the whole product on both stores."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.core.decision import Accepted
from frontdesk.core.people import PersonId
from frontdesk.core.sends import Via
from frontdesk.desks.admin.commands import Erase
from frontdesk.desks.admin.desk import first_link
from frontdesk.doctor import check_up
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.keys import link_keys
from frontdesk.engine.ports import Committed
from frontdesk.engine.runtime import advance
from frontdesk.errors import Conflict
from frontdesk.settings import Settings
from frontdesk.store.dynamodb import schema
from frontdesk.store.dynamodb.sends import read_kept
from frontdesk.store.dynamodb.store import DynamoStore
from frontdesk.store.dynamodb.values import row_of
from frontdesk.store.sqlite import files, view
from frontdesk.values import replace
from frontdesk.wiring import aws, desks, one_machine, site
from frontdesk.wiring.application import MonitoredStore, build_application
from tests.examples.desk_callbacks import dynamodb as callback_items
from tests.examples.desk_callbacks import parts
from tests.examples.desk_callbacks.model import CODE, AddCall, AskForCall, Call, MoveCall, State
from tests.examples.source_lines import ROOT, lines_of, misquoted, quotes
from tests.support.browser import Browser
from tests.support.dynamodb import Tables, needs_dynamodb
from tests.support.rsvp import NINE

PAGE = ROOT / "docs" / "adding-a-desk.md"
MOST_LINES = 400
ANN = "ann@example.org"
FOLDER = Path(parts.__file__).parent
IN_FIVE_HOURS = NINE + timedelta(hours=5)


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Adds the example to the list of desks, and its migration to the folder."""
    before, after = desks.DESKS, (*desks.DESKS, parts.Callbacks())
    users = [each for each in sys.modules.values() if getattr(each, "DESKS", None) is before]
    assert desks in users
    for each in users:
        monkeypatch.setattr(each, "DESKS", after)
    monkeypatch.setattr(one_machine, "TABLES", tuple(desk.sqlite() for desk in after))
    monkeypatch.setattr(aws, "TABLES", tuple(desk.dynamodb() for desk in after))
    monkeypatch.setattr(
        site, "TEMPLATES", {**site.TEMPLATES, "callbacks": parts.Callbacks().package}
    )
    files_there = list(files.migrations())
    sql = (FOLDER / "callbacks.sql").read_text("utf-8")
    all_files = [*files_there, (len(files_there) + 1, sql)]
    for each in (files, view):
        monkeypatch.setattr(each, "migrations", lambda: iter(all_files))


class CallbacksDesk:
    def __init__(self, folder: Path) -> None:
        self.clock = VirtualClock(NINE)
        self.product = one_machine.build(
            Settings(data_dir=folder, base_url="http://desk.example"), clock=self.clock
        )
        self.app = one_machine.web_app(self.product)

    def close(self) -> None:
        self.product.close()

    def visitor(self) -> Browser:
        return Browser(self.app, self.product.settings.base_url)

    def owner(self) -> Browser:
        product, browser = self.product, self.visitor()
        link = first_link(product.engine, product.keys, product.settings.base_url, self.clock.now())
        assert browser.post(link.removeprefix(product.settings.base_url)).status == 303
        return browser

    def wait(self, **span: float) -> None:
        advance(self.product.runtime, self.clock, self.clock.now() + timedelta(**span))

    def calls(self) -> list[Call]:
        return list(self.product.engine.reads().desk("cb").calls())


@pytest.fixture
def desk(tmp_path: Path, listed: None) -> Iterator[CallbacksDesk]:
    with closing(CallbacksDesk(tmp_path)) as one:
        yield one


def ask(visitor: Browser, **changed: str) -> None:
    fields = {"name": "Ann", "email": "ann@example.org", "hours": "5", "question": "A table?"}
    answer = visitor.post("/call-me", **{**fields, **changed})
    assert (answer.status, answer.location) == (303, "/call-me?asked=yes")


def test_somebody_asks_on_the_page_and_staff_see_it_in_the_console(desk: CallbacksDesk) -> None:
    visitor = desk.visitor()
    assert visitor.get("/call-me").heading == "Call me"

    ask(visitor)

    (call,) = desk.calls()
    assert call == Call(call.id, call.person_id, "A table?", IN_FIVE_HOURS)
    assert "We will call you." in visitor.get("/call-me?asked=yes").says
    page = desk.owner().open("/console/calls")
    assert (page.status, page.heading) == (200, "Calls")
    assert "A table?" in page.says
    assert "planned" in page.says


def test_a_wrong_form_says_why_and_changes_nothing(desk: CallbacksDesk) -> None:
    fields = {"name": "Ann", "email": "ann@example.org", "question": "A table?"}

    answer = desk.visitor().post("/call-me", **fields, hours="0")

    assert answer.status == 422
    assert "Please give more than one hour." in answer.says
    assert desk.visitor().post("/call-me", **{**fields, "email": "ann"}).status == 422
    assert desk.calls() == []


def test_the_timer_sends_the_mail_an_hour_before_once(desk: CallbacksDesk) -> None:
    ask(desk.visitor())
    desk.wait(hours=3, minutes=59)
    assert [call.state for call in desk.calls()] == [State.PLANNED]

    desk.wait(minutes=2)
    desk.wait(days=1)

    assert [call.state for call in desk.calls()] == [State.REMINDED]
    page = desk.owner().open("/console/messages")
    assert page.says.count("We call you soon") == 1


def test_the_doctor_finds_nothing_and_the_console_knows_the_desk(desk: CallbacksDesk) -> None:
    ask(desk.visitor())
    desk.wait(days=1)
    owner = desk.owner()

    for url in ("/console", "/console/audit", "/console/people", "/console/health"):
        assert owner.open(url).status == 200, url
    desk.wait(seconds=1)
    path = one_machine.data_file(desk.product.settings.data_dir)
    with view.open_view(path, one_machine.TABLES) as data:
        checkup = check_up(data, desk.clock.now(), served=True)
    assert (checkup.problems, checkup.notes) == ((), ())


def check_conditions(store: MonitoredStore, call: Call) -> None:
    """Tries both changes, which must be refused: the call exists and is planned."""
    for change in (AddCall(call), MoveCall(call.id, State.REMINDED, State.PLANNED)):
        with pytest.raises(Conflict):
            store.commit(Accepted((change,)), by="test", at=NINE)


def test_no_call_is_added_twice_or_moved_from_another_state(desk: CallbacksDesk) -> None:
    ask(desk.visitor())
    (call,) = desk.calls()

    check_conditions(desk.product.store, call)

    assert desk.calls() == [call]


def test_an_erased_person_leaves_no_question_behind(desk: CallbacksDesk) -> None:
    ask(desk.visitor())
    (call,) = desk.calls()

    erased = desk.product.engine.run(Erase(call.person_id), by="test", now=NINE)

    assert isinstance(erased, Committed)
    assert desk.calls() == [replace(call, question="")]


@pytest.fixture
def tables(dynamodb: Tables, listed: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tables]:
    """Adds the tables of the example to the schema."""
    own = (callback_items.CB_CALLS, callback_items.CB_AUDIT)
    monkeypatch.setitem(schema.AUDITS, CODE, callback_items.CB_AUDIT)
    for table in own:
        dynamodb.client.create_table(**schema.create_request(table, dynamodb.prefix))
        dynamodb.client.get_waiter("table_exists").wait(TableName=dynamodb.prefix + table.name)
    yield dynamodb
    for table in own:
        dynamodb.client.delete_table(TableName=dynamodb.prefix + table.name)


@needs_dynamodb
def test_on_dynamodb_the_same_rules_plan_remind_and_forget(tables: Tables, tmp_path: Path) -> None:
    clock, keys = VirtualClock(NINE), link_keys(tmp_path)
    store = DynamoStore(tables.client, tables.bucket, aws.TABLES, prefix=tables.prefix)
    mail = {Via.MAIL: MailboxChannel()}
    back = build_application(Settings(), store, mail, lambda: keys, clock)

    def calls() -> list[Call]:
        return list(back.engine.reads().desk("cb").calls())

    command = AskForCall("call-1", PersonId("ann"), "Ann", ANN, "A table?", IN_FIVE_HOURS)
    call = Call("call-1", PersonId("ann"), "A table?", IN_FIVE_HOURS)
    assert isinstance(back.engine.run(command, by="test", now=NINE), Committed)
    assert calls() == [call]
    check_conditions(store, call)

    advance(back.runtime, clock, NINE + timedelta(days=1))
    assert calls() == [replace(call, state=State.REMINDED)]
    (row,) = tables.rows(schema.FD_MESSAGES)
    kept = read_kept(row_of(row))
    assert (kept.to_email, kept.subject) == (ANN, "We call you soon")

    assert isinstance(back.engine.run(Erase(call.person_id), by="test", now=clock.now()), Committed)
    assert calls() == [replace(call, state=State.REMINDED, question="")]


def test_the_example_is_short() -> None:
    assert lines_of(FOLDER) <= MOST_LINES


def test_the_page_quotes_the_example_as_it_is() -> None:
    assert misquoted(PAGE) == []
    assert len(quotes(PAGE)) > 0
