"""The shared part of a day and a month: a salon, its people, and a watch on the facts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from frontdesk.core.ids import ID_BYTES, new_id
from frontdesk.core.sends import Via
from frontdesk.desks.waitlist.model import EntryStatus, SlotStatus, figures
from frontdesk.simulate.channels import SimulatedMail, SimulatedTexts
from frontdesk.simulate.names import address
from frontdesk.simulate.running import sent_by_kind, server_settings
from frontdesk.simulate.waitlist.salon import Contact, Salon
from frontdesk.simulate.waitlist.scenario import Guest, Place
from frontdesk.simulate.waitlist.watch import Watch

_MANY = 1_000_000


class Playing:
    def __init__(
        self, place: Place, begins_at: datetime, seed: int, folder: Path, *, may_fail: bool
    ) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - a simulation
        self._may_fail = may_fail
        self.mail = SimulatedMail(local=not may_fail)
        self.texts = SimulatedTexts(local=not may_fail)
        self.watch = Watch()
        self.contacts: dict[str, Contact] = {}
        self.salon = Salon(
            server_settings(folder),
            begins_at,
            channels={Via.MAIL: self.mail, Via.TEXT: self.texts},
            ids=lambda: new_id(self.chance.randbytes(ID_BYTES)),
            chance=self.chance.random,
            heard=self.watch.hear,
            crashed=self.crashed,
        )
        self.salon.open(place)

    def crashed(self) -> None:
        """Called before the process restarts."""

    def contact(self, guest: Guest) -> Contact:
        """Returns the contact of a person; the same for the same name."""
        if guest.name not in self.contacts:
            number = f"+6590{len(self.contacts):06}" if guest.by_text else ""
            email = "" if guest.by_text else address(guest.name)
            self.contacts[guest.name] = Contact(guest.name, email, number)
        return self.contacts[guest.name]

    def figures(self) -> dict[str, int]:
        wl = self.salon.wl
        slots = wl.slots(_MANY)
        sums = figures(slots)
        return {
            "freed": sums.freed,
            "filled": sums.filled,
            "handed_back": sums.handed_back,
            "open": sum(slot.status is SlotStatus.OPEN for slot in slots),
            "offers": sums.offers,
            "waiting": len(wl.entries(status=EntryStatus.WAITING, limit=_MANY)),
            "seconds_to_fill": sums.seconds_to_fill // max(sums.filled, 1),
            "recovered_cents": sums.recovered_cents,
        }

    def messages(self) -> tuple[dict[str, int], dict[str, int]]:
        """Returns sent and unsent messages, each by kind."""
        with self.salon.data() as db:
            return sent_by_kind(db, "state = 'sent'"), sent_by_kind(db, "state <> 'sent'")

    def dead_letters(self) -> Iterator[str]:
        """Yields dead letters that should not be. Messages may fail if the scenario has faults."""
        for letter in self.salon.product.engine.reads().engine.dead_letters(_MANY):
            if letter.what != "send" or not self._may_fail:
                yield f"a dead letter: {letter.what} {letter.ref}: {letter.why}"
