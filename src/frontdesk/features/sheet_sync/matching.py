"""Matches rows of the sheet with rows of the table: by id, or by person and topic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from frontdesk.core.contacts import contact_key
from frontdesk.features.sheet_sync.cells import ReadRow
from frontdesk.features.sheet_sync.model import SheetProblem
from frontdesk.features.sheet_sync.schema import EMAIL, MOBILE, NAME, Columns, Fields, TableRow
from frontdesk.values import Frozen


class RowMatches(Frozen):
    """The result: each row of the sheet is in one of these groups."""

    known: tuple[tuple[ReadRow, TableRow], ...]
    fresh: tuple[ReadRow, ...]
    """Rows of new people."""
    unknown: tuple[ReadRow, ...]
    """Rows that cannot be read and match nobody in the table."""
    duplicates: tuple[SheetProblem, ...]


def match(seen: Sequence[ReadRow], ours: Sequence[TableRow], columns: Columns) -> RowMatches:
    """Matches rows one to one. If an id occurs twice, only one row keeps it."""
    owners = _owners(seen, {one.id: one for one in ours})
    owners = _moved(owners, ours, columns)
    matching = _Matching(ours, owners, columns)
    without = [one for one in seen if one.line not in owners]
    for one in without:
        if not one.problems:
            matching.place(one)
    for one in without:
        if one.problems:
            matching.guess(one)
    return matching.result()


Owners = dict[int, tuple[ReadRow, TableRow]]
"""Matched rows by line."""


def _owners(seen: Sequence[ReadRow], by_id: dict[str, TableRow]) -> Owners:
    """If several rows have one id, the row with the person's contact keeps it, else the first."""
    rows: dict[str, list[ReadRow]] = {}
    for one in seen:
        if one.id in by_id:
            rows.setdefault(one.id, []).append(one)
    found = {}
    for row_id, several in rows.items():
        ours = by_id[row_id]
        owner = min(several, key=lambda one: (_key(one.fields) != _our_key(ours), one.line))
        found[owner.line] = (owner, ours)
    return found


def _moved(owners: Owners, ours: Iterable[TableRow], columns: Columns) -> Owners:
    """Follows a person who moved to another topic: their row there has another id, which is not in
    the sheet yet."""
    taken = {known.id for _, known in owners.values()}
    listed = {
        (one.person_id, one.topic): one for one in ours if one.is_listed and one.id not in taken
    }

    def now(seen: ReadRow, known: TableRow) -> TableRow:
        if known.is_listed:
            return known
        return listed.pop((known.person_id, columns.topic_of(seen.fields)), known)

    return {line: (seen, now(seen, known)) for line, (seen, known) in sorted(owners.items())}


class _Matching:
    """Matches the rows without an id, in the order of the sheet."""

    def __init__(self, ours: Sequence[TableRow], owners: Owners, columns: Columns) -> None:
        self._columns = columns
        self._known = dict(owners)
        self._lines = {known.id: line for line, (_, known) in owners.items()}
        self._people = {(_our_key(one), one.topic): one for one in ours if not one.is_erased}
        self._families = {
            (one.mobile, one.name.casefold(), one.topic): one for one in ours if one.mobile
        }
        self._by_trait = _by_trait(ours)
        self._fresh: dict[tuple[str, str], ReadRow] = {}
        self._unknown: list[ReadRow] = []
        self._duplicates: list[SheetProblem] = []

    def guess(self, one: ReadRow) -> None:
        """Matches a row with problems to a similar person who has no row now."""
        alike = (each for trait in _traits(one.fields) for each in self._by_trait.get(trait, ()))
        topic = self._columns.topic_of(one.fields)
        left = (each for each in alike if each.id not in self._lines and topic in ("", each.topic))
        if found := next(left, None):
            self._claim(one, found)
        else:
            self._unknown.append(one)

    def place(self, one: ReadRow) -> None:
        known = self._same(one.fields)
        who = (_key(one.fields), self._columns.topic_of(one.fields))
        other = self._lines.get(known.id) if known else _line(self._fresh.get(who))
        if other is not None:
            text = f"Row {other} is the same person for the same {self._columns.topic}."
            self._duplicates.append(SheetProblem(one.line, "", text))
        elif known is None:
            self._fresh[who] = one
        else:
            self._claim(one, known)

    def _claim(self, one: ReadRow, known: TableRow) -> None:
        self._known[one.line] = (one, known)
        self._lines[known.id] = one.line

    def _same(self, fields: Fields) -> TableRow | None:
        """Finds the same person. A family may share a number, so the name must match too."""
        topic = self._columns.topic_of(fields)
        found = self._people.get((_key(fields), topic))
        if found is not None or EMAIL in fields:
            return found
        return self._families.get((fields[MOBILE], fields[NAME].casefold(), topic))

    def result(self) -> RowMatches:
        known = tuple(self._known[line] for line in sorted(self._known))
        return RowMatches(
            known, tuple(self._fresh.values()), tuple(self._unknown), tuple(self._duplicates)
        )


Trait = tuple[str, str]


def _traits(fields: Fields) -> list[Trait]:
    """The values that identify a person, the most reliable first."""
    known = ((each, fields.get(each, "")) for each in (EMAIL, MOBILE, NAME))
    return [(key, text.casefold()) for key, text in known if text]


def _by_trait(ours: Sequence[TableRow]) -> dict[Trait, list[TableRow]]:
    found: dict[Trait, list[TableRow]] = {}
    for one in ours:
        if one.is_listed:
            for trait in _traits({EMAIL: one.email, MOBILE: one.mobile, NAME: one.name}):
                found.setdefault(trait, []).append(one)
    return found


def _line(seen: ReadRow | None) -> int | None:
    return None if seen is None else seen.line


def _key(fields: Fields) -> str:
    return contact_key(fields.get(EMAIL, ""), fields.get(MOBILE, ""))


def _our_key(ours: TableRow) -> str:
    return contact_key(ours.email, ours.mobile)
