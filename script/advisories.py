"""Asks the OSV advisory service for known vulnerabilities of every locked package.

An empty answer may be an error. So the query includes an old package with known vulnerabilities; if
the answer does not name that package, the query has failed.
"""

import http.client
import json
import re
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SERVICE = "https://api.osv.dev/v1/querybatch"
KNOWN_TO_BE_WEAK = ("jinja2", "2.4.1")
PATIENCE_SECONDS = 10

Package = tuple[str, str]


def main() -> int:
    packages = [KNOWN_TO_BE_WEAK, *locked_packages()]
    try:
        found = ask(packages)
    except (urllib.error.URLError, http.client.HTTPException, OSError, ValueError) as error:
        print(f"not checked: the advisory service cannot be reached ({type(error).__name__})")
        return 0
    if not found.pop(KNOWN_TO_BE_WEAK, None):
        print("not checked: the advisory service did not name a weakness that is known")
        return 0
    for (name, version), ids in found.items():
        print(f"weak    {name} {version}: {', '.join(ids)}")
    print(f"{'FAILED' if found else 'ok    '}  audit ({len(packages) - 1} packages)")
    return 1 if found else 0


def locked_packages() -> list[Package]:
    text = (ROOT / "requirements-dev.txt").read_text()
    return re.findall(r"^([\w.-]+)==([^\s;\\]+)", text, re.MULTILINE)


def ask(packages: list[Package]) -> dict[Package, list[str]]:
    """Returns the ids of the advisories for each package that has any."""
    queries = [
        {"package": {"ecosystem": "PyPI", "name": name}, "version": version}
        for name, version in packages
    ]
    request = urllib.request.Request(SERVICE, data=json.dumps({"queries": queries}).encode())
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as response:
        answer: dict[str, Any] = json.load(response)
    results: list[dict[str, Any]] = answer.get("results", [])
    return {
        package: [advisory["id"] for advisory in result["vulns"]]
        for package, result in zip(packages, results, strict=True)
        if result.get("vulns")
    }


if __name__ == "__main__":
    sys.exit(main())
