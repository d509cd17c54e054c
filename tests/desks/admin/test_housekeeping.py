"""Old rows are deleted at night in bounded steps, and no others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted, Refused
from frontdesk.core.mail import KeepMail, MailId, RawMail
from frontdesk.core.members import Role
from frontdesk.desks.admin.commands import AskForSignIn, PlanTidying, SetBusiness
from frontdesk.desks.admin.decide.housekeeping import AT_ONCE, TIMER
from frontdesk.desks.admin.desk import OWNER_EMAIL, new_nonce
from frontdesk.desks.admin.facts import Tidied
from frontdesk.desks.admin.model import Business, Rows
from frontdesk.desks.admin.reads import FactFilter, MessageFilter
from frontdesk.engine.clock import VirtualClock
from frontdesk.settings import Settings, load
from frontdesk.values import replace
from frontdesk.wiring.one_machine import build, web_app
from tests.support.house import NINE, House

DAY = timedelta(days=1)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., House]]:
    """An installation with its own settings."""
    houses = []

    def open_(**settings: int) -> House:
        clock = VirtualClock(NINE)
        product = build(Settings(data_dir=tmp_path, **settings), clock=clock)  # type: ignore[arg-type]
        houses.append(House(product, clock, web_app(product)))
        return houses[-1]

    yield open_
    for each in houses:
        each.product.close()


def planned_at(house: House) -> datetime | None:
    return house.fd.timer_at(TIMER)


def tidied(house: House) -> list[Tidied]:
    """Returns the rows that each step deleted, the oldest first."""
    found = house.fd.facts(FactFilter(kind=Tidied.kind), 100)
    return [each.fact for each in reversed(found) if isinstance(each.fact, Tidied)]


def rows(house: House, table: str) -> int:
    with house._db() as db:
        count: int = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        return count


def mail(number: int, at: datetime) -> KeepMail:
    return KeepMail(RawMail(MailId(f"{number:026}"), at, "", "desk@example.org", b"x"))


def take_in(house: House, *mails: KeepMail) -> None:
    house.product.store.commit(Accepted(mails), by="test", at=house.clock.now())


def test_it_is_planned_for_three_at_night_where_the_business_is(house: House) -> None:
    house.do(SetBusiness(Business(name="Long Table", zone="America/New_York")))
    house.do(PlanTidying())
    assert planned_at(house) == datetime(2026, 3, 3, 8, tzinfo=UTC)

    assert isinstance(house.run(PlanTidying()), Refused)
    house.wait(days=7)

    assert planned_at(house) == datetime(2026, 3, 10, 7, tzinfo=UTC)
    assert tidied(house) == []


@pytest.mark.spec("FD-20")
def test_mail_that_came_in_is_kept_for_a_year(house: House) -> None:
    take_in(house, mail(1, NINE - 364 * DAY), mail(2, NINE - 366 * DAY))
    house.do(PlanTidying())
    house.wait(days=1)

    engine = house.product.engine.reads().engine
    assert engine.raw_mail(MailId(f"{1:026}")) is not None
    assert engine.raw_mail(MailId(f"{2:026}")) is None
    nothing = Tidied(sessions=0, sign_ins=0, keys=0, mails=0, messages=0)
    assert tidied(house) == [replace(nothing, mails=1)]


@pytest.mark.spec("FD-20")
def test_rows_without_a_time_limit_are_kept(opened: Callable[..., House]) -> None:
    house = opened(keep_mail_days=0)
    take_in(house, mail(1, NINE - 4_000 * DAY))
    house.do(PlanTidying())
    house.wait(days=2)

    assert (rows(house, "fd_mail"), tidied(house)) == (1, [])


def test_there_are_only_so_many_in_one_step(house: House) -> None:
    at_once = AT_ONCE[Rows.MAILS]
    take_in(house, *(mail(number, NINE - 400 * DAY) for number in range(2 * at_once + 1)))
    house.do(PlanTidying())
    house.wait(days=1)

    assert [step.mails for step in tidied(house)] == [at_once, at_once, 1]
    assert rows(house, "fd_mail") == 0
    assert planned_at(house) == datetime(2026, 3, 4, 3, tzinfo=UTC)


@pytest.mark.spec("FD-20")
def test_the_words_of_a_message_go_and_that_it_was_sent_stays(
    opened: Callable[..., House],
) -> None:
    house = opened(keep_messages_days=30)
    owner = house.owner()
    house.invite("Sam", Role.STAFF)
    house.do(PlanTidying())
    house.wait(days=29)
    [row] = house.fd.messages(MessageFilter(), limit=5)
    assert row.subject == "You are invited to the team of Frontdesk"
    assert house.mails("sam@example.org")[0].text != ""
    owner = house.owner()
    house.wait(days=2)

    [kept] = house.mails("sam@example.org")
    assert (kept.text, kept.html, kept.calendar) == ("", "", None)
    assert house.fd.messages(MessageFilter(), limit=5) == [row]
    page = owner.get(f"/console/messages/{row.send.id}")
    assert "What it said is not kept any more." in page.says
    assert owner.get(f"/console/messages/{row.send.id}/html").status == 404
    house.wait(days=3)
    assert [step.messages for step in tidied(house) if step.messages] == [1]


def test_sessions_links_and_keys_go_a_week_after_their_time(house: House) -> None:
    house.owner()
    house.wait(minutes=5)
    house.owner()
    house.do(AskForSignIn(OWNER_EMAIL, new_nonce()))
    house.product.engine.run(
        SetBusiness(Business(name="A")), by="cli", now=house.clock.now(), key="once"
    )
    house.do(PlanTidying())
    before = [rows(house, table) for table in ("fd_session", "fd_sign_in", "fd_idempotency")]
    assert before == [2, 3, 1]
    house.wait(days=6)
    assert rows(house, "fd_idempotency") == 1
    house.wait(days=60)

    after = [rows(house, table) for table in ("fd_session", "fd_sign_in", "fd_idempotency")]
    assert after == [1, 0, 0]
    [seen] = house.fd.team(house.clock.now())
    assert seen.last_seen_at == NINE + timedelta(minutes=5)


@pytest.mark.spec("FD-19")
@pytest.mark.parametrize("wrong", ["-1", "a year", "40000"])
def test_an_invalid_number_of_days_is_named(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(Exception, match="FRONTDESK_KEEP_MAIL_DAYS should be a number of days"):
        load({"FRONTDESK_DATA_DIR": str(tmp_path), "FRONTDESK_KEEP_MAIL_DAYS": wrong})
