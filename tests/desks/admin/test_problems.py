"""Problems that staff see and replay, and the page about the health of the system."""

import json
from pathlib import Path

import pytest

from frontdesk.core.members import Role
from frontdesk.core.messages import Message
from frontdesk.engine.ports import Followed
from tests.support.admin import AdminDesk, open_admin_desk


@pytest.mark.spec("FD-07")
def test_a_fact_that_was_not_acted_on_is_replayed_from_the_console(desk: AdminDesk) -> None:
    browser = desk.owner()
    desk.invite("Sam", Role.STAFF)
    seq = len(desk.kinds())
    desk.product.store.add_dead_letter(
        "fact", f"fd.tell/{seq}", "KeyError", at=desk.clock.now(), cause=Followed("fd.tell", seq)
    )
    desk.settle()
    assert desk.mails("sam@example.org") == []

    page = browser.get("/console/problems")
    assert "Something that happened was not acted on." in page.says
    assert "KeyError" in page.says
    (letter,) = desk.fd.problems(5)
    after = browser.submit("/console/problems", f"/console/problems/{letter.id}/retry")
    desk.settle()

    assert after.flash == "It was tried again, and it worked."
    assert len(desk.mails("sam@example.org")) == 1
    assert "No problems" in browser.get("/console/problems").says
    assert desk.kinds()[-1] == "fd.problem_replayed"


@pytest.mark.spec("FD-07")
def test_a_problem_that_fails_again_stays(desk: AdminDesk) -> None:
    browser = desk.owner()
    desk.product.store.add_dead_letter(
        "timer", "ev/nothing/x 2026-03-02T09:00:00+00:00", "?", at=desk.clock.now(), cause=None
    )
    (letter,) = desk.fd.problems(5)
    after = browser.submit("/console/problems", f"/console/problems/{letter.id}/retry")

    assert after.flash == "It was tried again, and failed again."
    assert desk.fd.problem_count() == 1


@pytest.mark.spec("FD-07")
def test_a_problem_is_set_aside_and_the_audit_remembers_it(desk: AdminDesk) -> None:
    browser = desk.owner()
    desk.product.store.add_dead_letter("mail", "x", "no sender", at=desk.clock.now(), cause=None)
    (letter,) = desk.fd.problems(5)
    path = f"/console/problems/{letter.id}/set-aside"
    csrf = browser.get("/console").csrf

    assert browser.submit("/console/problems", path).flash.startswith("It is set aside.")
    assert desk.fd.problem_count() == 0
    assert desk.kinds()[-1] == "fd.problem_set_aside"
    assert browser.post(path, csrf=csrf).status == 404


@pytest.mark.spec("FD-30")
def test_alarms_are_sentences_for_staff_and_one_word_for_programs(desk: AdminDesk) -> None:
    browser = desk.owner()
    assert json.loads(desk.browser().get("/health").body) == {"status": "ok"}
    assert "All is well" in browser.get("/console/health").says

    desk.product.store.add_dead_letter("mail", "x", "no sender", at=desk.clock.now(), cause=None)

    assert json.loads(desk.browser().get("/health").body) == {"status": "alarm"}
    says = browser.get("/console/health").says
    assert "One thing could not be processed and waits for you." in says
    assert "All is well" not in says


@pytest.mark.spec("FD-30", "FD-29")
def test_metrics_are_for_this_machine_and_for_staff(desk: AdminDesk) -> None:
    owner = desk.owner()
    assert "frontdesk_dead_letters 0\n" in owner.get("/metrics").text
    assert desk.browser(address="127.0.0.1").get("/metrics").status == 200
    assert desk.browser(address="::1").get("/metrics").status == 200

    assert desk.browser().get("/metrics").status == 404
    passed_on = desk.browser(address="127.0.0.1")
    assert passed_on.get("/metrics", **{"x-forwarded-for": "127.0.0.1"}).status == 404


@pytest.mark.spec("FD-30")
def test_links_with_a_bad_signature_are_counted(desk: AdminDesk) -> None:
    for number in range(6):
        desk.browser().get(f"/sign-in/forged{number}")

    says = desk.owner().get("/console/health").says
    assert "6 links with a wrong signature were opened within an hour." in says


class Deaf:
    """A channel that raises an unexpected error."""

    name = "smtp"
    local = False

    def send(self, message: Message) -> None:
        raise RuntimeError("wire cut")


@pytest.mark.spec("FD-07")
def test_a_message_of_unknown_outcome_is_shown_and_sent_again_only_on_demand(
    tmp_path: Path,
) -> None:

    with open_admin_desk(tmp_path, channel=Deaf()) as desk:
        browser = desk.owner()
        desk.invite("Sam", Role.STAFF)
        desk.wait(hours=1)
        says = browser.get("/console/problems").says

        assert "The message “Invitation” to Sam could not be sent." in says
        assert "may have been sent" in says
        assert "1 problem to look at" in browser.get("/console").says
