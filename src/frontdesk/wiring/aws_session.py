"""Sessions with AWS on one machine, with the region and credentials of its environment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from frontdesk.errors import BadSettings

if TYPE_CHECKING:
    from botocore.session import Session

NO_LIBRARY: Final = "{setting} needs boto3, which is not installed: pip install boto3."
NO_REGION: Final = "{setting} needs a region of AWS: set AWS_DEFAULT_REGION, like ap-southeast-1."


def session(setting: str) -> Session:
    """`setting`, such as 'texts = sns', is named in the error if something is missing."""
    try:
        from botocore.session import Session
    except ModuleNotFoundError:
        raise BadSettings(NO_LIBRARY.format(setting=setting)) from None
    found = Session()
    if not found.get_config_variable("region"):
        raise BadSettings(NO_REGION.format(setting=setting))
    return found
