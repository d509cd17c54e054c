"""The address that the list has."""

from __future__ import annotations


def is_for(recipient: str, address: str) -> bool:
    """Whether it is this address, with or without a +tag."""
    local, _, domain = recipient.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}" == address.lower()
