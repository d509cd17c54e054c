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
ROUNDS: Final = 6
_MEASURE: Final = """
import time
began = time.process_time()
{code}
print(round((time.process_time() - began) * 1000))
"""


def _once(code: str) -> int:
    """Milliseconds of the processor, in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE.format(code=code)],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


def report(functions: tuple[str, ...] = FUNCTIONS) -> None:
    """At best of some rounds, each beside the limit, so that whatever else runs hits both."""
    for name in functions:
        rounds = [(_once(f"import frontdesk.aws.{name}"), _once(LIMIT)) for _ in range(ROUNDS)]
        own, limit = (min(each) for each in zip(*rounds, strict=True))
        print(f"cold import {name}: {own} ms, boto3 {limit} ms, ratio {own / limit:.1f}")


if __name__ == "__main__":
    report(tuple(sys.argv[1:]) or FUNCTIONS)
