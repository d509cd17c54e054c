"""Assembles the admin desk for the engine."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Final

from frontdesk.core.decision import Change, Command, Fact, TimerName
from frontdesk.core.links import Keys
from frontdesk.core.members import STAND_IN_EMAIL, ExtendSession, MemberId
from frontdesk.core.people import PersonId
from frontdesk.desks.admin import changes, commands, facts, load
from frontdesk.desks.admin.decide import consents, housekeeping, people, team
from frontdesk.desks.admin.links import sign_in_url
from frontdesk.desks.admin.model import Retention
from frontdesk.desks.admin.notes import NOTES
from frontdesk.desks.admin.reasons import Reason
from frontdesk.engine.desk import DeliveryRules, Desk, Rule
from frontdesk.engine.engine import Engine
from frontdesk.engine.ports import Committed
from frontdesk.features.wordings.rule import wording_rule

RULES: Final[Mapping[type[Command], Rule]] = {
    commands.AddFirstOwner: Rule(load.owners, team.add_first_owner),
    commands.InviteMember: Rule(load.by_email, team.invite),
    commands.RemoveMember: Rule(load.member, team.remove),
    commands.ChangeRole: Rule(load.member, team.change_role),
    commands.SetBusiness: Rule(load.business, team.set_business),
    commands.SetWording: wording_rule("fd", facts.TeamWordingChanged, Reason.UNCHANGED),
    commands.AskForSignIn: Rule(load.by_email, team.ask),
    commands.PrintSignIn: Rule(load.first_owner, team.print_link),
    commands.SignIn: Rule(load.sign_in, team.sign_in),
    ExtendSession: Rule(load.session, team.extend),
    commands.EndSession: Rule(load.session, team.end),
    commands.EndAllSessions: Rule(load.member, team.end_all),
    commands.CorrectContact: Rule(load.contact, people.correct),
    commands.MarkAddress: Rule(load.person, people.mark_address),
    commands.MarkMobile: Rule(load.person, people.mark_mobile),
    commands.RecordConsent: Rule(load.consent, consents.record),
    commands.SetTextConsent: Rule(load.text_consent, consents.set_rule),
    commands.SetOptOut: Rule(load.person, people.set_opt_out),
    commands.Erase: Rule(load.person, people.erase),
    commands.SendAgain: Rule(load.send, people.send_again),
    commands.DealWithMail: Rule(load.mail, people.deal_with_mail),
    commands.SettleProblem: Rule(load.letter, people.settle_problem),
    commands.ReportTrouble: Rule(load.troubles, housekeeping.report),
    commands.EndTrouble: Rule(load.troubles, housekeeping.end),
    commands.PlanTidying: Rule(load.planned, housekeeping.plan),
    commands.Tidy: Rule(load.old_rows, housekeeping.tidy),
}

FACTS: tuple[type[Fact], ...] = tuple(
    each
    for each in vars(facts).values()
    if isinstance(each, type) and issubclass(each, Fact) and "kind" in vars(each)
)
CHANGES: tuple[type[Change], ...] = tuple(
    each
    for each in vars(changes).values()
    if isinstance(each, type) and issubclass(each, Change) and each is not Change
)

OWNER_NAME: Final = "Owner"
OWNER_EMAIL: Final = STAND_IN_EMAIL
"""A placeholder until the owner has given their own address."""


def admin_desk(delivery: DeliveryRules, retention: Retention) -> Desk:
    def tidy(_name: TimerName, due_at: datetime) -> Command:
        return commands.Tidy(due_at, retention)

    return Desk(
        code="fd",
        name="Admin",
        rules=RULES,
        facts=FACTS,
        changes=CHANGES,
        notes=NOTES,
        delivery=delivery,
        timers={"tidy": tidy},
    )


def new_nonce() -> int:
    """Returns a number that tells links apart. It is no secret: the signature protects a link."""
    return secrets.randbits(32)


def first_link(engine: Engine, keys: Keys, base_url: str, now: datetime) -> str:
    """Returns a link that lets an owner in once; called at each start. Links printed before stop
    working.

    Adds an owner with a placeholder address if there is none.
    """
    by = "cli"
    first = commands.AddFirstOwner(
        MemberId(engine.new_id()), PersonId(engine.new_id()), OWNER_NAME, OWNER_EMAIL
    )
    engine.run(first, by=by, now=now)
    printed = engine.run(commands.PrintSignIn(new_nonce()), by=by, now=now)
    assert isinstance(printed, Committed), "there is always an owner"
    (asked,) = (recorded.fact for recorded in printed.facts)
    assert isinstance(asked, facts.SignInAsked)
    return sign_in_url(base_url, keys, asked.member_id, asked.nonce, asked.link_expires_at)
