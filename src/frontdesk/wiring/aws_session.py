"""Amazon's services from one machine, with its usual ways to name a region and to sign in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from frontdesk.errors import BadSettings

if TYPE_CHECKING:
    from botocore.session import Session

NO_LIBRARY: Final = "{setting} needs boto3, which is not installed: pip install boto3."
NO_REGION: Final = "{setting} needs a region of AWS: set AWS_DEFAULT_REGION, like ap-southeast-1."


def session(setting: str) -> Session:
    """`setting` is what needs it, such as 'texts = sns': it is named if something is missing."""
    try:
        from botocore.session import Session
    except ModuleNotFoundError:
        raise BadSettings(NO_LIBRARY.format(setting=setting)) from None
    found = Session()
    if not found.get_config_variable("region"):
        raise BadSettings(NO_REGION.format(setting=setting))
    return found
