"""Channels: one folder for each, with how it is built, how it sends and what its failures mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frontdesk.values import Frozen


class AwsAccess(Frozen):
    """The AWS client and settings of the deployment, for channels on AWS."""

    client: Callable[[str], Any]
    """Gives a client of a service by its name. It does not repeat what fails."""
    configuration_set: str = ""
    """Of SES, which reports bounces by it."""
