"""The business changes the mails to its team: the wording is checked, tried out, used, and
reset."""

import pytest

from frontdesk.core.decision import Accepted
from frontdesk.core.members import Role
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.core.wording import Wording, check, fill, wording_setting
from frontdesk.desks.admin.messages import WORDINGS
from tests.support.admin import AdminDesk

MAILS = "/console/settings/team-mails"
INVITATION = f"{MAILS}/invitation"
BODY = "# Hello {{ name }}\n\n{{ role_line }}\n\nCome in. Open the door:\n{{ sign_in_link }}"


@pytest.mark.spec("FD-13")
@pytest.mark.parametrize("kind", WORDINGS)
def test_our_own_words_have_no_problem_and_every_placeholder_has_a_sample(kind: str) -> None:
    mail = WORDINGS[kind]

    assert check(mail, mail.default) == ()
    assert "" not in mail.placeholders.values()
    assert "{{" not in str(fill(mail.default, mail.placeholders))


@pytest.mark.spec("FD-13")
def test_both_mails_are_listed_and_found_from_the_settings(desk: AdminDesk) -> None:
    owner = desk.owner()
    page = owner.get(MAILS)

    assert f'href="{MAILS}"' in owner.get("/console/settings").text
    for kind, mail in WORDINGS.items():
        assert f'href="{MAILS}/{kind}"' in page.text
        assert owner.get(f"{MAILS}/{kind}").heading == mail.title
    assert page.says.count("Default") == len(WORDINGS)


@pytest.mark.spec("FD-13")
def test_an_invitation_has_the_wording_of_the_business_until_it_is_reset(
    desk: AdminDesk,
) -> None:
    owner = desk.owner()
    saved = owner.submit(
        INVITATION, INVITATION, subject="Join us at {{ business }}", body=BODY, do="save"
    )
    assert saved.flash == "Saved. Mails that go out from now on say this."
    desk.invite("Sam", Role.STAFF)
    desk.settle()

    [mail] = desk.mails("sam@example.org")
    link = desk.link_to("sam@example.org")
    assert mail.subject == "Join us at Frontdesk"
    assert mail.text == (
        "Hello Sam\n\n"
        "You are staff: you see and change everything but the team and the settings.\n\n"
        f"Come in. Open the door:\n{link}\n\n"
        "-- \nFrontdesk\n"
        "You get this mail because an owner of Frontdesk added you to the team.\n"
    )
    assert f'href="{link}"' in mail.html
    assert desk.let_in(link).get("/console").status == 200

    reset = owner.submit(INVITATION, f"{INVITATION}/reset", confirmed="yes")
    assert reset.flash == "This mail has the default text again."
    desk.invite("Kim", Role.STAFF)
    desk.settle()
    assert desk.mails("kim@example.org")[0].subject == "You are invited to the team of Frontdesk"
    assert desk.kinds().count("fd.wording_changed") == 2


@pytest.mark.spec("FD-13", "FD-27")
@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"subject": ""}, "Please write a subject."),
        ({"body": "Come in."}, "{{ sign_in_link }} is missing"),
        ({"subject": "{{ role_line }} {{ event }}"}, "There is no {{ event }} in this mail."),
        ({"body": BODY + "\n\n{{ details }}"}, "There is no {{ details }} in this mail."),
    ],
)
def test_an_unusable_wording_is_explained_and_not_saved(
    desk: AdminDesk, changed: dict[str, str], says: str
) -> None:
    answer = desk.owner().submit(
        INVITATION, INVITATION, **{"subject": "Hi", "body": BODY, "do": "save", **changed}
    )

    assert answer.status == 422
    assert says in answer.says
    assert desk.fd.wording("invitation") is None


@pytest.mark.spec("FD-13")
def test_a_wording_that_an_update_made_invalid_is_not_used(desk: AdminDesk) -> None:
    owner = desk.owner()
    old = WriteSetting(
        wording_setting("fd", "invitation"), None, Wording("Hi {{ nickname }}", BODY)
    )
    desk.product.store.commit(Accepted((old,)), by="test", at=desk.clock.now())
    desk.invite("Sam", Role.STAFF)
    desk.settle()

    assert desk.mails("sam@example.org")[0].subject == "You are invited to the team of Frontdesk"
    assert "Needs another look" in owner.get(MAILS).says


@pytest.mark.spec("FD-29")
def test_wordings_are_escaped_on_every_page(desk: AdminDesk) -> None:
    evil = "<script>alert(1)</script>"
    owner = desk.owner()
    owner.submit(INVITATION, INVITATION, subject=evil, body=f"{evil}\n\n{BODY}", do="save")
    desk.invite("Sam", Role.STAFF)
    desk.settle()

    texts = (owner.get(MAILS).text, owner.get(INVITATION).text)
    for text in (*texts, desk.mails("sam@example.org")[0].html):
        assert evil not in text
        assert "&lt;script&gt;alert(1)" in text


@pytest.mark.spec("FD-21")
def test_staff_read_the_words_and_owners_change_them(desk: AdminDesk) -> None:
    desk.printed_link()
    desk.invite("Sam", Role.STAFF)
    desk.settle()
    staff = desk.let_in(desk.link_to("sam@example.org"))
    page = staff.get(INVITATION)

    assert "Only an owner can change this." in page.says
    for path in (INVITATION, f"{INVITATION}/reset"):
        answer = staff.post(path, csrf=page.csrf, subject="x", body=BODY, sure="yes")
        assert answer.status == 403
    assert desk.fd.wording("invitation") is None
    assert desk.owner().get(f"{MAILS}/nothing").status == 404
