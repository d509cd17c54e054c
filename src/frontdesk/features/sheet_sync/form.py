"""A form for one row of a table: the text of its fields, and values that staff typed into it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from frontdesk.core.contacts import NO_CONTACT
from frontdesk.features.sheet_sync.cells import cell_text, read_row
from frontdesk.features.sheet_sync.layout import Layout
from frontdesk.features.sheet_sync.model import Row
from frontdesk.features.sheet_sync.schema import Fields, Schema
from frontdesk.values import Frozen

Values = dict[str, str]


class TypedRow(Frozen):
    """The values that were read, and a sentence for each wrong field."""

    fields: Fields
    errors: Mapping[str, str]


class RowForm(Frozen, dict=True):
    columns: Mapping[str, tuple[str, str]]
    """The column and the label of each field. 'mobile' and 'email' are the contact."""
    missing: Mapping[str, str]
    """The sentence for each field that must not be empty."""

    @cached_property
    def _layout(self) -> Layout:
        places = {column: place for place, (column, _) in enumerate(self.columns.values())}
        return Layout(0, places, len(self.columns), tuple(self.columns))

    def values_of(self, row: Any, schema: Schema) -> Values:
        """The text of each field of a row."""
        fields = schema.fields_of(row)
        return {field: cell_text(column, fields) for field, (column, _) in self.columns.items()}

    def read(self, values: Mapping[str, str], schema: Schema) -> TypedRow:
        """Reads values like a row of a sheet."""
        cells = tuple(values.get(field, "") for field in self.columns)
        read = read_row(Row(1, cells), self._layout, schema)
        errors = {
            field: sentence
            for field, sentence in self.missing.items()
            if self.columns[field][0] not in read.fields and not values.get(field, "").strip()
        }
        if not any(values.get(field, "").strip() for field in ("mobile", "email")):
            errors["mobile"] = NO_CONTACT
        for problem in read.problems:
            errors.setdefault(problem.column, problem.text)
        return TypedRow(read.fields, errors)
