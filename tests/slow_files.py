"""Reports at the end of a long run which files and groups were slowest, and when each ended."""

import re
import time
from collections import Counter, defaultdict

import pytest

#: Shorter runs need no table.
LONG_RUN_SECONDS = 300.0
ROWS = 12
#: pytest-xdist appends the group of a test to its name.
GROUP = re.compile(r"@([\w-]+)$")


class SlowFiles:
    """Sums up durations as a pytest plugin. A test of a group counts for its group, others for
    their file."""

    def __init__(self, long_run_seconds: float = LONG_RUN_SECONDS) -> None:
        self.long_run_seconds = long_run_seconds
        self.began_at = time.monotonic()
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.tests: Counter[str] = Counter()
        self.ended: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        group = GROUP.search(report.nodeid)
        name = f"group {group[1]}" if group else report.nodeid.partition("::")[0]
        self.seconds[name] += report.duration
        self.tests[name] += report.when == "call"
        self.ended[name] = time.monotonic() - self.began_at

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if time.monotonic() - self.began_at < self.long_run_seconds:
            return
        terminalreporter.write_line("seconds  tests  ended at  slowest files and groups")
        for name in sorted(self.seconds, key=self.seconds.__getitem__, reverse=True)[:ROWS]:
            counted = f"{self.seconds[name]:7.0f} {self.tests[name]:6d} {self.ended[name]:9.0f}"
            terminalreporter.write_line(f"{counted}  {name}")
