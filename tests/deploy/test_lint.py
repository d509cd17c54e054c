"""AWS's own tools find no problem in the templates. They need no account."""

import os
import subprocess
from pathlib import Path

import pytest

from script.aws_template import write_template
from tests.deploy.templates import GITHUB_ROLE, ROOT, SES_RULES

TOOLS = ROOT / ".venv-templates" / "bin"


@pytest.fixture(scope="session")
def tools() -> Path:
    subprocess.run([ROOT / "script" / "bootstrap", "templates"], check=True)
    return TOOLS


@pytest.fixture
def application(tmp_path: Path) -> Path:
    """The application as `script/package` writes it."""
    path = tmp_path / "template.json"
    write_template(path)
    return path


def said_by(*command: str | Path) -> str:
    offline = {
        "SAM_CLI_TELEMETRY": "0",
        "AWS_DEFAULT_REGION": "ap-southeast-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
    }
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | offline
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.spec("FD-18")
def test_cfn_lint_finds_no_problem(tools: Path, application: Path) -> None:
    templates = (application, SES_RULES, GITHUB_ROLE)

    assert said_by(tools / "cfn-lint", "--region", "ap-southeast-1", "--", *templates) == ""


@pytest.mark.spec("FD-18")
def test_sam_accepts_the_application(tools: Path, application: Path) -> None:
    assert said_by(tools / "sam", "validate", "--lint", "--template", application) == ""
