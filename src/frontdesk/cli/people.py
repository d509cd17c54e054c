"""Commands about one person's data: person, erase."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from types import ModuleType
from typing import Any, Final

from msgspec.structs import asdict

from frontdesk.cli.command import OK, CannotRun, CliCommand, settings_for, with_json
from frontdesk.cli.data_access import reading_data, writing_data
from frontdesk.cli.terminal import Terminal
from frontdesk.core.contacts import BadContact, email_key
from frontdesk.core.people import Person
from frontdesk.desks.admin.reads import AdminReads
from frontdesk.store.sqlite.view import View
from frontdesk.wiring.desks import desk_modules

_MOST_MAILS: Final = 10_000


def person(args: Namespace, on: Terminal) -> int:
    with reading_data(settings_for(args)) as view:
        found = _export(view, _find(view, args.email))
    if args.json:
        on.data(found)
        return OK
    on.say(f"{found['person']['name']} <{found['person']['email']}>")
    for desk in _desks():
        on.say_all(desk.person_lines(found))
    on.say(f"Messages sent: {len(found['messages'])}. Mails kept: {len(found['mails'])}.")
    return OK


def _find(view: View, email: str) -> Person:
    try:
        found: Person | None = view.reads.engine.person_by_email(email_key(email))
    except BadContact as error:
        raise CannotRun(str(error)) from error
    if found is None:
        raise CannotRun("Nobody has this address.")
    return found


def _export(view: View, who: Person) -> dict[str, Any]:
    """Returns the person, what each desk has about them, messages and mails, for the export."""
    admin: AdminReads = view.reads.desk("fd")
    by_desk = [desk.person_export(view.reads, who.id) for desk in _desks()]
    return {
        "person": asdict(who),
        **{name: rows for each in by_desk for name, rows in each.items()},
        "messages": _messages(view, who),
        "mails": [
            {"id": mail_id, "received_at": at, "raw": raw.decode(errors="replace")}
            for mail_id, at, raw in admin.raw_mails(who.id, _MOST_MAILS)
        ],
    }


def _desks() -> list[ModuleType]:
    return [desk for desk in desk_modules("frontdesk.cli") if hasattr(desk, "person_export")]


def _messages(view: View, who: Person) -> list[dict[str, Any]]:
    rows = view.db.execute(
        "SELECT m.sent_at, s.kind, m.to_email || m.to_mobile, m.subject, m.text"
        " FROM fd_message m JOIN fd_send s USING (send_id)"
        " WHERE s.person_id = ? ORDER BY m.sent_at, m.rowid",
        (who.id,),
    )
    names = ("sent_at", "kind", "to", "subject", "text")
    return [dict(zip(names, row, strict=True)) for row in rows]


def erase(args: Namespace, on: Terminal) -> int:
    with writing_data(settings_for(args)) as access:
        erased = access.order("erase", email=args.email)
        access.settle()
    if args.json:
        on.data(erased)
    else:
        on.say("Name, address, kept mail and kept messages are erased. The audit keeps the facts.")
        on.say("Backups that were made before still have them: delete those as well.")
    return OK


def _email(parser: ArgumentParser) -> None:
    parser.add_argument("email", metavar="EMAIL")
    with_json(parser)


COMMANDS = (
    CliCommand("person", "Show or export all that is kept about a person.", person, _email),
    CliCommand("erase", "Erase a person's name, address, mail and messages.", erase, _email),
)
