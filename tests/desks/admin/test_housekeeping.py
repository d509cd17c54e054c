"""Old rows, and no others, are deleted at night in bounded steps."""

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
from frontdesk.desks.admin.model import Business, OldRows
from frontdesk.desks.admin.reads import FactFilter, MessageFilter
from frontdesk.engine.clock import VirtualClock
from frontdesk.settings import Settings, load
from frontdesk.values import replace
from frontdesk.wiring.one_machine import build, web_app
from tests.support.admin import NINE, AdminDesk

DAY = timedelta(days=1)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., AdminDesk]]:
    """Opens an installation with its own settings."""
    desks = []

    def open_(**settings: int) -> AdminDesk:
        clock = VirtualClock(NINE)
        product = build(Settings(data_dir=tmp_path, **settings), clock=clock)  # type: ignore[arg-type]
        desks.append(AdminDesk(product, clock, web_app(product)))
        return desks[-1]

    yield open_
    for each in desks:
        each.product.close()


def planned_at(desk: AdminDesk) -> datetime | None:
    return desk.fd.timer_at(TIMER)


def tidied(desk: AdminDesk) -> list[Tidied]:
    """Returns the rows that each step deleted, the oldest first."""
    found = desk.fd.facts(FactFilter(kind=Tidied.kind), 100)
    return [each.fact for each in reversed(found) if isinstance(each.fact, Tidied)]


def rows(desk: AdminDesk, table: str) -> int:
    with desk._db() as db:
        count: int = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        return count


def mail(number: int, at: datetime) -> KeepMail:
    return KeepMail(RawMail(MailId(f"{number:026}"), at, "", "desk@example.org", b"x"))


def take_in(desk: AdminDesk, *mails: KeepMail) -> None:
    desk.product.store.commit(Accepted(mails), by="test", at=desk.clock.now())


def test_deletion_is_planned_for_three_at_night_in_the_zone_of_the_business(
    desk: AdminDesk,
) -> None:
    desk.do(SetBusiness(Business(name="Long Table", zone="America/New_York")))
    desk.do(PlanTidying())
    assert planned_at(desk) == datetime(2026, 3, 3, 8, tzinfo=UTC)

    assert isinstance(desk.run(PlanTidying()), Refused)
    desk.wait(days=7)

    assert planned_at(desk) == datetime(2026, 3, 10, 7, tzinfo=UTC)
    assert tidied(desk) == []


@pytest.mark.spec("FD-20")
def test_mail_that_came_in_is_kept_for_a_year(desk: AdminDesk) -> None:
    take_in(desk, mail(1, NINE - 364 * DAY), mail(2, NINE - 366 * DAY))
    desk.do(PlanTidying())
    desk.wait(days=1)

    engine = desk.product.engine.reads().engine
    assert engine.raw_mail(MailId(f"{1:026}")) is not None
    assert engine.raw_mail(MailId(f"{2:026}")) is None
    nothing = Tidied(sessions=0, sign_ins=0, keys=0, mails=0, messages=0)
    assert tidied(desk) == [replace(nothing, mails=1)]


@pytest.mark.spec("FD-20")
def test_rows_without_a_time_limit_are_kept(opened: Callable[..., AdminDesk]) -> None:
    desk = opened(keep_mail_days=0)
    take_in(desk, mail(1, NINE - 4_000 * DAY))
    desk.do(PlanTidying())
    desk.wait(days=2)

    assert (rows(desk, "fd_mail"), tidied(desk)) == (1, [])


def test_each_step_deletes_a_bounded_number_of_rows(desk: AdminDesk) -> None:
    at_once = AT_ONCE[OldRows.MAILS]
    take_in(desk, *(mail(number, NINE - 400 * DAY) for number in range(2 * at_once + 1)))
    desk.do(PlanTidying())
    desk.wait(days=1)

    assert [step.mails for step in tidied(desk)] == [at_once, at_once, 1]
    assert rows(desk, "fd_mail") == 0
    assert planned_at(desk) == datetime(2026, 3, 4, 3, tzinfo=UTC)


@pytest.mark.spec("FD-20")
def test_the_text_of_an_old_message_is_deleted_and_its_record_stays(
    opened: Callable[..., AdminDesk],
) -> None:
    desk = opened(keep_messages_days=30)
    owner = desk.owner()
    desk.invite("Sam", Role.STAFF)
    desk.do(PlanTidying())
    desk.wait(days=29)
    [row] = desk.fd.messages(MessageFilter(), limit=5)
    assert row.subject == "You are invited to the team of Frontdesk"
    assert desk.mails("sam@example.org")[0].text != ""
    owner = desk.owner()
    desk.wait(days=2)

    [kept] = desk.mails("sam@example.org")
    assert (kept.text, kept.html, kept.calendar) == ("", "", None)
    assert desk.fd.messages(MessageFilter(), limit=5) == [row]
    page = owner.get(f"/console/messages/{row.send.id}")
    assert "What it said is not kept any more." in page.says
    assert owner.get(f"/console/messages/{row.send.id}/html").status == 404
    desk.wait(days=3)
    assert [step.messages for step in tidied(desk) if step.messages] == [1]


def test_sessions_links_and_keys_are_deleted_a_week_after_they_expire(desk: AdminDesk) -> None:
    desk.owner()
    desk.wait(minutes=5)
    desk.owner()
    desk.do(AskForSignIn(OWNER_EMAIL, new_nonce()))
    desk.product.engine.run(
        SetBusiness(Business(name="A")), by="cli", now=desk.clock.now(), key="once"
    )
    desk.do(PlanTidying())
    before = [rows(desk, table) for table in ("fd_session", "fd_sign_in", "fd_idempotency")]
    assert before == [2, 3, 1]
    desk.wait(days=6)
    assert rows(desk, "fd_idempotency") == 1
    desk.wait(days=60)

    after = [rows(desk, table) for table in ("fd_session", "fd_sign_in", "fd_idempotency")]
    assert after == [1, 0, 0]
    [seen] = desk.fd.team(desk.clock.now())
    assert seen.last_seen_at == NINE + timedelta(minutes=5)


@pytest.mark.spec("FD-19")
@pytest.mark.parametrize("wrong", ["-1", "a year", "40000"])
def test_an_invalid_number_of_days_is_named(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(Exception, match="FRONTDESK_KEEP_MAIL_DAYS should be a number of days"):
        load({"FRONTDESK_DATA_DIR": str(tmp_path), "FRONTDESK_KEEP_MAIL_DAYS": wrong})
