"""Which row is which entry: by its id, or as the same person waiting for the same service."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from frontdesk.core.contacts import contact_key
from frontdesk.desks.waitlist.model import EntryId, EntryStatus
from frontdesk.features.sheet_sync.model import Column, OurRow, Problem, Row
from frontdesk.features.sheet_sync.reading import Read, Said
from frontdesk.values import Frozen


class Seen(Frozen):
    """A row of the sheet, and what it says."""

    row: Row
    read: Read

    @property
    def line(self) -> int:
        return self.row.line

    @property
    def said(self) -> Said:
        return self.read.said

    @property
    def id(self) -> EntryId:
        return EntryId(self.said.get(Column.ID, ""))


class Matched(Frozen):
    """Each row is in one of them."""

    known: tuple[tuple[Seen, OurRow], ...]
    fresh: tuple[Seen, ...]
    """People who are new."""
    unknown: tuple[Seen, ...]
    """Rows that cannot be read, and nobody on the list looks like them."""
    doubles: tuple[Problem, ...]


def match(seen: Sequence[Seen], ours: Sequence[OurRow]) -> Matched:
    """No entry is two rows. An id that another row has already is no id."""
    owners = _owners(seen, {one.entry.id: one for one in ours})
    owners = _moved(owners, ours)
    matching = _Matching(ours, owners)
    without = [one for one in seen if one.line not in owners]
    for one in without:
        if not one.read.problems:
            matching.place(one)
    for one in without:
        if one.read.problems:
            matching.guess(one)
    return matching.result()


Owners = dict[int, tuple[Seen, OurRow]]
"""By line."""


def _owners(seen: Sequence[Seen], by_id: dict[EntryId, OurRow]) -> Owners:
    """Of several rows with one id the one with its person's contact has it, else the first."""
    rows: dict[EntryId, list[Seen]] = {}
    for one in seen:
        if one.id in by_id:
            rows.setdefault(one.id, []).append(one)
    found = {}
    for entry_id, several in rows.items():
        ours = by_id[entry_id]
        owner = min(several, key=lambda one: (_key(one.said) != _our_key(ours), one.line))
        found[owner.line] = (owner, ours)
    return found


def _moved(owners: Owners, ours: Iterable[OurRow]) -> Owners:
    """Who was moved to another service has another entry, which has no row yet."""
    taken = {known.entry.id for _, known in owners.values()}
    waiting = {
        (one.entry.person_id, one.entry.service): one
        for one in ours
        if one.entry.status is EntryStatus.WAITING and one.entry.id not in taken
    }

    def now(seen: Seen, known: OurRow) -> OurRow:
        if known.entry.status is EntryStatus.WAITING:
            return known
        return waiting.pop((known.entry.person_id, seen.said.get(Column.SERVICE, "")), known)

    return {line: (seen, now(seen, known)) for line, (seen, known) in sorted(owners.items())}


class _Matching:
    """Finds a place for the rows without an id, in the order of the sheet."""

    def __init__(self, ours: Sequence[OurRow], owners: Owners) -> None:
        self._known = dict(owners)
        self._lines = {known.entry.id: line for line, (_, known) in owners.items()}
        self._people = {(_our_key(one), one.entry.service): one for one in ours if not one.erased}
        self._families = {
            (one.mobile, one.name.casefold(), one.entry.service): one for one in ours if one.mobile
        }
        self._looks = _looks(ours)
        self._fresh: dict[tuple[str, str], Seen] = {}
        self._unknown: list[Seen] = []
        self._doubles: list[Problem] = []

    def guess(self, one: Seen) -> None:
        """A row that cannot be read whole is most likely that of somebody who has none now."""
        alike = (each for trait in _traits(one.said) for each in self._looks.get(trait, ()))
        service = one.said.get(Column.SERVICE)
        left = (
            each
            for each in alike
            if each.entry.id not in self._lines and service in (None, each.entry.service)
        )
        if found := next(left, None):
            self._claim(one, found)
        else:
            self._unknown.append(one)

    def place(self, one: Seen) -> None:
        known = self._same(one.said)
        who = (_key(one.said), one.said[Column.SERVICE])
        other = self._lines.get(known.entry.id) if known else _line(self._fresh.get(who))
        if other is not None:
            text = f"Row {other} is the same person for the same service."
            self._doubles.append(Problem(one.line, "", text))
        elif known is None:
            self._fresh[who] = one
        else:
            self._claim(one, known)

    def _claim(self, one: Seen, known: OurRow) -> None:
        self._known[one.line] = (one, known)
        self._lines[known.entry.id] = one.line

    def _same(self, said: Said) -> OurRow | None:
        """A number alone may be a family's: there the name counts as well."""
        service = said[Column.SERVICE]
        found = self._people.get((_key(said), service))
        if found is not None or Column.EMAIL in said:
            return found
        name = said[Column.NAME].casefold()
        return self._families.get((said[Column.MOBILE], name, service))

    def result(self) -> Matched:
        known = tuple(self._known[line] for line in sorted(self._known))
        return Matched(
            known, tuple(self._fresh.values()), tuple(self._unknown), tuple(self._doubles)
        )


Trait = tuple[Column, str]


def _traits(said: Said) -> list[Trait]:
    """By what somebody is known, the surest first."""
    known = ((each, said.get(each, "")) for each in (Column.EMAIL, Column.MOBILE, Column.NAME))
    return [(column, text.casefold()) for column, text in known if text]


def _looks(ours: Sequence[OurRow]) -> dict[Trait, list[OurRow]]:
    found: dict[Trait, list[OurRow]] = {}
    for one in ours:
        if one.entry.status is EntryStatus.WAITING:
            said = {Column.EMAIL: one.email, Column.MOBILE: one.mobile, Column.NAME: one.name}
            for trait in _traits(said):
                found.setdefault(trait, []).append(one)
    return found


def _line(seen: Seen | None) -> int | None:
    return None if seen is None else seen.line


def _key(said: Said) -> str:
    return contact_key(said.get(Column.EMAIL, ""), said.get(Column.MOBILE, ""))


def _our_key(ours: OurRow) -> str:
    return contact_key(ours.email, ours.mobile)
