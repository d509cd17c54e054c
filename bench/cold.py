"""Measures the import time of each Lambda function, compared with that of boto3 alone.

It measures the code as deployed: from the folder of the zip, compiled, with boto3 beside it as in
the runtime.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from script.packaging import Target, compile_all, package

#: The modules with the handlers.
MODULES: Final = (
    "rsvp.pages",
    "waitlist.pages",
    "booking.pages",
    "booking.calendar",
    "reminders.pages",
    "reminders.tick",
    "console",
    "waitlist.slot_webhook",
    "waitlist.slack_press",
    "facts",
    "delivery",
    "timers",
    "jobs",
    "outbox",
    "schedules",
    "sweep",
    "incoming_mail",
    "incoming_sms",
    "drive_sync",
    "booking.config_sync",
    "calendar_sync",
)
#: The minimum for any Python function that calls DynamoDB.
LIMIT: Final = "import boto3; boto3.client('dynamodb', region_name='ap-southeast-1')"
ROUNDS: Final = 8
FEW_ROUNDS: Final = 3
#: Packages of the runtime; all others are in the zip.
RUNTIME: Final = ("boto3", "botocore", "dateutil", "jmespath", "s3transfer", "urllib3")
_MEASURE: Final = """
import time
began = time.process_time()
{code}
print((time.process_time() - began) * 1000)
"""


@contextmanager
def fresh_code() -> Iterator[Path]:
    """Builds the deployed code for this machine, with the runtime's packages beside it."""
    with tempfile.TemporaryDirectory(prefix="frontdesk-cold-") as folder:
        build = Path(folder)
        package(build, Target(f"{sys.version_info.major}.{sys.version_info.minor}"))
        add_runtime(build / "runtime")
        yield build


def add_runtime(place: Path) -> None:
    [installed] = {Path(each) for each in sys.path if each.endswith("site-packages")}
    place.mkdir()
    for name in RUNTIME:
        subprocess.run(["cp", "-r", str(installed / name), str(place)], check=True)
    subprocess.run(["cp", str(installed / "six.py"), str(place)], check=True)
    compile_all(place)


def clean(build: Path, code: str, environment: Mapping[str, str] | None = None) -> str:
    """Returns the output of the code in a fresh interpreter that finds nothing else."""
    paths = [str(build / "frontdesk-lambda"), str(build / "runtime")]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys\nsys.path[:0] = {paths}\n{code}"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], **(environment or {})},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def report(modules: tuple[str, ...] = MODULES) -> None:
    with fresh_code() as build:
        for name in modules:
            own, limit = both(build, f"import frontdesk.aws.{name}", ROUNDS)
            print(
                f"cold import {name}: {own:.0f} ms, boto3 {limit:.0f} ms, ratio {own / limit:.2f}"
            )


def ratio(build: Path, code: str, most: float) -> float:
    """Returns the best of a few rounds; does more if it exceeds `most`, since other load only
    adds."""
    own, limit = both(build, code, FEW_ROUNDS)
    if own / limit > most:
        own, limit = map(min, zip((own, limit), both(build, code, ROUNDS), strict=True))
    return own / limit


def both(build: Path, code: str, rounds: int) -> tuple[float, float]:
    """Returns the CPU milliseconds of the code and of the limit: the best of some rounds,
    alternating, so that other load affects both.
    """
    measured = [(_milliseconds(build, code), _milliseconds(build, LIMIT)) for _ in range(rounds)]
    own, limit = (min(each) for each in zip(*measured, strict=True))
    return own, limit


def _milliseconds(build: Path, code: str) -> float:
    return float(clean(build, _MEASURE.format(code=code)))


if __name__ == "__main__":
    report(tuple(sys.argv[1:]) or MODULES)
