"""Tells which addresses lead to pages of a desk that is switched off."""

from __future__ import annotations

from collections.abc import Collection


def is_among(url: str, pages: Collection[str]) -> bool:
    """Whether the address is one of these pages, or below one of them."""
    return any(
        url == each or url.startswith((f"{each}/", f"{each}?", f"{each}#")) for each in pages
    )
