"""The business changes the text of mails: listed, checked, tried out, used, and reset."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.members import Role
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.core.wording import fill, wording_setting
from frontdesk.desks.rsvp.messages import WORDINGS
from frontdesk.desks.rsvp.model import Wording
from tests.desks.rsvp.console_desk import ConsoleDesk, console_desk, error_at

MAILS = "/console/settings/mails"
CONFIRMED = f"{MAILS}/confirmed"
OURS = WORDINGS["confirmed"].default
BODY = "# Lovely, {{ name }}\n\n{{ details }}\n\nCan't come? Cancel:\n{{ cancel_link }}"


@pytest.fixture
def console(tmp_path: Path) -> Iterator[ConsoleDesk]:
    with console_desk(tmp_path) as opened:
        opened.desk.given(cap=5)
        yield opened


def facts(console: ConsoleDesk) -> list[tuple[str, str]]:
    db = console.desk._db()
    return list(db.execute("SELECT by, body FROM fd_fact WHERE kind = 'ev.wording_changed'"))


@pytest.mark.spec("FD-13")
def test_every_kind_of_mail_is_listed_and_shown_as_it_reads(console: ConsoleDesk) -> None:
    owner = console.owner()
    assert f'href="{MAILS}"' in owner.get("/console/settings").text
    page = owner.get(MAILS)

    for kind, mail in WORDINGS.items():
        assert f'href="{MAILS}/{kind}"' in page.text
        one = owner.get(f"{MAILS}/{kind}")
        assert (one.status, one.heading) == (200, mail.title)
        assert fill(mail.default, mail.placeholders).subject in one.says
    assert page.says.count("Default") == len(WORDINGS)


@pytest.mark.spec("FD-13")
def test_a_mail_has_the_wording_of_the_business_until_it_is_reset(
    console: ConsoleDesk,
) -> None:
    owner, desk = console.owner(), console.desk
    after = owner.send(CONFIRMED, subject="Hurray: {{ event }}", body=BODY.replace("\n", "\r\n"))
    assert after.flash == "Saved. Mails that go out from now on say this."
    assert desk.reads.wording("confirmed") == Wording("Hurray: {{ event }}", BODY)
    desk.sign_up("ann")
    desk.settle()

    [mail] = desk.mail_to("ann")
    assert mail.subject == "Hurray: Pottery workshop"
    assert mail.text.startswith("Lovely, Ann\n")
    assert "Lovely, Ann" in mail.html

    asked = owner.act(CONFIRMED, f"{CONFIRMED}/reset")
    assert "Your own text is deleted." in asked.says
    reset = owner.act(CONFIRMED, f"{CONFIRMED}/reset", confirmed="yes")
    assert reset.flash == "This mail has the default text again."
    desk.sign_up("bob")
    desk.settle()
    assert desk.mail_to("bob")[0].subject == "You're in: Pottery workshop"
    [first, second] = facts(console)
    assert first[0].startswith("member:")
    assert (first[1], second[1]) == ('{"mail_kind":"confirmed"}', '{"mail_kind":"confirmed"}')


@pytest.mark.spec("FD-13", "FD-27")
@pytest.mark.parametrize(
    ("changed", "field", "says"),
    [
        ({"subject": ""}, "subject", "Please write a subject."),
        ({"subject": "{{ nobody }}"}, "subject", "There is no {{ nobody }} in this mail."),
        ({"body": "Hello"}, "body", "{{ cancel_link }} is missing"),
        ({"body": BODY + " {{ event"}, "body", "two braces on each side"),
        ({"body": BODY + "x" * 6_000}, "body", "longer than 5,000 characters"),
    ],
)
def test_an_unusable_wording_is_explained_at_its_field_and_not_saved(
    console: ConsoleDesk, changed: dict[str, str], field: str, says: str
) -> None:
    owner = console.owner()
    answer = owner.send(CONFIRMED, **changed)

    assert answer.status == 422
    assert says in error_at(answer, field)
    assert (console.desk.reads.wording("confirmed"), facts(console)) == (None, [])


@pytest.mark.spec("FD-13")
def test_words_are_tried_out_before_they_are_saved(console: ConsoleDesk) -> None:
    owner = console.owner()
    tried = owner.send(CONFIRMED, subject="Hurray, {{ name }}", body=BODY, do="preview")

    assert "This is not saved yet." in tried.says
    assert "Hurray, Ann Lee" in tried.says
    assert "Lovely, Ann Lee" in tried.says
    assert console.desk.reads.wording("confirmed") is None


def test_saving_the_default_wording_is_no_change(console: ConsoleDesk) -> None:
    owner = console.owner()
    owner.send(CONFIRMED)

    assert (console.desk.reads.wording("confirmed"), facts(console)) == (None, [])


@pytest.mark.spec("FD-29")
def test_wordings_are_escaped_on_every_page(console: ConsoleDesk) -> None:
    evil = "<script>alert(1)</script>"
    owner, desk = console.owner(), console.desk
    owner.send(CONFIRMED, subject=evil, body=f"{evil}\n\n{BODY}")
    desk.sign_up("ann")
    desk.settle()

    for text in (owner.get(MAILS).text, owner.get(CONFIRMED).text, desk.mail_to("ann")[0].html):
        assert evil not in text
        assert "&lt;script&gt;alert(1)" in text


@pytest.mark.spec("FD-13")
def test_a_wording_that_an_update_made_invalid_is_not_used_and_is_shown_to_the_owner(
    console: ConsoleDesk,
) -> None:
    old = Wording("Hi {{ nickname }}", BODY)
    write = WriteSetting(wording_setting("ev", "confirmed"), None, old)
    desk, owner = console.desk, console.owner()
    desk.product.store.commit(Accepted((write,)), by="test", at=desk.clock.now())
    desk.sign_up("ann")
    desk.settle()

    assert desk.mail_to("ann")[0].subject == "You're in: Pottery workshop"
    assert "Needs another look" in owner.get(MAILS).says
    page = owner.get(CONFIRMED)
    assert page.status == 200
    assert "There is no {{ nickname }} in this mail." in error_at(page, "subject")


@pytest.mark.spec("FD-21")
def test_staff_read_the_words_and_owners_change_them(console: ConsoleDesk) -> None:
    staff, host = console.host("sue", Role.STAFF), console.host("hal")

    assert staff.get(CONFIRMED).status == 200
    assert "Only an owner can change this." in staff.get(CONFIRMED).says
    token = staff.get("/console/you").csrf
    for path in (CONFIRMED, f"{CONFIRMED}/reset"):
        assert staff.post(path, csrf=token, subject="x", body=BODY, sure="yes").status == 403
    assert host.get(MAILS).status == 403
    assert console.owner().get(f"{MAILS}/nothing").status == 404
    assert facts(console) == []
