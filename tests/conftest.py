"""Ties tests to requirements in every run, and reports tests that were left out."""

import os
import zoneinfo
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.left_out import LeftOut
from tests.slow_files import SlowFiles
from tests.spec_coverage import SpecCoverage
from tests.support.dynamodb import _tables as _tables
from tests.support.dynamodb import dynamodb as dynamodb
from tests.support.shared_run import code as code
from tests.support.shared_run import run_folder as run_folder

#: Machines have different versions of the time zones. Tests and the processes that they start use
#: the locked package.
os.environ["PYTHONTZPATH"] = ""
zoneinfo.reset_tzpath(())

#: Examples may take long on a busy machine. The profile of CI also uses the same examples each
#: time.
settings.register_profile("desk", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("desk")

BROWSER_TESTS = Path(__file__).parent / "browser"


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(LeftOut())
    config.pluginmanager.register(SlowFiles())
    config.pluginmanager.register(SpecCoverage(config.rootpath / "docs" / "requirements"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Restores the groups of tests: xdist 3.8 writes them to an attribute that pytest 9.2 does not
    read."""
    for item in items:
        if "_nodeid" in vars(item) and hasattr(item, "_id"):
            item._id = type(item._id).parse(vars(item)["_nodeid"])


def pytest_itemcollected(item: pytest.Item) -> None:
    """Marks tests under browser/, which need a browser and run one after the other: two browsers at
    once are slow on few cores."""
    if item.path.is_relative_to(BROWSER_TESTS):
        item.add_marker(pytest.mark.needs("chromium"))
        item.add_marker(pytest.mark.xdist_group("browser"))
