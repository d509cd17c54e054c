"""Clients of AWS's services: each made when it is first asked for, once for a container."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import Any, Final

from botocore.config import Config
from botocore.session import Session

from frontdesk.connect.models.port import QUICK_SECONDS, TIMEOUT_SECONDS

#: Where `script/package` leaves descriptions of services with the operations that are used alone.
#: For whatever is not there, botocore has its own.
SHORT: Final = Path(__file__).parent / "services"
_BOUNDED: Final = {"connect_timeout": 3, "read_timeout": 10}
_PATIENT: Final = Config(retries={"mode": "standard", "total_max_attempts": 4}, **_BOUNDED)
#: What must not be repeated behind our back: whether a message goes out again is for the ledger
#: to say, and nobody waits twice for a model or for another function.
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
}


class Clients:
    """For many threads: making one is not safe for two at once. 'bedrock-runtime/quick' is a client
    of the same service that waits less."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._session = Session()
        self._session.set_config_variable("data_path", str(SHORT))
        self._made: dict[str, Any] = {}

    def __call__(self, service: str) -> Any:
        with self._lock:
            if service not in self._made:
                config, name = _ONCE.get(service, _PATIENT), service.partition("/")[0]
                self._made[service] = self._session.create_client(name, config=config)
            return self._made[service]


client: Final = Clients()

Call = Callable[[str, Mapping[str, Any]], None]


def caller(own_arn: str) -> Call:
    """Returns what calls a function of this deployment by name, without waiting for it.

    AWS retries a call that fails there, and keeps it in the queue of failures in the end.
    """
    functions = own_arn.partition(":function:")[0] + ":function:"

    def call(function: str, payload: Mapping[str, Any]) -> None:
        client("lambda").invoke(
            FunctionName=functions + function,
            InvocationType="Event",
            Payload=json.dumps(payload).encode(),
        )

    return call
