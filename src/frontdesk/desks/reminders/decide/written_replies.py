"""Decides about answers that customers write by text or mail.

A clear answer about one visit has the same effect as a link. Other answers change nothing: if an
answer could mean several visits, we ask which; staff read the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from frontdesk.core.decision import Accepted, Change, Decision, Fact, Refused
from frontdesk.core.localtime import to_wall
from frontdesk.core.mail import FOR_A_PERSON, SettleMail
from frontdesk.desks.reminders import commands
from frontdesk.desks.reminders.changes import AddReply, AppointmentAsRead
from frontdesk.desks.reminders.decide.replies import LONGEST_WISHES, ask_to_move, cancel, confirm
from frontdesk.desks.reminders.facts import (
    AnsweredAgain,
    OptOutNoted,
    WhichVisitAsked,
    WordsReceived,
)
from frontdesk.desks.reminders.model import (
    Appointment,
    AppointmentState,
    Means,
    Reply,
    ReplyAction,
)
from frontdesk.desks.reminders.reasons import Reason
from frontdesk.desks.reminders.views import ReplyView, WrittenView
from frontdesk.values import Frozen, replace

#: The outcome of a mail or text that was understood.
ANSWERED: Final = "answered"
LONGEST_OUTCOME: Final = 200


class _Visit(Frozen):
    """A visit that can still be answered."""

    view: ReplyView
    row: Appointment


def answer(view: WrittenView, command: commands.AnswerInWords, now: datetime) -> Decision:
    visits = _open(view, now)
    if not visits:
        unanswered = SettleMail(command.mail_id, "", FOR_A_PERSON)
        return Accepted((unanswered,)) if command.settles else Refused(Reason.ENDED)
    decided = _answer(visits, command, now)
    if not command.settles:
        return decided
    settled = SettleMail(command.mail_id, visits[0].row.person_id, outcome_of(decided))
    return replace(decided, changes=(*decided.changes, settled))


def settle_mail(_: None, command: commands.SettleIncomingMail, _now: datetime) -> Decision:
    return Accepted((SettleMail(command.mail_id, "", command.outcome[:LONGEST_OUTCOME]),))


def outcome_of(decided: Accepted) -> str:
    """The outcome to store with the mail or text."""
    needs_person = any(isinstance(each, WordsReceived | OptOutNoted) for each in decided.facts)
    return FOR_A_PERSON if needs_person else ANSWERED


def note_opt_out(view: WrittenView, command: commands.NoteOptOut, now: datetime) -> Decision:
    """Creates a task for staff, because the word may also mean the visit."""
    visits = _open(view, now)
    if not visits:
        return Refused(Reason.ENDED)
    changes: list[Change] = []
    facts: list[Fact] = []
    at = now.replace(microsecond=0)
    for row in (each.row for each in visits):
        changes += _reply_only(row, command.mail_id, ReplyAction.STOP, Means.TEXT, at)
        facts.append(
            OptOutNoted(row.id, row.person_id, row.version, at, command.mail_id, Means.TEXT)
        )
    return Accepted(tuple(changes), tuple(facts))


def _open(view: WrittenView, now: datetime) -> list[_Visit]:
    found = [_Visit(each, row) for each in view.visits if (row := each.at.appointment)]
    live = [each for each in found if each.row.is_live and now < each.row.starts_at]
    return sorted(live, key=lambda each: (each.row.starts_at, each.row.id))


def _answer(visits: Sequence[_Visit], command: commands.AnswerInWords, now: datetime) -> Accepted:
    choice = command.choice
    if choice is None:
        return _to_staff(visits, command, now)
    meant = [each for each in visits if _is_meant(each, command)]
    if choice is ReplyAction.CONFIRM:
        to_confirm = [each for each in meant if each.row.state is AppointmentState.EXPECTED]
        if meant and not to_confirm:
            return _confirmed_again(meant[0].row, command, now)
        meant = to_confirm
    if not meant:
        return _to_staff(visits, command, now)
    if len(meant) > 1:
        return _ask_which(meant, command, now)
    decided = _as_by_link(meant[0], command, choice, now)
    if isinstance(decided, Accepted):
        return decided
    wanted = choice if decided.reason is Reason.TOO_LATE else None
    return _to_staff(meant, command, now, wanted)


def _is_meant(visit: _Visit, command: commands.AnswerInWords) -> bool:
    if command.at is None:
        return True
    wall = to_wall(visit.row.starts_at, visit.view.at.planner.tz)
    return (wall.hour, wall.minute) == (command.at.hour, command.at.minute)


def _as_by_link(
    visit: _Visit, command: commands.AnswerInWords, choice: ReplyAction, now: datetime
) -> Accepted | Refused:
    """Does what the link of a message does. The answer counts as a message of its own."""
    row, nonce, means = visit.row, command.mail_id, command.means
    view = replace(visit.view, spent=[each for each in visit.view.spent if each.nonce == nonce])
    named = (row.id, row.chain, nonce, means)
    decided: Decision
    match choice:
        case ReplyAction.CONFIRM:
            decided = confirm(view, commands.Confirm(*named), now)
        case ReplyAction.CANCEL:
            decided = cancel(view, commands.Cancel(*named), now)
        case _:
            is_digit = not any(map(str.isalpha, command.words))
            wishes = "" if is_digit else command.words
            decided = ask_to_move(view, commands.AskToMove(*named, wishes=wishes), now)
    return decided


def _ask_which(
    visits: Sequence[_Visit], command: commands.AnswerInWords, now: datetime
) -> Accepted:
    """Asks once in each chain of the first visit; the next unclear answer goes to staff."""
    first = visits[0]
    nonce = f"which.{first.row.chain}"
    if any(each.nonce == nonce for each in first.view.spent):
        return _to_staff(visits, command, now)
    at, row = now.replace(microsecond=0), first.row
    fact = WhichVisitAsked(
        row.id,
        row.person_id,
        row.version,
        at,
        command.mail_id,
        command.means,
        tuple(each.row.id for each in visits),
    )
    return Accepted(_reply_only(row, nonce, ReplyAction.WHICH, command.means, at), (fact,))


def _to_staff(
    visits: Sequence[_Visit],
    command: commands.AnswerInWords,
    now: datetime,
    wanted: ReplyAction | None = None,
) -> Accepted:
    """Leaves the words to staff, at the next visit."""
    at, row = now.replace(microsecond=0), visits[0].row
    action = wanted or ReplyAction.OTHER
    fact = WordsReceived(
        row.id,
        row.person_id,
        row.version,
        at,
        command.mail_id,
        command.means,
        row.chain,
        wanted,
    )
    changes = _reply_only(row, command.mail_id, action, command.means, at, command.words)
    return Accepted(changes, (fact,))


def _confirmed_again(row: Appointment, command: commands.AnswerInWords, now: datetime) -> Accepted:
    at = now.replace(microsecond=0)
    fact = AnsweredAgain(row.id, row.person_id, row.version, at, command.mail_id, command.means)
    changes = _reply_only(row, command.mail_id, ReplyAction.CONFIRM, command.means, at)
    return Accepted(changes, (fact,))


def _reply_only(
    row: Appointment,
    nonce: str,
    action: ReplyAction,
    means: Means,
    at: datetime,
    words: str = "",
) -> tuple[Change, ...]:
    """Stores a reply that changes nothing. Condition: the visit is unchanged since it was read."""
    reply = Reply(
        row.id,
        nonce,
        action,
        row.chain,
        at,
        means,
        row.state,
        row.state,
        words.strip()[:LONGEST_WISHES],
    )
    return AppointmentAsRead(row.id, row.version), AddReply(reply)
