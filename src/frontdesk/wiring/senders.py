"""Builds the sender profile of each desk: the business with its current details."""

from __future__ import annotations

from collections.abc import Callable

from frontdesk.core.links import Keys
from frontdesk.core.text_rules import TextRules, text_rules
from frontdesk.desks.admin.branding import business_of, contact_in
from frontdesk.engine.desk import Render
from frontdesk.engine.ports import Reads
from frontdesk.features.messages.kinds import DeskMessages, SenderProfile
from frontdesk.features.messages.render import renderer
from frontdesk.settings import Settings
from frontdesk.values import replace
from frontdesk.wiring.desks import closed_pages


def sender_profile(settings: Settings, keys: Callable[[], Keys]) -> SenderProfile:
    return SenderProfile(
        business=settings.business_name,
        from_email=settings.from_email,
        keys=keys,
        pages_url=settings.base_url,
        links_url=settings.links_at,
        console_url=settings.console_at,
        contact=contact_in(settings),
        closed_pages=closed_pages(settings),
    )


def render_as_business(messages: DeskMessages, profile: SenderProfile) -> Render:
    """Renders with the name, colour and contact of the business at the time of sending."""

    def sender(reads: Reads) -> SenderProfile:
        business = business_of(reads)
        return replace(
            profile,
            business=business.name or profile.business,
            from_name=business.sender_name,
            accent=business.accent,
            contact=business.contact.or_else(profile.contact),
        )

    return renderer(messages, sender)


def sms_rules(settings: Settings, *, is_local: bool) -> TextRules:
    """Returns the rules for SMS. Those that stay on this machine cost nothing and have no limit."""
    rules = text_rules(settings)
    return replace(rules, a_day=0, a_month_micros=0) if is_local else rules
