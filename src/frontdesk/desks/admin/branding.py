"""Builds the branding of the pages: business name, colour and contact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frontdesk.core.contact_card import ContactCard
from frontdesk.desks.admin.model import Business
from frontdesk.engine.ports import Reads
from frontdesk.settings import Settings

if TYPE_CHECKING:
    from frontdesk.web.renderer import Branding


def contact_in(settings: Settings) -> ContactCard:
    """Returns the contact from the settings file, the fallback for fields not set in the
    console."""
    return ContactCard(
        phone=settings.business_phone,
        address=settings.business_address,
        website=settings.business_website,
    )


def business_of(reads: Reads) -> Business:
    business: Business = reads.desk("fd").business()
    return business


def business_zone(reads: Reads) -> str:
    """Returns the name of the business's time zone."""
    return business_of(reads).zone


def branding_of(reads: Reads, settings: Settings) -> Branding:
    """Returns the current branding; called at the start and after each change."""
    from frontdesk.web.renderer import Branding

    business = business_of(reads)
    contact = business.contact.or_else(contact_in(settings))
    return Branding(business.name or settings.business_name, business.accent, contact)
