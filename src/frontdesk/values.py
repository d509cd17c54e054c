"""Immutable values: every value of the product is a frozen `msgspec.Struct`.

`replace` is `msgspec.structs.replace`; mypy knows it as `dataclasses.replace`, because only for
that one does it check the names and types of the fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, dataclass_transform

from msgspec import Struct, field

if TYPE_CHECKING:
    from dataclasses import replace
else:
    from msgspec.structs import replace

__all__ = ["Frozen", "field", "replace"]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen(Struct, frozen=True):
    """A struct whose fields cannot be assigned. It compares and hashes by its fields."""
