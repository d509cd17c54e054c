"""Assembles the waitlist desk for the engine, without its messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Final

from frontdesk.core.decision import Change, Command, Fact, TimerName
from frontdesk.core.jobs import Job
from frontdesk.desks.waitlist import changes, commands, document_facts, facts, load
from frontdesk.desks.waitlist.changes import SlotChange
from frontdesk.desks.waitlist.decide import (
    bookings,
    contacts,
    documents,
    entries,
    moves,
    offers,
    proposals,
)
from frontdesk.desks.waitlist.notes import NOTES
from frontdesk.desks.waitlist.react import REACTIONS, TIMERS
from frontdesk.engine.desk import DeliveryRules, Desk, Rule
from frontdesk.features.proposals import rules as proposal_rules
from frontdesk.features.proposals.decide import KIND as READ

#: Loads slots on the assumption that everybody can be reached.
EVERYBODY: Final = load.SlotLoader()


def _move_rules(slots: load.SlotLoader) -> Mapping[type[Command], Rule]:
    return {
        commands.MakeMove: Rule(slots.slot, moves.make_move),
        commands.TakeBackSlot: Rule(slots.slot, moves.take_back),
    }


RULES: Final[Mapping[type[Command], Rule]] = {
    commands.JoinList: Rule(load.joining, entries.join),
    commands.ChangeWish: Rule(load.entry, entries.change_wish),
    commands.EditEntry: Rule(load.editing, entries.edit),
    commands.SendPlaceLink: Rule(load.entry, entries.send_link),
    commands.LeaveList: Rule(load.entry, entries.leave),
    commands.ConfirmNumber: Rule(load.contact, contacts.confirm_number),
    commands.RemoveNumber: Rule(load.contact, contacts.remove_number),
    commands.StopOffers: Rule(load.stopping, proposals.stop),
    commands.ResumeOffers: Rule(load.stopping, proposals.resume),
    **proposal_rules.rules(proposals.PROPOSALS),
    commands.ApproveProposal: Rule(load.approving, proposals.approve),
    commands.FreeSlot: Rule(load.freed, moves.free),
    commands.ReportOverlap: Rule(load.overlapping, moves.report_overlap),
    commands.OfferAgain: Rule(load.again, moves.offer_again),
    **_move_rules(EVERYBODY),
    commands.CancelBooking: Rule(load.booking, bookings.cancel),
    commands.MarkNoShow: Rule(load.booking, bookings.mark_no_show),
    commands.ArmOffer: Rule(load.offer, offers.arm),
    commands.DisarmOffer: Rule(load.offer, offers.disarm),
    commands.PutOffOffer: Rule(load.offer, offers.put_off),
    commands.SendOfferAgain: Rule(load.offer, offers.send_again),
    commands.GiveUpOffer: Rule(load.offer, offers.give_up),
    commands.ClaimOffer: Rule(load.offer, offers.claim),
    commands.DeclineOffer: Rule(load.offer, offers.decline),
    commands.LapseOffer: Rule(load.offer, offers.lapse),
    commands.WithdrawOffer: Rule(load.offer, offers.withdraw),
    commands.TakeOfferBack: Rule(load.offer, offers.take_offer_back),
    commands.SetRules: Rule(load.rules, documents.set_rules),
    commands.TakeDocument: Rule(load.document, documents.take_document),
    commands.ConfirmDocumentFile: Rule(load.document, documents.confirm_file),
    commands.SettleCalendar: Rule(load.calendar, documents.settle_calendar),
    commands.SetCatalogue: Rule(load.catalogue, documents.set_catalogue),
    commands.ExpireEntries: Rule(load.expiring, entries.expire_entries),
    commands.ReportTexts: Rule(lambda _reads, _command: None, entries.report_texts),
    commands.SumUpMonth: Rule(load.month, entries.sum_up),
}

FACTS: Final = tuple(
    kind
    for module in (facts, document_facts)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Fact) and "kind" in vars(kind)
)

CHANGES: Final = tuple(
    kind
    for kind in vars(changes).values()
    if isinstance(kind, type) and issubclass(kind, Change) and kind not in (Change, SlotChange)
)


def waitlist_desk(
    delivery: DeliveryRules,
    jobs: Mapping[str, Callable[[Job], Command]] | None = None,
    paragraphs: Callable[[datetime], str] | None = None,
    slots: load.SlotLoader = EVERYBODY,
) -> Desk:
    """Builds the desk. `jobs` has a function for each kind of job. `paragraphs` may return a text
    for the month before an instant. It is called before the commit that sums up the month."""

    def month_is_summed_up(_name: TimerName, due_at: datetime) -> Command:
        return commands.SumUpMonth(due_at, paragraphs(due_at) if paragraphs else "")

    return Desk(
        code="wl",
        name="Waitlist",
        rules={**RULES, **_move_rules(slots)},
        facts=FACTS,
        changes=CHANGES,
        notes=NOTES,
        delivery=delivery,
        reactions=REACTIONS,
        timers={**TIMERS, "summary": month_is_summed_up},
        jobs=jobs or {},
        reading_jobs=frozenset({READ}),
        on_stop=partial(commands.StopOffers, by_text=True),
    )
