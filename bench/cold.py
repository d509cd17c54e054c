"""How long a function needs before it can answer: its imports, beside those of every function."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

FUNCTIONS: Final = (
    "register",
    "link_handler",
    "fd_console",
    "fd_relay",
    "keeper",
    "messenger",
    "fd_timer_sync",
    "reminder_fire",
    "offer_timeout",
    "host_summary",
    "host_import",
    "intake_ses_parser",
    "ev_bounces",
    "fd_sweep",
)
#: What any function in Python that asks DynamoDB cannot do without.
LIMIT: Final = "import boto3; boto3.client('dynamodb', region_name='ap-southeast-1')"
ROUNDS: Final = 10
_MEASURE: Final = """
import time
began = time.process_time()
{code}
print(round((time.process_time() - began) * 1000))
"""


def milliseconds(code: str, rounds: int = ROUNDS) -> int:
    """Of the processor, at best: in a fresh interpreter each time."""
    return min(_once(code) for _ in range(rounds))


def _once(code: str) -> int:
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE.format(code=code)],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def main(functions: tuple[str, ...]) -> None:
    limit = milliseconds(LIMIT)
    for name in functions:
        own = milliseconds(f"import frontdesk.aws.{name}")
        print(f"cold import {name}: {own} ms, boto3 {limit} ms, ratio {own / limit:.1f}")


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or FUNCTIONS)
