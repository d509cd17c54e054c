"""The rules of the desk, its timer and its message, as they are handed to the engine."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from frontdesk.core.contacts import email_key
from frontdesk.core.decision import Accepted, Decision, Refused, SetTimer, TimerName
from frontdesk.core.localtime import spoken
from frontdesk.core.notes import Note, Quiet
from frontdesk.core.people import AddPerson, Person, PersonId
from frontdesk.core.wording import wording_spec
from frontdesk.engine.desk import DeliveryRules, Desk, Drop, Render, Rule
from frontdesk.engine.ports import Reads
from frontdesk.features.messages import kinds
from tests.examples.desk_callbacks import model
from tests.examples.desk_callbacks.model import CODE, Call, Reason, State

REMIND_BEFORE = timedelta(hours=1)
ZONE = ZoneInfo("UTC")


def calls(reads: Reads) -> model.CallReads:
    return reads.desk(CODE)  # type: ignore[no-any-return]


def ask(person: Person | None, command: model.AskForCall, now: datetime) -> Decision:
    """Plans a call, and sets the timer of its reminder."""
    if command.call_at < now + REMIND_BEFORE:
        return Refused(Reason.TOO_SOON)
    person_id = person.id if person else command.person_id
    call = Call(command.call_id, person_id, command.question, command.call_at)
    key = email_key(command.email)
    added = () if person else (AddPerson(person_id, command.name, command.email, key),)
    timer = SetTimer(TimerName(f"{CODE}/remind/{call.id}"), call.call_at - REMIND_BEFORE)
    asked = model.CallAsked(call.id, person_id, call.call_at)
    return Accepted((*added, model.AddCall(call)), (asked,), (timer,))


def remind(call: Call | None, _command: model.RemindOfCall, _now: datetime) -> Decision:
    """A timer may fire twice or late, so the row decides."""
    if call is None or call.state is not State.PLANNED:
        return Refused(Reason.NOT_PLANNED)
    coming = model.CallComing(call.id, call.person_id, call.call_at)
    return Accepted((model.MoveCall(call.id, State.PLANNED, State.REMINDED),), (coming,))


def reminder_note(fact: model.CallComing) -> Note:
    """The mail is useless once the call is due."""
    key = f"{CODE}/{fact.call_id}/reminder"
    return Note("reminder", fact.person_id, key, fact.call_id, "", Quiet.IGNORE, fact.call_at)


def reminder(c: kinds.MessageContext) -> kinds.MessageContent | Drop:
    call = calls(c.reads).call(c.send.subject)
    if call is None:
        return Drop("there is no such call any more")
    values = {"when": spoken(call.call_at, ZONE), "question": call.question}
    return kinds.MessageContent(values, reason="You get this mail because you asked for a call.")


REMINDER = wording_spec(
    "A call is an hour away",
    """
Subject: We call you soon

# We call you on {{ when }}

You asked: {{ question }}
""",
    "when",
    when="Friday 20 November 2026 at 10:00 (UTC)",
    question="Do you have a table for nine?",
)
MESSAGES = kinds.DeskMessages(
    {"reminder": kinds.MessageKind(reminder, REMINDER)},
    context=lambda context: context,
    wording=lambda _reads, _via, _kind: REMINDER.default,
)


def callbacks_desk(render: Render) -> Desk:
    return Desk(
        code=CODE,
        name="Callbacks",
        rules={
            model.AskForCall: Rule(lambda r, c: r.engine.person_by_email(email_key(c.email)), ask),
            model.RemindOfCall: Rule(lambda r, c: calls(r).call(c.call_id), remind),
        },
        facts=(model.CallAsked, model.CallComing),
        changes=(model.AddCall, model.MoveCall),
        notes={model.CallComing: reminder_note},
        delivery=DeliveryRules(
            recipients=lambda _reads, note: (PersonId(note.to),),
            when=lambda _reads, _send, _now: None,
            render=render,
        ),
        timers={"remind": lambda name, _due_at: model.RemindOfCall(name.split("/")[2])},
    )
