"""Assembles the RSVP desk for the engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from frontdesk.core.decision import Change, Command
from frontdesk.core.mail import MailReceived
from frontdesk.desks.rsvp import changes, commands, facts, load, offer_facts
from frontdesk.desks.rsvp.changes import SeatChange
from frontdesk.desks.rsvp.decide import (
    cancellations,
    contacts,
    hosting,
    incoming_mail,
    jobs,
    offers,
    seats,
)
from frontdesk.desks.rsvp.model import EventId
from frontdesk.desks.rsvp.notes import NOTES
from frontdesk.desks.rsvp.react import TIMERS, Reaction, event_is_over, reactions
from frontdesk.desks.rsvp.react import jobs as job_commands
from frontdesk.desks.rsvp.reasons import Reason
from frontdesk.engine.desk import DeliveryRules, Desk, Rule
from frontdesk.features.wordings.rule import wording_rule

RULES: Final[Mapping[type[Command], Rule]] = {
    commands.SignUp: Rule(load.seat_request, seats.sign_up),
    commands.QueueSignUp: Rule(load.written_down, jobs.queue_sign_up),
    commands.ConfirmInvitation: Rule(load.guest_asking, seats.confirm_invitation),
    commands.TakeFreeSeat: Rule(load.guest, seats.take_free_seat),
    commands.TellPartyTooLarge: Rule(load.guest, seats.tell_party_too_large),
    commands.Cancel: Rule(load.guest, cancellations.cancel),
    commands.ReduceParty: Rule(load.guest, cancellations.reduce_party),
    commands.Unsubscribe: Rule(load.guest, cancellations.unsubscribe),
    commands.AnswerAgain: Rule(load.guest, incoming_mail.answer_again),
    commands.AnswerStranger: Rule(load.stranger, incoming_mail.answer_stranger),
    commands.IgnoreMail: Rule(load.nothing, incoming_mail.ignore_mail),
    commands.Fill: Rule(load.fill, offers.fill),
    commands.ArmOffer: Rule(load.guest, offers.arm),
    commands.DisarmOffer: Rule(load.guest, offers.disarm),
    commands.ClaimOffer: Rule(load.guest, offers.claim),
    commands.DeclineOffer: Rule(load.guest, offers.decline),
    commands.LapseOffer: Rule(load.guest, offers.lapse),
    commands.StopOffer: Rule(load.guest, offers.stop),
    commands.FollowContact: Rule(load.contact, contacts.follow_contact),
    commands.PassOn: Rule(load.passing_on, contacts.pass_on),
    commands.WithdrawOffer: Rule(load.guest, offers.withdraw),
    commands.CreateEvent: Rule(load.event_by_slug, hosting.create),
    commands.EditEvent: Rule(load.event_by_slug, hosting.edit),
    commands.SetCap: Rule(load.event, hosting.set_cap),
    commands.CallOff: Rule(load.event_with_guests, hosting.call_off),
    commands.SeatFromTheLine: Rule(load.guest, hosting.seat_from_the_line),
    commands.MoveInLine: Rule(load.guest_in_line, hosting.move_in_line),
    commands.ResendLink: Rule(load.guest, hosting.resend_link),
    commands.CheckIn: Rule(load.guest, hosting.check_in),
    commands.BeginImport: Rule(load.event, hosting.begin_import),
    commands.DraftThanks: Rule(load.event_with_draft, hosting.draft_thanks),
    commands.EditThanks: Rule(load.event, hosting.edit_thanks),
    commands.SendThanks: Rule(load.event_with_guests, hosting.send_thanks),
    commands.SetDefaults: Rule(load.defaults, hosting.set_defaults),
    commands.SetWording: wording_rule("ev", facts.WordingChanged, Reason.UNCHANGED),
    commands.Remind: Rule(load.guest, jobs.remind),
    commands.ReportHeadcount: Rule(load.event, jobs.report_headcount),
    commands.TakeImportRow: Rule(load.import_row, jobs.take_import_row),
    commands.StepJob: Rule(load.job, jobs.step_job),
}

FACTS = tuple(
    kind
    for module in (facts, offer_facts)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, facts.EventFact) and hasattr(kind, "kind")
)

CHANGES = tuple(
    kind
    for kind in vars(changes).values()
    if isinstance(kind, type) and issubclass(kind, Change) and kind not in (Change, SeatChange)
)


def rsvp_desk(
    delivery: DeliveryRules,
    read_mail: Reaction,
    new_id: Callable[[], str],
    drafts: Callable[[EventId], str] | None = None,
) -> Desk:
    """Builds the desk. `drafts`, if given, writes the draft of the thank-you note."""
    return Desk(
        code="ev",
        name="RSVP",
        rules=RULES,
        facts=(*FACTS, facts.WordingChanged, MailReceived),
        changes=CHANGES,
        notes=NOTES,
        delivery=delivery,
        reactions=reactions(read_mail),
        timers={**TIMERS, "over": event_is_over(drafts)},
        jobs=job_commands(new_id),
        batched_jobs=frozenset({"import"}),
    )
