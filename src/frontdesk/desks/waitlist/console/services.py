"""What can be waited for, who works here, and in which money: the shop's list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.decision import Refused
from frontdesk.core.words import count
from frontdesk.desks.waitlist import words
from frontdesk.desks.waitlist.commands import SetShop
from frontdesk.desks.waitlist.console.move_entries import move_entries
from frontdesk.desks.waitlist.console.page import WAITLIST, me, waitlist_page, wl_of
from frontdesk.desks.waitlist.console.service_form import (
    Values,
    errors_in_staff,
    read_service,
    staff_of,
    values_of,
)
from frontdesk.desks.waitlist.console.table import LIST
from frontdesk.desks.waitlist.decide.documents import MOST_CURRENCY
from frontdesk.desks.waitlist.model import EntryStatus, Service, Shop
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.reasons import Reason
from frontdesk.features.sheet_sync.model import OurRow
from frontdesk.values import replace
from frontdesk.web.console.shell import console_page, done, form_of, staff
from frontdesk.web.site import site_of

SERVICES: Final = f"{WAITLIST}/services"


def routes() -> list[BaseRoute]:
    return [
        Route(SERVICES, staff(services_page), methods=["GET"]),
        Route(SERVICES, staff(save_house), methods=["POST"]),
        Route(f"{SERVICES}/one", staff(service_page), methods=["GET"]),
        Route(f"{SERVICES}/one", staff(save_service), methods=["POST"]),
        Route(f"{SERVICES}/another", staff(give_another), methods=["POST"]),
        Route(f"{SERVICES}/remove", staff(remove), methods=["POST"]),
    ]


def _waiting(wl: WaitlistReads) -> list[OurRow]:
    return [one for one in wl.sheet.ours() if one.entry.status is EntryStatus.WAITING]


def _for_service(waiting: Sequence[OurRow], name: str) -> list[OurRow]:
    return [one for one in waiting if one.entry.service == name]


# --- all of it ------------------------------------------------------------------------------


async def services_page(request: Request) -> Response:
    shop = wl_of(request).shop()
    return await _page(request, {"staff": "\n".join(shop.staff), "currency": shop.currency}, {})


async def _page(
    request: Request, values: Values, errors: Mapping[str, str], *, status: int = 200
) -> Response:
    wl = wl_of(request)
    shop, waiting = wl.shop(), await run_in_threadpool(_waiting, wl)
    listed = {one.name for one in shop.services}
    gone = sorted({one.entry.service for one in waiting} - listed) if listed else []
    return waitlist_page(
        request,
        me(request),
        "services.html",
        tab="Services",
        page_title="Services",
        status=status,
        rows=[
            _row(one, shop, len(_for_service(waiting, one.name)))
            for one in sorted(shop.services, key=lambda each: each.name.casefold())
        ],
        unlisted=[
            {"name": name, "waiting": len(_for_service(waiting, name)), "url": _list_of(name)}
            for name in gone
        ],
        services=[(one.name, one.name) for one in shop.services],
        v=values,
        errors=errors,
        most_currency=MOST_CURRENCY,
    )


def _row(service: Service, shop: Shop, waiting: int) -> dict[str, Any]:
    return {
        "url": f"{SERVICES}/one?{urlencode({'name': service.name})}",
        "name": service.name,
        "takes": words.how_long(service.duration),
        "price": words.price(service.price_cents, shop) if service.price_cents else "",
        "party": "" if service.most == 1 else f"up to {service.most}",
        "aliases": ", ".join(service.aliases),
        "waiting": waiting,
    }


def _list_of(service: str) -> str:
    return f"{LIST}?{urlencode({'q': service})}"


async def save_house(request: Request) -> Response:
    """The team and the money. Who waits for somebody who is gone is not forgotten."""
    form, wl = form_of(request), wl_of(request)
    values = {"staff": form.fields.get("staff", ""), "currency": form["currency"]}
    members, before = staff_of(values["staff"]), wl.shop()
    errors = errors_in_staff(members)
    if len(values["currency"]) > MOST_CURRENCY:
        errors["currency"] = f"Please write at most {MOST_CURRENCY} characters, like S$."
    if errors:
        return await _page(request, values, errors, status=422)
    shop = replace(before, staff=members, currency=values["currency"])
    if not await _set(request, shop):
        return done(request, SERVICES, _CANNOT, kind="problem")
    waiting = await run_in_threadpool(_waiting, wl)
    missed = [one.entry.staff for one in waiting if one.entry.staff in {*before.staff} - {*members}]
    if not missed:
        return done(request, SERVICES, "Saved.")
    people = count(len(missed), "person waits", "people wait")
    says = f"Saved. {people} for somebody who is not in the team any more."
    return done(request, SERVICES, says, kind="problem")


_CANNOT: Final = "That could not be saved: please look at the names again. Nothing was changed."


async def _set(request: Request, shop: Shop) -> bool:
    outcome = await site_of(request).run(SetShop(shop), by=me(request).by)
    return not isinstance(outcome, Refused) or outcome.reason is Reason.UNCHANGED


# --- one service ----------------------------------------------------------------------------


def _named(shop: Shop, name: str) -> Service:
    found = next((one for one in shop.services if one.name == name), None)
    if found is None:
        raise HTTPException(404)
    return found


async def service_page(request: Request) -> Response:
    """An existing one by its name, or a new one without."""
    name, shop = request.query_params.get("name", ""), wl_of(request).shop()
    values = values_of(_named(shop, name) if name else Service(""))
    return await _form(request, name, values, {})


async def save_service(request: Request) -> Response:
    form, wl = form_of(request), wl_of(request)
    shop, before = wl.shop(), form["before"]
    others = [one for one in shop.services if one.name != before]
    if before:
        _named(shop, before)
    values = {key: form[key] for key in values_of(Service(""))}
    read = read_service(values, others)
    if isinstance(read, dict):
        return await _form(request, before, values, read, status=422)
    along = await run_in_threadpool(lambda: _for_service(_waiting(wl), before)) if before else []
    is_renamed = bool(before) and read.name != before
    if is_renamed and along and not form.ticked("confirmed"):
        return _ask_to_rename(request, before, read.name, len(along))
    services = tuple(read if one.name == before else one for one in shop.services)
    if not await _set(request, replace(shop, services=services if before else (*services, read))):
        return done(request, SERVICES, _CANNOT, kind="problem")
    left = await move_entries(request, along, read.name) if is_renamed else 0
    if left:
        says = f"Saved. {words.people(left)} could not be taken along yet: see below."
        return done(request, SERVICES, says, kind="problem")
    return done(request, SERVICES, "Saved.")


async def give_another(request: Request) -> Response:
    """To those who wait for what is not listed, such as after a new name that was cut off."""
    form, wl = form_of(request), wl_of(request)
    before, to = form["name"], _named(wl.shop(), form["to"]).name
    rows = await run_in_threadpool(lambda: _for_service(_waiting(wl), before))
    left = await move_entries(request, rows, to)
    if left:
        says = f"{words.people(left)} could not be taken along yet: see below."
        return done(request, SERVICES, says, kind="problem")
    return done(request, SERVICES, f"Whoever waited for {before} waits for {to} now.")


def _ask_to_rename(request: Request, before: str, name: str, along: int) -> Response:
    return _ask(
        request,
        question=f"Rename {before} to {name}?",
        means=f"{words.people(along)} on the list {'waits' if along == 1 else 'wait'} for it. They"
        " are taken along and keep their places. An offer under the old name that is open just now"
        " is taken back.",
        action=f"{SERVICES}/one",
        label="Rename it",
    )


async def remove(request: Request) -> Response:
    """Who waits for it stays on the list, and staff are told how many that are."""
    wl, name = wl_of(request), form_of(request)["name"]
    shop = wl.shop()
    service = _named(shop, name)
    waiting = await run_in_threadpool(lambda: len(_for_service(_waiting(wl), name)))
    if not form_of(request).ticked("confirmed"):
        return _ask(
            request,
            question=f"Take {name} off the list of services?",
            means=_what_removing_means(waiting),
            action=f"{SERVICES}/remove",
            label="Take it off",
        )
    services = tuple(one for one in shop.services if one is not service)
    if not await _set(request, replace(shop, services=services)):
        return done(request, SERVICES, _CANNOT, kind="problem")
    if waiting:
        says = f"Taken off. {words.people(waiting)} still on the list for it: see below."
        return done(request, SERVICES, says, kind="problem")
    return done(request, SERVICES, "Taken off. Nobody was waiting for it.")


def _what_removing_means(waiting: int) -> str:
    if not waiting:
        return "Nobody on the list waits for it."
    return (
        f"{words.people(waiting)} on the list {'waits' if waiting == 1 else 'wait'} for it."
        " They stay there, but nobody can join for it any more, and you would have to give"
        " them another service by hand."
    )


def _ask(request: Request, *, question: str, means: str, action: str, label: str) -> Response:
    return console_page(
        request,
        "confirm.html",
        page_title=question,
        active=WAITLIST,
        crumbs=(("Waitlist", WAITLIST), ("Services", SERVICES), ("Please confirm", "")),
        question=question,
        means=means,
        action=action,
        label=label,
        keep_label="Leave it",
        keep_url=SERVICES,
        fields=dict(form_of(request).fields),
    )


async def _form(
    request: Request, before: str, values: Values, errors: Mapping[str, str], *, status: int = 200
) -> Response:
    wl = wl_of(request)
    waiting = await run_in_threadpool(lambda: len(_for_service(_waiting(wl), before)))
    return waitlist_page(
        request,
        me(request),
        "service.html",
        tab="Services",
        page_title=before or "Add a service",
        status=status,
        before=before,
        waiting=words.people(waiting) if before and waiting else "",
        list_url=_list_of(before),
        currency=wl.shop().currency,
        v=values,
        errors=errors,
    )
