"""Edits the settings of the business and the wording of mails to the team."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final
from zoneinfo import available_timezones

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.contact_card import (
    ContactCard,
    clean_business_address,
    clean_business_phone,
    clean_website,
)
from frontdesk.core.contacts import clean_name
from frontdesk.core.localtime import BadZone, zone
from frontdesk.core.members import Role
from frontdesk.desks.admin.branding import branding_of, contact_in
from frontdesk.desks.admin.commands import SetBusiness, SetWording
from frontdesk.desks.admin.console import consent
from frontdesk.desks.admin.console.page import reads_of, settings_tabs
from frontdesk.desks.admin.console.zone_change import ask_before
from frontdesk.desks.admin.messages import WORDINGS
from frontdesk.desks.admin.model import Business
from frontdesk.features.wordings.pages import WordingPages
from frontdesk.settings import Settings
from frontdesk.settings.sources import FILE
from frontdesk.web.colours import Shades, accent_palette, parse_hex
from frontdesk.web.console.forms import cleaned
from frontdesk.web.console.sections import SettingsLink, shell_of
from frontdesk.web.console.shell import console_page, done, form_of, run, signed_in, staff
from frontdesk.web.forms import Form
from frontdesk.web.site import site_of

PATH: Final = "/console/settings"
SUGGESTED: Final = ("#2b50d8", "#0f766e", "#b45309", "#be185d", "#6d28d9", "#334155")


def routes() -> list[BaseRoute]:
    return [
        Route(PATH, staff(settings_page), methods=["GET"]),
        Route(PATH, staff(save, role=Role.OWNER), methods=["POST"]),
    ]


async def settings_page(request: Request) -> Response:
    """Shows the settings. `?accent=` previews a colour without saving it."""
    business, settings = reads_of(request).business(), site_of(request).settings
    tried = request.query_params.get("accent", "")
    values = {
        "name": business.name or settings.business_name,
        "sender_name": business.sender_name,
        "zone": business.zone,
        "accent": tried or business.accent,
        **_contact_values(business.contact.or_else(contact_in(settings))),
    }
    return _page(request, values, {"accent": _wrong_colour(tried)} if tried else {})


async def save(request: Request) -> Response:
    form, site = form_of(request), site_of(request)
    errors, business = _read(form)
    typed = {name: form[name] for name in (*_FIELDS, *_CONTACT)}
    if business is None:
        return _page(request, typed, errors)
    if form["do"] == "preview":
        return _page(request, typed, {})
    if asked := ask_before(request, reads_of(request).business().zone, business.zone, PATH):
        return asked
    await run(request, SetBusiness(business))
    site.renderer.set_branding(branding_of(site.reads(), site.settings))
    return done(request, PATH, "Saved. Every page and every new mail looks like this now.")


_FIELDS: Final = ("name", "sender_name", "zone", "accent")
_CONTACT: Final[dict[str, Callable[[str], str]]] = {
    "phone": clean_business_phone,
    "address": clean_business_address,
    "website": clean_website,
}


def _contact_values(contact: ContactCard) -> dict[str, str]:
    return {"phone": contact.phone, "address": contact.address, "website": contact.website}


def _read(form: Form) -> tuple[dict[str, str], Business | None]:
    """Returns errors by field, or the business."""
    clean, errors = cleaned(
        form.fields,
        {
            "name": clean_name,
            "sender_name": lambda text: clean_name(text) if text else "",
            **_CONTACT,
        },
    )
    try:
        zone(form["zone"])
    except BadZone:
        errors["zone"] = "Please choose a time zone of the list, like Europe/Berlin."
    if wrong := _wrong_colour(form["accent"]):
        errors["accent"] = wrong
    if errors:
        return errors, None
    accent = parse_hex(form["accent"])
    return {}, Business(
        name=clean["name"],
        accent=accent,
        sender_name=clean["sender_name"],
        zone=form["zone"],
        contact=ContactCard(**{field: clean[field] for field in _CONTACT}),
    )


def _wrong_colour(text: str) -> str:
    try:
        parse_hex(text)
    except ValueError:
        return "Please write the colour like #2b50d8."
    return ""


def _page(request: Request, values: dict[str, Any], errors: dict[str, str]) -> Response:
    wrong = {name: sentence for name, sentence in errors.items() if sentence}
    accent = values["accent"] if "accent" not in wrong else reads_of(request).business().accent
    palette = accent_palette(accent)
    return console_page(
        request,
        "admin/business.html",
        page_title="Settings",
        active=PATH,
        status=422 if wrong else 200,
        **settings_tabs(request),
        values=values,
        errors=wrong,
        swatches=[("On light", _shades(palette.light)), ("On dark", _shades(palette.dark))],
        suggested=SUGGESTED,
        zones=sorted(available_timezones()),
        links=_links_by_desk(shell_of(request).settings),
        is_owner=signed_in(request).member.role is Role.OWNER,
        from_email=site_of(request).settings.from_email,
        country=site_of(request).settings.country,
        change_country=_change_country(site_of(request).settings),
    )


def _links_by_desk(links: Sequence[SettingsLink]) -> dict[str, list[SettingsLink]]:
    """Groups the links to all settings by the name of their desk."""
    found: dict[str, list[SettingsLink]] = {}
    for link in (*links, consent.LINK, LINK):
        found.setdefault(link.desk or "All desks", []).append(link)
    return found


def _change_country(settings: Settings) -> str:
    """Says where the country is set. It decides to which numbers texts may go, which cost money,
    so the console cannot change it."""
    if settings.channel == "ses":
        return "The parameter Country of the deployment changes it."
    file = settings.data_dir.absolute() / FILE
    return f'To change it, write country = "DE" (for Germany) into {file} and restart the server.'


def _shades(shades: Shades) -> dict[str, str]:
    return {
        "fill": shades.fill,
        "on_fill": shades.on_fill,
        "text": shades.text,
        "soft": shades.soft,
        "edge": shades.edge,
    }


PAGES: Final = WordingPages(
    desk="fd",
    path="/console/settings/team-mails",
    title="Team email templates",
    groups=(("To the team", WORDINGS),),
    change=SetWording,
)
LINK: Final = SettingsLink(
    PAGES.title, "The words of invitations to the team and of sign-in links.", PAGES.path
)
