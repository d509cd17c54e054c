"""Channels for mail, SMS and Slack. Each has a folder that builds it, sends and maps failures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from frontdesk.values import Frozen


class AwsAccess(Frozen):
    """The AWS client and settings of the deployment, for channels on AWS."""

    client: Callable[[str], Any]
    """Returns the client of a service by its name. The client does not retry."""
    configuration_set: str = ""
    """The configuration set of SES that reports bounces."""
