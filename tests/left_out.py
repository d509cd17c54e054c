"""Leaves out tests whose tool is missing on this machine, and reports them at the end of the
run."""

import os
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
#: Finds a tool on the path or in an environment of `script/bootstrap`.
TOOL_PATH = os.pathsep.join(
    [
        os.environ.get("PATH", ""),
        *(f"{ROOT}/.venv-{name}/bin" for name in ("emulator", "templates")),
    ]
)


class LeftOut:
    """Handles `@pytest.mark.needs("chromium")`, which names a program, as a pytest plugin."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        missing = {item: tool for item in items if (tool := missing_tool(item))}
        self.counts.update(missing.values())
        if missing:
            config.hook.pytest_deselected(items=list(missing))
            items[:] = [item for item in items if item not in missing]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        to_controller = getattr(session.config, "workeroutput", None)
        if to_controller is not None:
            to_controller["left_out"] = dict(self.counts)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Takes the counts of one worker: every worker of pytest-xdist leaves out the same
        tests."""
        self.counts = Counter(getattr(node, "workeroutput", {}).get("left_out", self.counts))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        for tool, count in sorted(self.counts.items()):
            terminalreporter.write_line(f"left out: {count} tests (no {tool})", yellow=True)


def missing_tool(item: pytest.Item) -> str | None:
    needed = (tool for mark in item.iter_markers("needs") for tool in mark.args)
    return next((tool for tool in needed if shutil.which(tool, path=TOOL_PATH) is None), None)
