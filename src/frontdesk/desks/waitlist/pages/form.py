"""The public form to join the waitlist."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from frontdesk.desks.waitlist.pages import texts
from frontdesk.desks.waitlist.pages.join_form import Errors, Terms, Typed, terms_of
from frontdesk.features.catalogue.model import Catalogue
from frontdesk.web.site import Site, site_of

#: The default time span of the form.
_FOUR_WEEKS: Final = timedelta(weeks=4)
#: With more services than this, the form shows a select field.
_MOST_IN_VIEW: Final = 6


async def show(request: Request) -> Response:
    return _page(request, embedded=False)


async def show_embedded(request: Request) -> Response:
    """The form for a frame on another site."""
    return _page(request, embedded=True)


def _page(request: Request, *, embedded: bool) -> Response:
    site = site_of(request)
    terms = terms_of(site)
    return form_page(site, terms, _proposed(terms), {}, embedded=embedded)


def form_page(
    site: Site, terms: Terms, typed: Typed, errors: Errors, *, embedded: bool
) -> Response:
    """Shows the form. With errors, it keeps what was typed and shows each error at its field."""
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
        services=_in_view(terms.catalogue),
        in_view=len(terms.catalogue.services) <= _MOST_IN_VIEW,
        service_options=(("", "Please choose"), *_options(terms.catalogue)),
        texts=terms.texts,
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


def wish_fields(terms: Terms, most: int) -> dict[str, Any]:
    """The choices of the form other than the service."""
    return {
        "parties": party_options(most),
        "staff": (("", "Anyone"), *((one, one) for one in terms.catalogue.staff)),
        "first_on": terms.today.isoformat(),
        "last_on": terms.last_on.isoformat(),
    }


def party_options(most: int) -> tuple[tuple[str, str], ...]:
    more = tuple((str(n), f"{n} of us") for n in range(2, most + 1))
    return (("1", "Just me"), *more)


def _in_view(catalogue: Catalogue) -> list[tuple[str, str, str]]:
    return [
        (one.name, one.name, texts.length_and_price(one, catalogue)) for one in catalogue.services
    ]


def _options(catalogue: Catalogue) -> list[tuple[str, str]]:
    """Options of the select field, one line each."""
    return [
        (one.name, f"{one.name} · {texts.length_and_price(one, catalogue)}")
        for one in catalogue.services
    ]


def _proposed(terms: Terms) -> Typed:
    """Default values of an empty form."""
    services = terms.catalogue.services
    return {
        "service": services[0].name if len(services) == 1 else "",
        "earliest": terms.today.isoformat(),
        "latest": (terms.today + _FOUR_WEEKS).isoformat(),
    }
