"""`rules.yml` as a document: its text, the rules in force and the catalogue change together."""

from datetime import UTC, datetime, timedelta

import pytest

from frontdesk.core.decision import Accepted, Decision, Refused
from frontdesk.core.saved_settings import WriteSetting
from frontdesk.desks.booking.commands import EditCatalogue, FollowBusiness, TakeRules
from frontdesk.desks.booking.decide.documents import (
    RULES_NAME,
    SAVED_DOCUMENT,
    RulesView,
    edit_catalogue,
    follow_business,
    take,
)
from frontdesk.desks.booking.facts import DocumentTaken, DocumentUnclear, RulesChanged
from frontdesk.desks.booking.model import SAVED_RULES
from frontdesk.desks.booking.reasons import Reason
from frontdesk.desks.booking.rules import BookingRules
from frontdesk.desks.booking.rules_file.catalogue import default_rules
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.features.catalogue.model import CATALOGUE, Catalogue, Service
from frontdesk.features.documents.model import Document, digest
from frontdesk.features.documents.model import Reason as DocumentReason
from frontdesk.values import replace

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
ZONE = "Europe/Berlin"
TEXT = (
    "hours: {mon: 9:00-17:00}  # Mondays\n"
    "staff: {mira: {name: Mira}}\n"
    "services: {Cut: {minutes: 30, price: 55}}\n"
)
CUT = Service("Cut", timedelta(minutes=30), 5_500)
EMPTY = RulesView(Document(RULES_NAME, "", ""), BookingRules(), Catalogue(currency="€"))


def rules_of(text: str, zone: str = ZONE) -> BookingRules:
    rules = parse_rules(text, zone).rules
    assert rules is not None
    return rules


def after(view: RulesView, decision: Decision) -> RulesView:
    """Returns the view after a decision. Checks that each write expects the value that is there."""
    assert isinstance(decision, Accepted)
    found = {SAVED_DOCUMENT.key: view.document, SAVED_RULES.key: view.rules}
    found[CATALOGUE.key] = view.catalogue
    for change in decision.changes:
        assert isinstance(change, WriteSetting)
        assert found[change.setting.key] == change.before
        found[change.setting.key] = change.after
    return RulesView(*found.values())  # type: ignore[arg-type]


TAKEN = after(EMPTY, take(EMPTY, TakeRules(TEXT, ZONE, ""), NOW))


@pytest.mark.spec("BK-08")
def test_accepted_rules_write_text_rules_and_catalogue_in_one_commit() -> None:
    rules, catalogue = rules_of(TEXT), Catalogue((CUT,), ("Mira",), "€")
    document = Document(RULES_NAME, TEXT, TEXT, NOW)
    assert take(EMPTY, TakeRules(TEXT, ZONE, ""), NOW) == Accepted(
        (
            WriteSetting(SAVED_DOCUMENT, EMPTY.document, document),
            WriteSetting(SAVED_RULES, BookingRules(), rules),
            WriteSetting(CATALOGUE, Catalogue(currency="€"), catalogue),
        ),
        (DocumentTaken(RULES_NAME, TEXT), RulesChanged(rules)),
    )
    assert take(TAKEN, TakeRules(TEXT, ZONE), NOW) == Refused(DocumentReason.UNCHANGED)


@pytest.mark.spec("BK-08")
def test_a_broken_edit_is_kept_and_the_last_good_rules_stay_in_force() -> None:
    broken = TEXT.replace("9:00-17:00", "9-nine")
    decision = take(TAKEN, TakeRules(broken, ZONE), NOW)
    assert isinstance(decision, Accepted)
    [unclear] = decision.facts
    assert isinstance(unclear, DocumentUnclear)
    assert unclear.problems == 1
    view = after(TAKEN, decision)
    assert (view.document.text, view.document.good) == (broken, TEXT)
    assert (view.rules, view.catalogue) == (TAKEN.rules, TAKEN.catalogue)


@pytest.mark.spec("BK-08")
def test_an_edited_comment_changes_only_the_text_and_the_lines() -> None:
    view = after(TAKEN, take(TAKEN, TakeRules(f"# new\n{TEXT}", ZONE), NOW))
    assert view.rules == rules_of(f"# new\n{TEXT}")
    assert view.catalogue == TAKEN.catalogue


@pytest.mark.spec("BK-08")
def test_the_first_rules_of_a_business_with_a_catalogue_leave_the_catalogue_alone() -> None:
    catalogue = Catalogue((CUT,), ("Mira", "Ana"), "€")
    first = replace(EMPTY, catalogue=catalogue)
    view = after(first, take(first, TakeRules(default_rules(catalogue), ZONE), NOW))
    assert view.catalogue == catalogue
    assert [one.name for one in view.rules.services] == ["Cut"]
    assert view.rules.zone == ZONE


@pytest.mark.spec("BK-08")
def test_the_rules_follow_a_service_that_was_added_in_the_catalogue() -> None:
    colour = Service("Colour", timedelta(hours=2), 9_000)
    catalogue = replace(TAKEN.catalogue, services=(CUT, colour))
    changed = replace(TAKEN, catalogue=catalogue)
    decision = follow_business(changed, FollowBusiness(ZONE), NOW)
    view = after(changed, decision)
    text = TEXT.replace("price: 55}", "price: 55}, Colour: {minutes: 120, price: 90}")
    assert view == RulesView(
        Document(RULES_NAME, text, text, NOW, replaces=digest(TEXT)), rules_of(text), catalogue
    )
    assert isinstance(decision, Accepted)
    assert decision.facts == (DocumentTaken(RULES_NAME, text), RulesChanged(rules_of(text)))
    assert follow_business(view, FollowBusiness(ZONE), NOW) == Refused(Reason.UNCHANGED)


@pytest.mark.spec("BK-08")
def test_a_draft_with_mistakes_follows_too_and_stays_a_draft() -> None:
    broken = TEXT.replace("9:00-17:00", "9-nine")
    drafted = after(TAKEN, take(TAKEN, TakeRules(broken, ZONE), NOW))
    renamed = replace(TAKEN.catalogue, services=(replace(CUT, name="Clip"),))
    view = after(
        replace(drafted, catalogue=renamed),
        follow_business(replace(drafted, catalogue=renamed), FollowBusiness(ZONE), NOW),
    )
    assert view.document.text == broken.replace("Cut", "Clip")
    assert view.document.good == TEXT.replace("Cut", "Clip")
    assert view.rules == rules_of(TEXT.replace("Cut", "Clip"))


@pytest.mark.spec("BK-08")
def test_a_catalogue_that_the_rules_cannot_follow_changes_nothing() -> None:
    nobody = replace(TAKEN, catalogue=replace(TAKEN.catalogue, staff=()))
    assert follow_business(nobody, FollowBusiness(ZONE), NOW) == Refused(Reason.BAD_RULES)
    assert follow_business(EMPTY, FollowBusiness(ZONE), NOW) == Refused(Reason.UNCHANGED)


@pytest.mark.spec("BK-09")
def test_another_time_zone_of_the_business_changes_the_rules_but_not_the_text() -> None:
    view = after(TAKEN, follow_business(TAKEN, FollowBusiness("Asia/Kolkata"), NOW))
    assert view == replace(TAKEN, rules=rules_of(TEXT, "Asia/Kolkata"))
    assert follow_business(TAKEN, FollowBusiness("Nowhere/X"), NOW) == Refused(Reason.UNCHANGED)


@pytest.mark.spec("BK-08")
def test_before_the_first_rules_only_the_catalogue_is_edited() -> None:
    wanted = Catalogue((CUT,), ("Mira",), "S$")
    decision = edit_catalogue(EMPTY, EditCatalogue(wanted), NOW)
    assert after(EMPTY, decision) == replace(EMPTY, catalogue=wanted)
    assert isinstance(decision, Accepted)
    assert decision.facts == (RulesChanged(EMPTY.rules),), "the other desks learn about it"


@pytest.mark.spec("BK-08")
def test_an_edit_of_the_catalogue_changes_the_text_and_the_rules_with_it() -> None:
    colour = Service("Colour", timedelta(hours=2), 9_000)
    wanted = replace(TAKEN.catalogue, services=(CUT, colour), currency="S$")
    view = after(TAKEN, edit_catalogue(TAKEN, EditCatalogue(wanted), NOW))
    text = TEXT.replace("price: 55}", "price: 55}, Colour: {minutes: 120, price: 90}")
    assert (view.document.text, view.rules, view.catalogue) == (text, rules_of(text), wanted)
    again = edit_catalogue(view, EditCatalogue(wanted), NOW)
    assert again == Refused(Reason.UNCHANGED)


@pytest.mark.spec("BK-08")
@pytest.mark.parametrize("view", [EMPTY, TAKEN])
def test_a_catalogue_with_mistakes_is_refused(view: RulesView) -> None:
    twice = EditCatalogue(Catalogue((CUT, CUT), ("Mira",)))
    assert edit_catalogue(view, twice, NOW) == Refused(Reason.BAD_RULES)
