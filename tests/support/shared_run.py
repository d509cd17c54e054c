"""Shares a folder and the packaged code, built once, among the processes of one test run."""

from __future__ import annotations

import sys
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

from script.packaging import Target, package

HERE = Target(f"{sys.version_info.major}.{sys.version_info.minor}")


@pytest.fixture(scope="session")
def run_folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of the whole run. With pytest-xdist, the folder of each process is inside
    it."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if hasattr(request.config, "workerinput") else own


@pytest.fixture(scope="session")
def code(run_folder: Path) -> Path:
    """Returns the zip of the functions for this machine, built from installed packages without
    network."""
    place = run_folder / "code"
    with (run_folder / "code.lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not place.exists():
            package(run_folder / "code-unfinished", HERE).parent.rename(place)
    return place / "frontdesk-lambda.zip"
