"""Builds the admin desk."""

from __future__ import annotations

from frontdesk.desks.admin.delivery import delivery_rules
from frontdesk.desks.admin.desk import admin_desk
from frontdesk.desks.admin.messages import messages
from frontdesk.desks.admin.model import Keep
from frontdesk.wiring.context import BuiltDesk, DeskContext
from frontdesk.wiring.senders import render_as_business, sender_profile


def build(context: DeskContext) -> BuiltDesk:
    settings = context.settings
    render = render_as_business(messages(), sender_profile(settings, context.keys))
    keep = Keep(mail_days=settings.keep_mail_days, messages_days=settings.keep_messages_days)
    return BuiltDesk(admin_desk(delivery_rules(render), keep))
