"""The public form to join the waitlist, and its answer."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.core.consents import ConsentSource
from frontdesk.core.decision import Refused
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import JoinList
from frontdesk.desks.waitlist.model import EntryId, Lane
from frontdesk.desks.waitlist.pages import join_form as reading
from frontdesk.desks.waitlist.pages import texts
from frontdesk.desks.waitlist.pages.join_form import (
    Errors,
    FormChoices,
    JoinForm,
    Typed,
    read_join_form,
    terms_of,
)
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.engine.ports import Committed
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.values import replace
from frontdesk.web.consent import consent_in, consent_notice
from frontdesk.web.forms import TRAP, party_options, read_public_form
from frontdesk.web.limits import Rate
from frontdesk.web.site import Site, limit_visitor, site_of

#: The default time span of the form.
_FOUR_WEEKS: Final = timedelta(weeks=4)
#: With more services than this, the form uses a select field instead of radio buttons.
_MOST_IN_VIEW: Final = 6

#: Fields that a URL can fill in.
PRESETS: Final = ("service", "earliest", "latest", "party", "staff", "name", "email", "mobile")
_MOST_PRESET: Final = 254


async def show(request: Request) -> Response:
    return _page(request, embedded=False)


async def show_embedded(request: Request) -> Response:
    """The form for a frame on another site."""
    return _page(request, embedded=True)


def _page(request: Request, *, embedded: bool) -> Response:
    site = site_of(request)
    terms = terms_of(site)
    typed = {**_defaults(terms), **_preset(request.query_params)}
    return form_page(site, terms, typed, {}, embedded=embedded)


def form_page(
    site: Site, terms: FormChoices, typed: Typed, errors: Errors, *, embedded: bool
) -> Response:
    """Shows the form. With errors, it keeps the typed values and shows each error at its field."""
    if not terms.is_open:
        return not_open(site, embedded=embedded)
    return site.renderer.page(
        "waitlist/embed.html" if embedded else "waitlist/form.html",
        site.clock.now(),
        status=422 if errors else 200,
        embeddable=embedded,
        page_title="Join the waitlist",
        action="/waitlist/embed" if embedded else "/waitlist",
        joining=texts.joining(terms),
        services=_service_choices(terms.catalogue),
        in_view=len(terms.catalogue.services) <= _MOST_IN_VIEW,
        service_options=(("", "Please choose"), *_service_options(terms.catalogue)),
        texts=terms.texts,
        consent=consent_notice(site),
        once=typed.get("once") or site.new_id(),
        typed=typed,
        errors=errors,
        first_wrong=next(iter(errors), ""),
        **wish_fields(terms, max(one.most for one in terms.catalogue.services)),
    )


def not_open(site: Site, *, embedded: bool) -> Response:
    return site.renderer.page(
        "waitlist/not_open.html",
        site.clock.now(),
        embeddable=embedded,
        page_title="The waitlist is not open yet",
        embedded=embedded,
    )


def wish_fields(terms: FormChoices, most: int) -> dict[str, Any]:
    """The choices in the form, except the services."""
    return {
        "parties": party_options(most),
        "staff": (("", "Anyone"), *((one, one) for one in terms.catalogue.staff)),
        "first_on": terms.today.isoformat(),
        "last_on": terms.last_on.isoformat(),
    }


def _service_choices(catalogue: Catalogue) -> list[tuple[str, str, str]]:
    return [
        (one.name, one.name, catalogue.length_and_price(one.duration, one.price_cents))
        for one in catalogue.services
    ]


def _service_options(catalogue: Catalogue) -> list[tuple[str, str]]:
    """Options of the select field, one line each."""
    return [
        (one.name, f"{one.name} · {catalogue.length_and_price(one.duration, one.price_cents)}")
        for one in catalogue.services
    ]


def _preset(params: Typed) -> Typed:
    """Values from the query string, such as those of a visitor who found no time to book."""
    found = {name: params.get(name, "")[:_MOST_PRESET] for name in PRESETS}
    return {name: text for name, text in found.items() if text and text.isprintable()}


def _defaults(terms: FormChoices) -> Typed:
    """Default values of an empty form."""
    services = terms.catalogue.services
    return {
        "service": services[0].name if len(services) == 1 else "",
        "earliest": terms.today.isoformat(),
        "latest": (terms.today + _FOUR_WEEKS).isoformat(),
    }


#: Allows a family behind one IP address to join one after the other.
JOIN_RATE: Final = Rate(burst=20, per_minute=10)


async def from_page(request: Request) -> Response:
    return await _join(request, embedded=False)


async def from_frame(request: Request) -> Response:
    return await _join(request, embedded=True)


async def _join(request: Request, *, embedded: bool) -> Response:
    site = site_of(request)
    limit_visitor(request, "waitlist", JOIN_RATE)
    terms, form = terms_of(site), await read_public_form(request)
    if not terms.is_open:
        return not_open(site, embedded=embedded)
    join_form = read_consent(site, read_join_form(terms, form.fields), form.fields)
    if not isinstance(join_form, JoinForm):
        return form_page(site, terms, form.fields, join_form, embedded=embedded)
    key = idempotency_key(join_form, form["once"]) if form["once"] else None
    wrong = {} if form[TRAP] else await join_list(site, join_form, key=key)
    if wrong:
        return form_page(site, terms, form.fields, wrong, embedded=embedded)
    return _answer(site, terms, join_form, embedded=embedded)


def read_consent(site: Site, join_form: JoinForm | Errors, typed: Typed) -> JoinForm | Errors:
    """The form with its consent to texts, if it has a number."""
    if not isinstance(join_form, JoinForm) or not join_form.mobile:
        return join_form
    return replace(join_form, consent=consent_in(site, typed, ConsentSource.WAITLIST_FORM))


def idempotency_key(*parts: object) -> str:
    """An idempotency key that does not reveal the address."""
    return f"wl/join/{hashlib.sha256(repr(parts).encode()).hexdigest()}"


async def join_list(site: Site, join_form: JoinForm, *, key: str | None = None) -> Errors:
    """Joins the list. Whether or not the person is known or wants offers, it returns no errors and
    takes one commit, so that a stranger cannot tell who is known."""
    entry_id = EntryId(site.new_id())
    command = JoinList(
        entry_id,
        PersonId(site.new_id()),
        join_form.name,
        join_form.email,
        join_form.wish,
        Lane.FORM,
        mobile=join_form.mobile,
        consent=join_form.consent,
    )
    outcome = await site.run(command, by=f"guest:{entry_id}", key=key)
    match outcome:
        case Committed():
            return {}
        case Refused(reason):
            assert isinstance(reason, Reason)
            field, sentence = _REFUSALS[reason]
            return {field: sentence}


#: Errors that can arise between reading the form and the commit.
_REFUSALS: Final = {
    Reason.NO_SUCH_SERVICE: ("service", reading.NOT_LISTED),
    Reason.DATES_PASSED: ("latest", reading.PASSED),
    Reason.BAD_PARTY: ("party", "So many people cannot come at a time any more. Choose fewer."),
}


def _answer(site: Site, terms: FormChoices, join_form: JoinForm, *, embedded: bool) -> Response:
    return site.renderer.page(
        "waitlist/answer.html",
        site.clock.now(),
        embeddable=embedded,
        page_title=texts.ON_THE_LIST,
        title=texts.ON_THE_LIST,
        lead=texts.joining(terms),
        facts=(
            *texts.wish_facts(join_form.wish),
            ("Contact", texts.masked(join_form.email, join_form.mobile)),
        ),
        next=f"{texts.LINK_FOLLOWS} {texts.KNOWN_ALREADY}",
        note=texts.STOP_HOLDS,
        by_mail=_why_by_mail(terms, join_form),
        embedded=embedded,
        back="/waitlist/embed" if embedded else "/waitlist",
    )


def _why_by_mail(terms: FormChoices, join_form: JoinForm) -> str:
    """Explains why we write to the address and not to the number; empty if there is not both."""
    if not join_form.mobile or not join_form.email:
        return ""
    return texts.CONFIRM_NUMBER if terms.takes_texts(join_form.mobile) else texts.BY_MAIL
