"""Records the finished journeys of a run. Several processes play journeys, each on its
deployment."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from frontdesk.values import Frozen
from tests.aws.grants import Grant, read_granted
from tests.aws.record import Record

HERE = Path(__file__).parent
#: The recorded requests of these journeys show which grants are needed.
JOURNEYS = {
    HERE / f"test_{name}.py"
    for name in (
        *("appointment_calendars", "booking", "booking_calendars"),
        *("booking_requests", "booking_staff"),
        *("counted", "journeys", "nothing_twice", "outside", "reminders", "waitlist"),
        "reminders_sources",
    )
}
#: No journey takes longer. If none ends for so long, a process has died.
LONGEST_SECONDS = 600.0


class Played(Frozen):
    """Reads and writes the records. `run_folder` is the same in all processes of a run."""

    run_folder: Path

    @property
    def _path(self) -> Path:
        return self.run_folder / "journeys"

    def add(self, journey: str, *, passed: bool) -> None:
        with self._path.open("a") as file:
            file.write(json.dumps([journey, passed]) + "\n")

    def outcomes(self) -> dict[str, bool]:
        """Returns whether each finished journey has passed."""
        lines = self._path.read_text().splitlines() if self._path.exists() else []
        return dict(map(json.loads, lines))

    def all_of(self, journeys: set[str], longest: float = LONGEST_SECONDS) -> dict[str, bool]:
        """Waits until these journeys are finished; returns whether each has passed."""
        over, give_up_at = self.outcomes(), time.monotonic() + longest
        while missing := sorted(journeys - over.keys()):
            assert time.monotonic() < give_up_at, f"these journeys do not end: {missing}"
            time.sleep(0.2)
            if (now := self.outcomes()) != over:
                over, give_up_at = now, time.monotonic() + longest
        return over

    def recorded(self) -> Iterator[dict[str, Any]]:
        """Yields the requests to the emulators of all deployments."""
        for path in self.run_folder.glob("aws-*/record"):
            yield from Record(path).rows()

    def granted(self) -> set[Grant]:
        """Returns the grants of the functions of the first deployment."""
        paths = self.run_folder.glob("aws-stack-*/granted")
        return {grant for path in paths for grant in read_granted(path)}
