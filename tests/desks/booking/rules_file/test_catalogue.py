"""`rules.yml` and the catalogue have the same services and staff."""

import re
from datetime import timedelta

import pytest

from frontdesk.core.yaml_edit import CannotEdit
from frontdesk.desks.booking.rules_file.catalogue import catalogue_of, default_rules, follow
from frontdesk.desks.booking.rules_file.parser import parse_rules
from frontdesk.features.catalogue.model import Catalogue, Service
from frontdesk.values import replace

CUT = Service("Haircut", timedelta(minutes=45), 5_500, aliases=("cut", "trim"))
WASH = Service("Wash & go: fast", timedelta(minutes=30), 1_250, most=4)
SALON = Catalogue((CUT, WASH), ("Mira", "Ana Weiß", "Čeněk"), "€")


def catalogue_in(text: str) -> Catalogue:
    parsed = parse_rules(text)
    assert parsed.problems == (), text
    assert parsed.rules is not None
    return catalogue_of(parsed.rules, "€")


@pytest.mark.spec("BK-08")
@pytest.mark.parametrize(
    "catalogue",
    [
        SALON,
        replace(SALON, staff=()),
        replace(SALON, services=()),
        Catalogue(currency="€"),
        Catalogue(
            tuple(Service(f"Service {n}") for n in range(200)),
            tuple(f"Member {n}" for n in range(20)),
            "€",
        ),
    ],
    ids=["salon", "no staff", "no services", "nothing", "large"],
)
def test_the_first_rules_have_the_services_and_staff_of_the_catalogue(catalogue: Catalogue) -> None:
    text = default_rules(catalogue)
    assert catalogue_in(text) == catalogue
    rules = parse_rules(text).rules
    assert rules is not None
    assert [bool(day) for day in rules.hours] == [True] * 5 + [False] * 2


@pytest.mark.spec("BK-08")
def test_the_examples_for_a_new_business_can_be_booked_without_their_signs() -> None:
    example = default_rules(Catalogue())
    signs_off = re.sub(r"^# (?=staff:|services:|  )", "", example, flags=re.MULTILINE)

    rules = parse_rules(signs_off).rules

    assert rules is not None
    assert [one.name for one in rules.services] == ["Haircut", "Colour"]


@pytest.mark.spec("BK-08")
def test_a_length_that_is_not_on_5_minutes_is_rounded_up_and_a_huge_party_is_cut() -> None:
    odd = Service("Odd", timedelta(minutes=47), most=1_000)
    text = default_rules(Catalogue((odd,), ("Mira",)))
    assert catalogue_in(text).services == (replace(odd, duration=timedelta(minutes=50), most=200),)


@pytest.mark.spec("BK-08")
@pytest.mark.parametrize(
    "after",
    [
        replace(SALON, services=(CUT,)),
        replace(SALON, services=(replace(CUT, name="Clip"), WASH)),
        replace(SALON, services=(replace(CUT, price_cents=0, aliases=()), WASH)),
        replace(SALON, services=(CUT, WASH, Service("Colour", timedelta(hours=2), 9_999))),
        replace(SALON, staff=("Mira", "Ana Weiß")),
        replace(SALON, staff=("Mira", "Ana Schwarz", "Čeněk")),
        replace(SALON, staff=("Mira", "Ana Weiß", "Čeněk", "Ben")),
        replace(SALON, services=(), staff=("Ben",)),
    ],
)
def test_rules_follow_a_changed_catalogue(after: Catalogue) -> None:
    text = default_rules(SALON) + "# our own remark\n"
    followed = follow(text, SALON, after)
    assert catalogue_in(followed) == after
    assert "# our own remark" in followed


@pytest.mark.spec("BK-08")
def test_a_renamed_service_and_member_keep_their_own_rules() -> None:
    text = (
        "staff: {mira: {name: Mira, capacity: 2}}\n"
        "services: {Haircut: {minutes: 45, notice: 1 day, staff: [mira]}}\n"
    )
    before = catalogue_in(text)
    renamed = replace(before, services=(replace(before.services[0], name="Cut"),), staff=("Mia",))
    assert follow(text, before, renamed) == (
        "staff: {mira: {name: Mia, capacity: 2}}\n"
        "services: {Cut: {minutes: 45, notice: 1 day, staff: [mira]}}\n"
    )


@pytest.mark.spec("BK-08")
def test_a_file_without_staff_gets_a_new_service_for_its_room() -> None:
    text = "rooms: {hall: {}}\n"
    assert follow(text, Catalogue(), Catalogue((CUT,))) == (
        "rooms: {hall: {}}\nservices: {Haircut: {minutes: 45, price: 55, aliases: [cut, trim],"
        " needs: [hall]}}\n"
    )
    assert catalogue_in(follow("", Catalogue(), Catalogue((CUT,)))).services == (CUT,)


@pytest.mark.spec("BK-08")
def test_a_catalogue_that_the_text_cannot_follow_is_refused() -> None:
    text = "staff: {mira: {name: Mira}}\nservices: {Cut: {minutes: 45, staff: [mira]}}\n"
    before = catalogue_in(text)
    with pytest.raises(CannotEdit, match="Cut needs mira"):
        follow(text, before, replace(before, staff=()))
