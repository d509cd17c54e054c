"""Shows and changes consent to texts: the sentence of the forms, the rule, and each person's."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from frontdesk.core.consents import (
    MOST_WORDS,
    SOURCE_NAMES,
    TEXT_CONSENT,
    Consent,
    ConsentRecord,
    ConsentRule,
    ConsentSource,
)
from frontdesk.core.contacts import BadContact
from frontdesk.core.decision import Refused
from frontdesk.core.members import Role
from frontdesk.core.people import Person
from frontdesk.core.phones import shown
from frontdesk.desks.admin.commands import SetTextConsent
from frontdesk.desks.admin.console.page import settings_tabs
from frontdesk.desks.admin.reasons import Reason
from frontdesk.values import Frozen
from frontdesk.web.console.formatting import relative_time
from frontdesk.web.console.forms import FormField, FormSpec
from frontdesk.web.console.sections import SettingsLink
from frontdesk.web.console.shell import console_page, done, form_of, run, staff
from frontdesk.web.site import site_of

SETTINGS: Final = "/console/settings"
PATH: Final = f"{SETTINGS}/texts"
LINK: Final = SettingsLink(
    "Consent to texts", "What forms say about texts, and whether a text needs consent.", PATH
)


def routes() -> list[BaseRoute]:
    return [
        Route(PATH, staff(page), methods=["GET"]),
        Route(PATH, staff(save, role=Role.OWNER), methods=["POST"]),
    ]


def _clean_sentence(text: str) -> str:
    sentence = " ".join(text.split())
    if not sentence:
        raise BadContact("Please write what people agree to.")
    if len(sentence) > MOST_WORDS:
        raise BadContact(f"Please write at most {MOST_WORDS} characters.")
    return sentence


FORM: Final = FormSpec(
    fields=(
        FormField(
            "sentence",
            "The sentence on your forms",
            "area",
            "Shown where a form asks for a mobile number. {business} is your name. Each consent"
            " keeps the words that were shown.",
            clean=_clean_sentence,
        ),
        FormField(
            "rule",
            "Texts without recorded consent",
            "choice",
            options=(
                (
                    ConsentRule.NOTED.value,
                    "Send them",
                    "Consent is recorded where people give it.",
                ),
                (
                    ConsentRule.REQUIRED.value,
                    "Do not send them",
                    "Mail is used instead. People without an address get nothing; you are told.",
                ),
            ),
        ),
    ),
    button="Save",
)


async def page(request: Request) -> Response:
    saved = site_of(request).reads().engine.setting(TEXT_CONSENT)
    return _page(request, {"sentence": saved.sentence, "rule": saved.rule.value})


async def save(request: Request) -> Response:
    typed = form_of(request).fields
    clean, errors = FORM.read(typed)
    if errors:
        return _page(request, dict(typed), errors)
    is_required = typed.get("rule") == ConsentRule.REQUIRED.value
    rule = ConsentRule.REQUIRED if is_required else ConsentRule.NOTED
    outcome = await run(request, SetTextConsent(rule, clean["sentence"]))
    is_same = isinstance(outcome, Refused) and outcome.reason is Reason.UNCHANGED
    return done(request, PATH, "Nothing was changed." if is_same else "Saved.")


def _page(
    request: Request, values: dict[str, str], errors: dict[str, str] | None = None
) -> Response:
    return console_page(
        request,
        "console/form.html",
        page_title="Consent to texts",
        active=SETTINGS,
        status=422 if errors else 200,
        crumbs=(("Settings", SETTINGS), ("Consent to texts", "")),
        **settings_tabs(request),
        form=FORM.view(PATH, SETTINGS, values, errors),
    )


# --- one person -----------------------------------------------------------------------------


class StatementLine(Frozen):
    """A statement as the page of a person shows it."""

    number: str
    title: str
    when: str
    words: str
    note: str
    version: str


class ConsentView(Frozen):
    """The consent of a person: the state of their number, and all statements, the newest first."""

    word: str
    state: str
    can_give: bool
    can_withdraw: bool
    lines: tuple[StatementLine, ...]


def consent_view(
    record: ConsentRecord, person: Person, now: datetime, tz: ZoneInfo
) -> ConsentView | None:
    """Returns None if there is neither a number nor a statement."""
    if not person.mobile and not record.statements:
        return None
    last = record.about(person.mobile)
    is_stopped = last is not None and not last.given and last.source is ConsentSource.REPLY
    is_given = last is not None and last.given
    word, state = "Not recorded", "waiting"
    if last is not None:
        word, state = ("Agreed", "good") if last.given else ("Withdrawn", "gone")
    return ConsentView(
        word,
        state,
        can_give=bool(person.mobile) and not is_given and not is_stopped,
        can_withdraw=bool(person.mobile) and is_given,
        lines=tuple(_line(each, now, tz) for each in reversed(record.statements)),
    )


def _line(each: Consent, now: datetime, tz: ZoneInfo) -> StatementLine:
    what = "agreed" if each.given else "withdrawn"
    return StatementLine(
        shown(each.mobile),
        f"{SOURCE_NAMES[each.source]}: {what}",
        relative_time(each.at, now, tz),
        each.words,
        each.note,
        each.version,
    )
