"""Reads the templates as CloudFormation would: short forms like `!Ref` become long ones."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from script.aws_template import PARTS, PATTERNS, application, indexes_of, read

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "aws"
Node = dict[str, Any]

ALL = ".Arn}/index/*"
#: The folder of the parts stands for the template that they form.
APPLICATION = PARTS
WRITTEN = (*sorted(PARTS.glob("*.yaml")), PATTERNS)
SES_RULES = FOLDER / "ses-rules.yaml"
GITHUB_ROLE = FOLDER / "github-role.yaml"


@cache
def template(path: Path = APPLICATION) -> Node:
    return application() if path == APPLICATION else read(path)


def resources(kind: str, path: Path = APPLICATION) -> dict[str, Node]:
    """Returns all resources of this type by logical name."""
    return {
        name: each for name, each in template(path)["Resources"].items() if each["Type"] == kind
    }


def properties(kind: str, path: Path = APPLICATION) -> dict[str, Node]:
    return {name: each["Properties"] for name, each in resources(kind, path).items()}


def functions() -> dict[str, Node]:
    """Returns the functions by logical name, with their common properties."""
    common = template()["Globals"]["Function"]
    return {name: common | each for name, each in properties("AWS::Serverless::Function").items()}


def named(name: str) -> Node:
    found: Node = template()["Resources"][name]["Properties"]
    return found


def attribute(name: str, which: str = "Arn") -> Node:
    return {"Fn::GetAtt": [name, which]}


def statements(role: Node) -> list[Node]:
    """Returns the statements of its policies on AWS; the emulator may use others."""
    return [
        {key: each_index(on_aws(value)) for key, value in each.items()}
        for policy in role.get("Policies", ())
        for each in policy["PolicyDocument"]["Statement"]
    ]


def each_index(value: Any) -> Any:
    """Lists the indexes of a table, which a role names as one."""
    if not isinstance(value, list):
        return value
    found = []
    for one in value:
        table, _, index = (one.get("Fn::Sub", "") if isinstance(one, dict) else "").partition(ALL)
        names = indexes_of(table.removeprefix("${")) if table and not index else []
        found += [{"Fn::Sub": f"{table}.Arn}}/index/{name}"} for name in names] or [one]
    return found


def on_aws(value: Any) -> Any:
    match value:
        case {"Fn::If": ["OnAnEmulator", _there, here]}:
            return here
        case _:
            return value


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def may(role: Node, action: str) -> list[Any]:
    """Returns the resources on which this role allows an action."""
    return [
        resource
        for each in statements(role)
        if action in listed(each["Action"])
        for resource in listed(each.get("Resource") or {"all but": each["NotResource"]})
    ]


def role_of(function: Node) -> Node:
    logical, _arn = function["Role"]["Fn::GetAtt"]
    return named(logical)


def events(kind: str) -> Iterator[tuple[Node, Node]]:
    """Yields each function with each of its triggers of this type."""
    for function in functions().values():
        for event in function.get("Events", {}).values():
            if event["Type"] == kind:
                yield function, event["Properties"]
