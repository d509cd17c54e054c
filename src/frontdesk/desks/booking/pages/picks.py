"""The choices before the time: service, staff and party, each as a list of links."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from frontdesk.desks.booking.pages import texts
from frontdesk.desks.booking.pages.addresses import PATH
from frontdesk.desks.booking.pages.state import ANYONE, PageState, staff_in
from frontdesk.desks.booking.rules import BookingRules, ServiceRules
from frontdesk.desks.booking.wish_wording import choosable
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import Frozen, replace

_MOST_PARTIES: Final = 12


class PickOption(Frozen):
    label: str
    note: str
    url: str
    is_current: bool


class Pick(Frozen):
    label: str
    value: str
    note: str
    options: tuple[PickOption, ...]


def picks(rules: BookingRules, state: PageState, catalogue: Catalogue) -> tuple[Pick, ...]:
    """The choices before the time. Leaves out a choice with a single option."""
    found = (
        _service_pick(rules, state, catalogue),
        _staff_pick(rules, state),
        _party_pick(state),
    )
    return tuple(pick for pick in found if pick is not None)


def _service_pick(rules: BookingRules, state: PageState, catalogue: Catalogue) -> Pick:
    offered = [one for one in rules.services if not one.unlisted or one == state.service]
    return Pick(
        "Service",
        state.service.name,
        catalogue.length_and_price(state.service.duration, state.service.price_cents),
        tuple(
            PickOption(
                one.name,
                catalogue.length_and_price(one.duration, one.price_cents),
                _with_service(rules, state, one).address.url(),
                one == state.service,
            )
            for one in offered
        ),
    )


def _with_service(rules: BookingRules, state: PageState, service: ServiceRules) -> PageState:
    return replace(
        state,
        service=service,
        staff=staff_in(rules, service, state.staff) if state.staff else "",
        party=min(state.asked_party, service.most),
        asked_party=min(state.asked_party, service.most),
        sentence="",
        day=None,
        first_on=None,
        key=state.key if service == state.service else "",
    )


def _staff_pick(rules: BookingRules, state: PageState) -> Pick | None:
    staff = choosable(rules, state.service)
    if len(staff) < 2:
        return None
    chosen = next((one.name for one in staff if one.id == state.resource), "Anyone")
    anyone = ((ANYONE if state.staff or state.sentence else "", "Anyone"),)
    options = (*anyone, *((one.id, one.name) for one in staff))
    return Pick(
        "With",
        chosen,
        "",
        _options(
            (label, state.address.url(staff=value), label == chosen) for value, label in options
        ),
    )


def _party_pick(state: PageState) -> Pick | None:
    most = min(state.service.most, _MOST_PARTIES)
    if most < 2:
        return None
    address = replace(state, sentence="").address if state.says_party else state.address
    options = _options(
        (
            texts.party_text(number),
            address.url(party=str(number) if number > 1 else ""),
            number == state.party,
        )
        for number in range(1, most + 1)
    )
    if not state.embedded:
        more = PickOption(f"More than {most}", "Write us a note", f"{PATH}/ask", is_current=False)
        options = (*options, more)
    return Pick("How many", texts.party_text(state.party), "", options)


def _options(options: Iterable[tuple[str, str, bool]]) -> tuple[PickOption, ...]:
    return tuple(PickOption(label, "", url, is_current) for label, url, is_current in options)
