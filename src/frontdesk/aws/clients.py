"""Clients of AWS services: each is created on first use, once for each container."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Final

from botocore.config import Config
from botocore.session import Session

from frontdesk.connect.models.port import QUICK_SECONDS, TIMEOUT_SECONDS

#: `script/package` puts shortened service descriptions here, with only the operations in use.
#: botocore has its own for all others.
SHORT: Final = Path(__file__).parent / "services"
_BOUNDED: Final = {"connect_timeout": 3, "read_timeout": 10}
_PATIENT: Final = Config(retries={"mode": "standard", "total_max_attempts": 4}, **_BOUNDED)
#: Services without automatic retries: the ledger decides whether a message is sent again, and
#: nobody waits twice for a model or for another function.
_ONCE: Final = {
    "ses": Config(retries={"total_max_attempts": 1}, **_BOUNDED),
    "sns": Config(retries={"total_max_attempts": 1}, **_BOUNDED),
    "lambda": Config(retries={"total_max_attempts": 1}, connect_timeout=3, read_timeout=24),
    "bedrock-runtime": Config(
        retries={"total_max_attempts": 1}, connect_timeout=3, read_timeout=TIMEOUT_SECONDS
    ),
    "bedrock-runtime/quick": Config(
        retries={"total_max_attempts": 1}, connect_timeout=3, read_timeout=QUICK_SECONDS
    ),
    # A request has several texts to embed: one retry each, and none takes long.
    "bedrock-runtime/embed": Config(
        retries={"total_max_attempts": 2}, connect_timeout=2, read_timeout=3
    ),
}


class Clients:
    """Thread-safe: creating a client in two threads at once is not. 'bedrock-runtime/quick' is a
    client of the same service with a shorter timeout; '@us-east-1' behind it is another region.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._session = Session()
        self._session.set_config_variable("data_path", str(SHORT))
        self._made: dict[str, Any] = {}

    def __call__(self, service: str) -> Any:
        with self._lock:
            if service not in self._made:
                kind, _, region = service.partition("@")
                config, name = _ONCE.get(kind, _PATIENT), kind.partition("/")[0]
                self._made[service] = self._session.create_client(
                    name, region_name=region or None, config=config
                )
            return self._made[service]


client: Final = Clients()

Call = Callable[[str, Mapping[str, Any]], None]


def function_arn(own_arn: str, function: str) -> str:
    """Returns the ARN of another function of this deployment."""
    return own_arn.partition(":function:")[0] + ":function:" + function


def caller(own_arn: str) -> Call:
    """Returns a function that calls another function of this deployment without waiting for it.

    AWS retries a call that fails, and finally puts it into the queue of failures.
    """

    def call(function: str, payload: Mapping[str, Any]) -> None:
        client("lambda").invoke(
            FunctionName=function_arn(own_arn, function),
            InvocationType="Event",
            Payload=json.dumps(payload).encode(),
        )

    return call


def time_left(context: Any, spare_milliseconds: int) -> Callable[[], bool]:
    """Returns a function that says whether the call has more time left than this."""
    return lambda: bool(context.get_remaining_time_in_millis() > spare_milliseconds)
