"""Opens data that an earlier version wrote, and lists what the present code finds in it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum, IntEnum
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette

from frontdesk.channels.mailbox import MailboxChannel
from frontdesk.core.links import Keys, purpose_in
from frontdesk.core.localtime import zone
from frontdesk.core.people import Person
from frontdesk.core.sends import SendState, SentMessage, Via
from frontdesk.desks.admin.export import exported
from frontdesk.desks.admin.links import Purpose as AdminPurpose
from frontdesk.desks.admin.messages import WORDINGS as ADMIN_WORDINGS
from frontdesk.desks.admin.reads import AdminReads, FactFilter, MailFilter, MessageFilter
from frontdesk.desks.reminders.facts import MoveAsked
from frontdesk.desks.reminders.model import Reminder
from frontdesk.desks.reminders.tags import Tags
from frontdesk.desks.rsvp.links import Purpose as RsvpPurpose
from frontdesk.desks.rsvp.messages import WORDINGS as RSVP_WORDINGS
from frontdesk.desks.rsvp.reads import RsvpReads
from frontdesk.desks.rsvp.story import event_story, guest_story, release_story
from frontdesk.desks.waitlist.facts import EntryChanged, EntryEdited, EntryJoined
from frontdesk.desks.waitlist.links import Purpose as WaitlistPurpose
from frontdesk.desks.waitlist.model import DocumentName, Entry, Opening
from frontdesk.desks.waitlist.reads import WaitlistReads
from frontdesk.desks.waitlist.story import EntryNames, line, slot_story
from frontdesk.doctor import check_up
from frontdesk.engine.clock import VirtualClock
from frontdesk.engine.inspection import InspectableStore, Inspection
from frontdesk.engine.ports import Reads
from frontdesk.features.catalogue.model import Service
from frontdesk.features.proposals.model import Proposal, ProposalStatus
from frontdesk.features.sheet_sync.model import SheetState
from frontdesk.settings import Settings
from frontdesk.store.sqlite.store import ENGINE_FACTS
from frontdesk.values import Frozen
from frontdesk.web.app import create_app
from frontdesk.web.limits import Limits
from frontdesk.wiring import console
from frontdesk.wiring.application import Application, MonitoredStore, build_application
from frontdesk.wiring.one_machine import TABLES as DESKS
from frontdesk.wiring.site import public_routes, site_on
from tests.support.browser import Browser

FOLDER = Path(__file__).parents[1] / "fixtures" / "before"
#: The instant at which the data was written.
NOW = datetime(2026, 11, 16, 15, 40, tzinfo=UTC)
BASE_URL = "http://desk.example"
ALL = 1_000_000
#: For a longer text only its digest is compared.
LONG = 200
_LINK = re.compile(r"/(?:l|sign-in)/[\w=-]{44,56}(?:\?\w+=\w+)?")


def plain(value: Any) -> Any:
    """Returns JSON-like data with the values of structs, without field names, which may change."""
    match value:
        case None | bool() | int() | float():
            return value
        case Enum():
            return value.value
        case str():
            return value if len(value) <= LONG else _digest(value)
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case bytes():
            return plain(value.decode("utf-8", "replace"))
        case Mapping():
            return {str(plain(key)): plain(each) for key, each in value.items()}
        case frozenset() | set():
            return sorted(plain(each) for each in value)
        case Sequence():
            return [plain(each) for each in value]
        case _:
            return [plain(getattr(value, name)) for name in _fields_then(value)]


#: Fields that structs got since then, with the value that they have in older data.
_ADDED: Mapping[type, Mapping[str, Any]] = {
    Service: {"unlisted": False},
    Person: {"failed_mobile": ""},
    Proposal: {"origin": ""},
    Entry: {"consent": "", "mail_only": False},
    EntryJoined: {"mail_only": False},
    EntryChanged: {"mail_only": False},
    EntryEdited: {"corrected": "", "new_number": False, "mail_only": False},
    SentMessage: {"provider_id": ""},
    Opening: {"in_room": False},
    Reminder: {"lead_window": None},
    MoveAsked: {"after": None},
    SheetState: {"zone": ""},
    Tags: {"mail_only": False},
}


def _fields_then(value: Any) -> list[str]:
    """Returns the fields except new ones with their default: older data cannot have set them."""
    added = _ADDED.get(type(value), {})
    return [
        name for name in _fields(value) if name not in added or getattr(value, name) != added[name]
    ]


def _digest(text: str) -> str:
    return f"{len(text)} characters, {sha256(text.encode()).hexdigest()[:16]}"


class Apps(Frozen):
    """The web application, and another one for links about the waitlist, which have separate keys
    on AWS."""

    main: Starlette
    claims: Starlette

    def of(self, path: str) -> Starlette:
        parts = path.split("?")[0].split("/")
        purpose = purpose_in(parts[2]) if parts[1] == "l" else None
        return self.claims if purpose in set(WaitlistPurpose) else self.main


def repeated(apps: Apps) -> list[Any]:
    """Repeats a request that the earlier version answered under the same key; returns the
    answer."""
    said = {"name": "Yara Nunes", "email": "yara@example.org", "party": 1}
    headers = {"content-type": "application/json", "idempotency-key": "written-before"}
    answer = Browser(apps.main, BASE_URL).ask(
        "POST", "/api/events/workshop/guests", json.dumps(said).encode(), headers
    )
    return [answer.status, json.loads(answer.text)]


def names() -> dict[str, dict[str, Any]]:
    """Returns the names in stored data that the code defines."""
    facts = [*ENGINE_FACTS, *(fact for desk in DESKS for fact in desk.facts)]
    return {
        "facts": {fact.kind: sorted(_fields(fact)) for fact in facts},
        "purposes": {
            f"{desk} {each.name}": each.value
            for desk, purposes in _PURPOSES.items()
            for each in purposes
        },
        "settings": {name: name for name in _fields(Settings)},
    }


_PURPOSES: Mapping[str, Iterable[IntEnum]] = {
    "rsvp": RsvpPurpose,
    "waitlist": WaitlistPurpose,
    "house": AdminPurpose,
}


def _fields(kind: Any) -> list[str]:
    return list(kind.__struct_fields__)


# --- on DynamoDB ------------------------------------------------------------------------------


def on_tables(
    store: MonitoredStore,
    settings: Settings,
    keys: Keys,
    claim_keys: Keys,
    clock: VirtualClock,
    ids: Callable[[], str],
) -> tuple[Application, Apps]:
    channels = {Via.MAIL: MailboxChannel(), Via.TEXT: MailboxChannel()}
    back = build_application(
        settings,
        store,
        channels,
        lambda: keys,
        clock,
        claim_keys=lambda: claim_keys,
        ids=ids,
        chance=lambda: 0.5,
    )

    def app(keys: Keys) -> Starlette:
        site = site_on(back, lambda: keys, Limits())
        made = create_app(site, [*public_routes(settings), *console.routes(back)])
        console.install_console(made, settings)
        return made

    return back, Apps(app(keys), app(claim_keys))


# --- rows -------------------------------------------------------------------------------------


def rows(reads: Reads, inspection: Inspection, now: datetime) -> Any:
    """Returns all rows of the desks, and the timers."""
    return plain(
        {
            "rsvp": _rsvp(reads.desk("ev")),
            "waitlist": _waitlist(reads.desk("wl")),
            "house": _admin(reads, reads.desk("fd"), now),
            "timers": dict(sorted(inspection.timers().items())),
        }
    )


def _rsvp(ev: RsvpReads) -> Any:
    events = sorted(ev.events(), key=lambda event: event.slug)
    return {
        "defaults": ev.defaults(),
        "wordings": {kind: ev.wording(kind) for kind in RSVP_WORDINGS},
        "events": {
            event.slug: {
                "event": event,
                "guests": ev.guests_after(event.id, "", ALL),
                "listed": [
                    (row.guest.id, row.person)
                    for row in ev.guest_rows(event.id, order="name", limit=ALL)
                ],
                "offers": ev.offers(event.id),
                "counts": ev.counts(event.id),
                "arrived": ev.arrived(event.id),
                "hosts": ev.hosts(event.id),
                "jobs": {job.id: [job, ev.import_rows(job.id)] for job in ev.jobs(event.id)},
            }
            for event in events
        },
    }


def _waitlist(wl: WaitlistReads) -> Any:
    sheet = wl.sheet
    return {
        "rules": wl.rules(),
        "shop": wl.catalogue(),
        "documents": [wl.document(name) for name in DocumentName],
        "proposals": {status: wl.proposals(status, ALL) for status in ProposalStatus},
        "slots": {slot.id: [slot, wl.offers(slot.id)] for slot in wl.slots(ALL)},
        "entries": {entry.id: entry for entry in wl.entries(limit=ALL)},
        "calendar": wl.calendar(),
        "sheet": sheet.state(),
        "versions": [sheet.version(head.number) for head in sheet.heads(ALL)],
        "staff": sorted(wl.staff()),
    }


def _admin(reads: Reads, fd: AdminReads, now: datetime) -> Any:
    team = fd.team(now)
    messages = fd.messages(MessageFilter(), limit=ALL)
    people = sorted(fd.people("", limit=ALL), key=lambda person: person.id)
    return {
        "business": fd.business(),
        "troubles": fd.troubles(),
        "wordings": {kind: fd.wording(kind) for kind in ADMIN_WORDINGS},
        "team": team,
        "sessions": [fd.sessions_of(row.membership.id, now) for row in team],
        "members": [fd.member(row.membership.id) for row in team],
        "people": {person.id: [person, _has_stopped(reads, person)] for person in people},
        "sends": {row.send.id: row.send for row in messages},
        "kept": {row.send.id: reads.engine.sent_message(row.send.id) for row in messages},
        "mails": fd.mails(MailFilter(), limit=ALL),
        "problems": fd.problems(ALL),
        "facts": [
            [each.seq, each.at, each.by, each.fact.kind, each.fact]
            for each in fd.facts(FactFilter(), ALL)
        ],
    }


def _has_stopped(reads: Reads, person: Person) -> bool:
    return bool(person.mobile) and reads.engine.number_stopped(person.mobile)


# --- stories ----------------------------------------------------------------------------------


def stories(reads: Reads) -> dict[str, list[str]]:
    """Returns the stories of every event, seat, guest, slot and entry, as staff read them."""
    ev: RsvpReads = reads.desk("ev")
    wl: WaitlistReads = reads.desk("wl")
    told: dict[str, Iterable[Any]] = {}
    for event in ev.events():
        told[f"event {event.slug}"] = event_story(ev, event)
        for round_ in range(1, event.seats.round + 1):
            told[f"event {event.slug}, seats {round_}"] = release_story(ev, event, round_)
        for guest in ev.guests_after(event.id, "", ALL):
            told[f"guest {guest.id}"] = guest_story(ev, event, guest.id)
    for slot in wl.slots(ALL):
        told[f"slot {slot.id}"] = slot_story(reads, slot.id, zone(slot.rules.zone))
    names, tz = EntryNames(reads), zone(wl.rules().zone)
    for entry in wl.entries(limit=ALL):
        facts = wl.facts_about(entry.id, limit=ALL)
        told[f"entry {entry.id}"] = [line(one, names, tz) for one in facts]
    return {
        about: [f"{each.at.isoformat()} {each.by}: {each.text}" for each in lines]
        for about, lines in sorted(told.items())
    }


def exports(reads: Reads) -> dict[str, Any]:
    """Returns the export of each person."""
    fd: AdminReads = reads.desk("fd")
    people = fd.people("", limit=ALL)
    return {person.id: plain(_export_then(exported(reads, person, []))) for person in people}


def _export_then(export: dict[str, Any]) -> dict[str, Any]:
    """Returns the export without parts that are new and empty."""
    person = export["person"]
    kept = {name: part for name, part in person.items() if name != "consent_to_texts" or part}
    return {**export, "person": kept}


def doctor(view: InspectableStore, now: datetime) -> Any:
    """Returns problems, notes and numbers."""
    found = check_up(view, now, served=False).data
    names = ("problems", "notes", "events", "guests", "facts", "slots", "entries")
    return plain([found[name] for name in names])


# --- links ------------------------------------------------------------------------------------


def links_in(kept: Mapping[str, Any]) -> list[str]:
    """Returns the paths of all links in messages, sorted."""
    return sorted({found for text in kept.values() for found in _LINK.findall(text)})


def texts(reads: Reads) -> dict[str, str]:
    fd: AdminReads = reads.desk("fd")
    ids = [row.send.id for row in fd.messages(MessageFilter(), limit=ALL)]
    found = {send_id: reads.engine.sent_message(send_id) for send_id in ids}
    return {send_id: kept.text for send_id, kept in found.items() if kept is not None}


def headings_of(apps: Apps, paths: Iterable[str], cookies: Mapping[str, str]) -> dict[str, Any]:
    """Returns status and heading of each page, or the first line of a file. Opens each link from
    another address, because of the rate limit."""
    found = {}
    for number, path in enumerate(paths):
        address = f"192.0.2.{number % 250}"
        answer = Browser(apps.of(path), BASE_URL, address, dict(cookies)).get(path)
        found[path] = [answer.status, answer.heading or answer.text.partition("\r\n")[0][:80]]
    return found


def post_forms(apps: Apps, presses: Sequence[Sequence[Any]]) -> list[Any]:
    """Posts forms to paths in order; returns status and heading of the pages that follow."""
    found = []
    for path, form in presses:
        browser = Browser(apps.of(path), BASE_URL, "198.51.100.7")
        answer = browser.post(path, **form)
        first = answer.status
        if first == 303:
            answer = browser.open(answer.location)
        found.append([path, first, answer.status, answer.heading or answer.text[:80]])
    return found


def statuses(pages: Iterable[Sequence[Any]]) -> list[Any]:
    return [list(page[:-1]) for page in pages]


#: Since then the page of a booked slot says when its appointment is over, as other pages did
#: before.
SINCE_OVER: Final = {
    "This appointment is over. -> This appointment is over.",
    "You have a slot. -> This appointment is over.",
}


def ambiguous_headings(found: Iterable[Sequence[Any]], told: Iterable[Sequence[Any]]) -> list[str]:
    """Returns the headings that do not stand for exactly one page. Words may change, but each
    earlier heading has one new form, and no two have the same one."""
    pairs = {(then[-1], now[-1]) for then, now in zip(told, found, strict=True)}
    then, now = (Counter(side) for side in zip(*pairs, strict=True))
    return sorted(f"{old} -> {new}" for old, new in pairs if then[old] > 1 or now[new] > 1)


# --- the end ----------------------------------------------------------------------------------


def outcome(view: InspectableStore, now: datetime) -> Any:
    """Counts messages, timers, jobs, guests and slots by their state."""
    reads = view.reads
    ev: RsvpReads = reads.desk("ev")
    wl: WaitlistReads = reads.desk("wl")
    fd: AdminReads = reads.desk("fd")
    sends = [row.send for row in fd.messages(MessageFilter(), limit=ALL)]
    timers = view.inspection.timers()
    kinds = Counter(each.fact.kind for each in fd.facts(FactFilter(), ALL))
    return plain(
        {
            "sends": _counted(f"{each.desk}/{each.kind} {each.state.value}" for each in sends),
            "unsent": sorted(
                f"{each.desk}/{each.kind}: {each.why}"
                for each in sends
                if each.state is not SendState.SENT
            ),
            "timers": _counted(re.sub(r"/.*", "", name) for name in timers),
            "facts": dict(sorted(kinds.items())),
            "jobs": sorted(
                f"{event.slug} {job.kind} {'done' if job.finished else 'open'}"
                for event in ev.events()
                for job in ev.jobs(event.id)
            ),
            "guests": {event.slug: ev.counts(event.id) for event in ev.events()},
            "slots": _counted(slot.status.value for slot in wl.slots(ALL)),
            "entries": _counted(entry.status.value for entry in wl.entries(limit=ALL)),
            "problems": [(each.what, each.why) for each in fd.problems(ALL)],
            "doctor": check_up(view, now, served=False).problems,
        }
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
