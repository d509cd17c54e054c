"""The zip for the functions holds what they import and nothing else, and is always the same."""

import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.session import Session
from jinja2 import Environment

from frontdesk.aws import clients
from frontdesk.web import renderer
from frontdesk.web.renderer import Branding, Renderer
from frontdesk.wiring.site import TEMPLATES
from script import packaged_templates, packaging
from tests.deploy.templates import FOLDER, functions, template
from tests.support.rsvp import NINE

#: The zip is unpacked once for all tests.
pytestmark = pytest.mark.xdist_group("package")

HANDLERS = sorted(each["Handler"] for each in functions().values())
#: For one machine, for development, or in the runtime already.
NOT_FOR_AWS = {
    *("aiosmtpd", "aiosmtplib", "boto3", "botocore", "h11", "httptools", "hypothesis", "pip"),
    *("playwright", "pytest", "setuptools", "uvicorn", "uvloop"),
}
OURS_NOT_FOR_AWS = (
    "cli",
    "embedded",
    "simulate",
    "store/sqlite",
    "channels/smtp",
    "connect/smtp_in",
)

ASKED = (
    *("bedrock-runtime", "dynamodb", "events", "lambda", "s3", "scheduler", "secretsmanager"),
    *("ses", "sns", "sqs", "ssm", "textract"),
)
LOOK = Branding("Frontdesk", "#2b50d8")

#: Its path has only the standard library, the folder of the zip, and the packages of the runtime. A
#: finder for boto3 replaces the runtime, so that no other package is found.
IMPORTER = """
import importlib, sys
from importlib.machinery import PathFinder

code, runtime, *handlers = sys.argv[1:]
allowed = {"boto3", "botocore", "s3transfer", "jmespath", "dateutil", "six", "urllib3"}

class Runtime:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in allowed and path is None:
            return PathFinder.find_spec(name, [runtime])
        return None

sys.path[:] = [code, *(each for each in sys.path if "site-packages" not in each and each)]
sys.meta_path.append(Runtime)
for handler in handlers:
    module, _, name = handler.rpartition(".")
    assert callable(getattr(importlib.import_module(module), name)), handler
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.fixture(scope="module")
def unpacked(code: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(code) as archive:
        archive.extractall(folder)
    return folder


def names(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def top_level(path: Path) -> Iterator[str]:
    for name in names(path):
        yield name.partition("/")[0].removesuffix(".py")


def imported(folder: Path, handlers: list[str]) -> set[str]:
    """Returns the packages that a clean interpreter has after it imported these handlers."""
    [runtime] = {each for each in sys.path if each.endswith("site-packages")}
    environment = {"AWS_DEFAULT_REGION": "ap-southeast-1", "FRONTDESK_MAIL_BUCKET": "none"}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", IMPORTER, folder, runtime, *handlers],
        capture_output=True,
        text=True,
        check=False,
        env=environment | {"PATH": os.environ["PATH"]},
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.spec("FD-18")
def test_every_function_can_be_imported_from_the_zip_alone(unpacked: Path) -> None:
    found = imported(unpacked, HANDLERS)
    assert {"frontdesk", "starlette", "botocore"} <= found
    assert found & (NOT_FOR_AWS - {"boto3", "botocore"}) == set()


def test_a_package_that_is_missing_in_the_zip_is_noticed(unpacked: Path, tmp_path: Path) -> None:
    thin = tmp_path / "thin"
    shutil.copytree(
        unpacked, thin, copy_function=os.link, ignore=shutil.ignore_patterns("starlette")
    )
    with pytest.raises(AssertionError, match="No module named 'starlette'"):
        imported(thin, ["frontdesk.aws.rsvp.pages.register"])


@pytest.mark.spec("FD-18")
def test_the_zip_has_nothing_that_only_one_machine_or_a_developer_needs(code: Path) -> None:
    assert set(top_level(code)) & NOT_FOR_AWS == set()
    assert [
        name
        for name in names(code)
        if name.startswith(tuple(f"frontdesk/{each}" for each in OURS_NOT_FOR_AWS))
    ] == []


def test_the_zip_has_the_modules_that_run_as_processes(code: Path) -> None:
    wanted = {f"{packaging.slashed(module)}.py" for module in packaging.STARTED}
    assert wanted
    assert wanted - set(names(code)) == set()


def test_pages_come_with_their_templates_and_pictures(code: Path) -> None:
    source = packaging.SOURCE / "frontdesk"
    wanted = {
        f"frontdesk/{path.relative_to(source).as_posix()}"
        for place in ("web", "desks")
        for path in (source / place).rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert len(wanted) > 50
    assert wanted - set(names(code)) == set()


def test_every_page_comes_compiled_and_says_what_its_template_says(
    unpacked: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = Renderer(LOOK, TEMPLATES)
    monkeypatch.setattr(renderer, "COMPILED", unpacked / "frontdesk" / "web" / "compiled")
    compiled = Renderer(LOOK, TEMPLATES)
    monkeypatch.setattr(Environment, "compile", None)
    pages = [name for name, _ in packaged_templates.pages(packaging.SOURCE)]
    assert len(pages) > 50
    assert {compiled.templates.get_template(name).name for name in pages} == set(pages)
    monkeypatch.undo()
    says = {"happened": "It broke.", "means": "Try again.", "way_out": None, "calm": True}
    values = {"page_title": "It broke.", **says}
    assert compiled.html("problem.html", NINE, "n", values) == written.html(
        "problem.html", NINE, "n", values
    )


@pytest.fixture
def short(unpacked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Creates clients from the files of the zip."""
    monkeypatch.setattr(clients, "SHORT", unpacked / "frontdesk" / "aws" / "services")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-southeast-1")


@pytest.mark.parametrize("region", ["ap-southeast-1", "us-east-1", "eu-central-1", "cn-north-1"])
def test_shortened_descriptions_keep_the_addresses_and_signatures_of_services(
    short: None, region: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", region)
    made, session = clients.Clients(), Session()
    for service in ASKED:
        ours, theirs = made(service), session.create_client(service)
        assert ours.meta.endpoint_url == theirs.meta.endpoint_url
        assert signing(ours) == signing(theirs)


def signing(client: Any) -> tuple[str, str, str]:
    signer = client._request_signer
    return signer.signing_name, signer.region_name, signer.signature_version


def test_services_are_described_as_far_as_the_code_calls_them(short: None) -> None:
    made = clients.Clients()
    assert made("ssm").meta.service_model.operation_names == [
        "GetParameter",
        "GetParametersByPath",
    ]
    assert made("ssm").can_paginate("get_parameters_by_path")
    assert made("dynamodb").meta.service_model.operation_names == [
        *("BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "PutItem", "Query", "Scan"),
        *("TransactWriteItems", "UpdateItem"),
    ]
    whole = set(Session().create_client("sqs").meta.service_model.operation_names)
    assert set(made("sqs").meta.service_model.operation_names) == whole


def test_the_code_in_the_zip_is_compiled(code: Path) -> None:
    modules = {name for name in names(code) if name.endswith(".py")}
    compiled = {name for name in names(code) if name.endswith(".pyc")}
    assert len(compiled) == len(modules) > 100


def test_packages_for_another_machine_are_those_of_the_lock_file_with_their_hashes() -> None:
    locked = packaging.locked(packaging.PACKAGES)
    lines = [line for line in locked.splitlines() if "==" in line]
    assert [line.partition("==")[0] for line in lines] == list(packaging.PACKAGES)
    assert [line for line in lines if ";" in line] == []
    assert locked.count("--hash=sha256:") >= len(lines)


def test_the_default_is_the_machine_that_the_template_names() -> None:
    words = packaging.download(packaging.Target("3.14", "aarch64"))
    assert words[words.index("--python-version") + 1] == "3.14"
    assert "manylinux2014_aarch64" in words
    assert "--require-hashes" in words


#: Imports nothing of what is named first, as if it were not installed; then packages.
PACKAGING = """
import sys
import tomllib

missing = set(sys.argv.pop(1).split())

class Missing:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in missing:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Missing)
from script.packaging import main
sys.exit(main())
"""


def versions(lock: str) -> dict[str, str]:
    text = (packaging.ROOT / lock).read_text("utf-8")
    return dict(re.findall(r"^([\w.-]+)==([^\s\\]+)", text, re.MULTILINE))


def modules_beside(lock: str) -> set[str]:
    """Returns installed modules that are not in this lock file."""
    locked = versions(lock).keys()
    return {
        module
        for module, names in importlib.metadata.packages_distributions().items()
        if not {re.sub(r"[-_.]+", "-", name).lower() for name in names} & {*locked, "frontdesk"}
    }


def packaged_with(lock: str, build: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PACKAGING, " ".join(modules_beside(lock))]
    return subprocess.run(
        [*command, "--local", "--build", str(build)],
        cwd=packaging.ROOT,
        env={**os.environ, "PYTHONPATH": "src"},
        capture_output=True,
        text=True,
    )


def test_the_template_is_beside_the_code_that_it_names_and_sam_finds_it(
    code: Path,
) -> None:
    config = tomllib.loads((FOLDER / "samconfig.toml").read_text("utf-8"))
    found = FOLDER / config["default"]["deploy"]["parameters"]["template_file"]
    written = json.loads(code.with_name(found.name).read_text("utf-8"))

    assert found.resolve().parent == packaging.BUILD
    assert written == template()
    assert written["Globals"]["Function"]["CodeUri"] == code.name


def test_packaging_needs_nothing_beside_its_own_lock_file(code: Path, tmp_path: Path) -> None:
    """Another process that packages the same sources gives the same bytes."""
    assert "pytest" in modules_beside("requirements-package.txt")

    done = packaged_with("requirements-package.txt", tmp_path)

    assert done.returncode == 0, done.stderr
    assert (tmp_path / code.name).read_bytes() == code.read_bytes()


def test_the_packages_to_serve_are_not_enough_to_package(tmp_path: Path) -> None:
    """The packages to serve do not include AWS's descriptions of its services."""
    done = packaged_with("requirements.txt", tmp_path)

    assert done.returncode == 1
    assert "ModuleNotFoundError: botocore" in done.stderr
    script = (packaging.ROOT / "script" / "package").read_text("utf-8")
    assert "script/bootstrap package" in script


def test_the_packaged_code_is_the_code_that_is_served_and_tested() -> None:
    package, dev = versions("requirements-package.txt"), versions("requirements-dev.txt")
    runtime = versions("requirements.txt")
    assert {name: dev[name] for name in package} == package
    assert {name: package[name] for name in packaging.PACKAGES} == {
        name: runtime[name] for name in packaging.PACKAGES
    }
