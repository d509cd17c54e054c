"""Composes the parts of the deployment into one CloudFormation template.

`deploy/aws/parts/` has a file for each desk, one for the console and one for what all desks share.
Parts are merged: mappings key by key, lists one after the other. So a desk's part can also say what
functions of other parts may do with its tables. `deploy/aws/patterns.yaml` expands the
abbreviations in parts.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, reduce
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor
from ruamel.yaml.nodes import ScalarNode, SequenceNode

from frontdesk.store.dynamodb.schema import TABLES, Table, create_request

FOLDER: Final = Path(__file__).parents[1] / "deploy" / "aws"
PATTERNS: Final = FOLDER / "patterns.yaml"
PARTS: Final = FOLDER / "parts"

Node = dict[str, Any]

#: The sections of a part that CloudFormation also has, in the order of the template.
SECTIONS: Final = (
    *("AWSTemplateFormatVersion", "Transform", "Description", "Parameters", "Rules", "Mappings"),
    *("Conditions", "Globals", "Resources", "Outputs"),
)
#: The sections that patterns expand. A section whose patterns add entries to others comes first.
ABBREVIATED: Final = (
    *("Functions", "Schedules", "MailBuckets", "Buckets", "Settings"),
    *("Budgets", "MailedTopics", "Topics", "Alarms", "LogMetrics"),
)
#: The sections that `compose` reads.
OTHERS: Final = ("Tables", "Policies", "CalledByTimers")
#: Approximate lengths in a role: the name of a table, and a statement without actions and tables.
ARN_CHARACTERS: Final = 75
STATEMENT_CHARACTERS: Final = 50
RULES: Final = "arn:${AWS::Partition}:events:${AWS::Region}:${AWS::AccountId}:rule"


class BadPart(Exception):
    """A part cannot be read, or two parts contradict each other."""


def application() -> Node:
    """Returns all parts as one template, with long forms (`Fn::GetAtt`) for short ones."""
    return compose(read(path) for path in sorted(PARTS.glob("*.yaml")))


def write_template(path: Path) -> None:
    """Writes JSON, which every version of YAML reads in the same way."""
    path.write_text(json.dumps(application(), indent=1) + "\n", "utf-8")


def compose(parts: Iterable[Node]) -> Node:
    whole: Node = reduce(merged, parts, {})
    if unknown := whole.keys() - {*SECTIONS, *ABBREVIATED, *OTHERS}:
        raise BadPart(f"unknown sections: {sorted(unknown)}")
    whole = merged(whole, {"Resources": dict(map(table, whole.pop("Tables", ())))})
    calls = {
        "CalledByTimers": whole.pop("CalledByTimers", []),
        "Rules": [{"Fn::Sub": f"{RULES}/{each}"} for each in called_by(whole, "Rule")],
        "Topics": [{"Ref": each} for each in called_by(whole, "Topic")],
    }
    whole["Resources"] = fill(whole["Resources"], calls)
    policies = whole.pop("Policies", {})
    for section in ABBREVIATED:
        made: Node = {}
        for name, entry in whole.pop(section, {}).items():
            if section == "Functions":
                made = merged(made, function(name, entry, policies))
            else:
                made = merged(made, expanded(patterns()[section], {"Id": name, **entry}, name))
        whole = merged(made, whole)
    return {name: with_statements(whole[name]) for name in SECTIONS if name in whole}


def called_by(whole: Node, kind: str) -> Iterator[str]:
    """Yields the rules or topics that call functions and put failed calls into the queue."""
    for entry in whole.get("Functions", {}).values():
        yield from (event[kind] for event in entry.get("Events", {}).values() if kind in event)


def table(logical: str) -> tuple[str, Node]:
    """Returns a table as the store expects it. Tables with expiring rows are deleted with the
    stack; all others are retained.
    """
    name = lowered(logical, "-")
    found = next((each for each in TABLES if each.name == name), None)
    if found is None:
        raise BadPart(f"the store has no table {name}")
    kept = ("Delete", "Delete") if found.expires else ("RetainExceptOnCreate", "Retain")
    return logical, {
        "Type": "AWS::DynamoDB::Table",
        "DeletionPolicy": kept[0],
        "UpdateReplacePolicy": kept[1],
        "Properties": table_properties(found),
    }


def table_properties(table: Table) -> Node:
    properties = dict(create_request(table))
    if table.stream:
        properties["StreamSpecification"] = {"StreamViewType": "NEW_AND_OLD_IMAGES"}
    if table.expires:
        expires = {"AttributeName": "expires_at", "Enabled": True}
        return properties | {"TimeToLiveSpecification": expires}
    recovery = {"PointInTimeRecoveryEnabled": True}
    return properties | {"PointInTimeRecoverySpecification": recovery}


def function(name: str, entry: Node, policies: Node) -> Node:
    """Returns a function with its log and role; it may do what its entry says."""
    entry = dict(entry)
    events, retries = entry.pop("Events", {}), entry.pop("Retries", None)
    streams = [f"{each['Stream']}.StreamArn" for each in events.values() if "Stream" in each]
    shared = [*entry.pop("Policies", [])]
    shared += ["Streams", "FindStreams"] if streams else []
    shared += ["Failures"] if streams or retries is not None else []
    given: Node = {"Id": name, "name": lowered(name, "-"), "handler": lowered(name, "_")}
    given["Statement"] = {
        "Log": fill(policies["Log"], given),
        **{each: fill(policies[each], {"Streams": streams}) for each in shared},
        **entry.pop("May", {}),
    }
    if events:
        given["Events"] = {each: event(each, events[each]) for each in events}
    if retries is not None:
        given["EventInvokeConfig"] = fill(patterns()["EventInvokeConfig"], {"Retries": retries})
    url = expanded(patterns()["Urls"], {"Id": name}, name) if entry.pop("Url", None) else {}
    made: Node = merged(expanded(patterns()["Functions"], given | entry, name), url)
    return made


def event(name: str, entry: Node) -> Node:
    [kind] = entry.keys() & patterns()["Events"].keys()
    filters = [{"Pattern": json.dumps(each)} for each in entry.get("Filters", {}).values()]
    given = entry | {"Filters": filters} if filters else entry
    return expanded(patterns()["Events"][kind], given, name)


def with_statements(node: Any) -> Any:
    """Lists statements. In parts they are mappings by Sid, so that parts can be merged."""
    match node:
        case {"Statement": dict(statements), **others}:
            listed = [statement(sid, given) for sid, given in grouped(statements).items()]
            return {**others, "Statement": with_statements(listed)}
        case dict():
            return {key: with_statements(value) for key, value in node.items()}
        case list():
            return [with_statements(each) for each in node]
        case _:
            return node


def grouped(statements: Node) -> Node:
    """Groups tables by their verbs, since AWS limits the length of a role."""
    verbs = patterns()["Verbs"]
    by_table: dict[str, list[str]] = {}
    for verb in verbs:
        for each in statements.get(verb, ()):
            by_table.setdefault(each, []).append(verb)
    groups: dict[tuple[str, ...], list[str]] = {}
    for each, its in with_all_indexes(by_table).items():
        groups.setdefault(tuple(its), []).append(each)
    made = {
        "".join(its): {"Action": actions(its), "Resource": tables}
        for its, tables in shortened(groups).items()
    }
    return {sid: given for sid, given in statements.items() if sid not in verbs} | made


def with_all_indexes(by_table: dict[str, list[str]]) -> dict[str, list[str]]:
    """Replaces the indexes of a table by one wildcard where all of them have the same
    permissions."""
    found = dict(by_table)
    for table in dict.fromkeys(each.partition("/")[0] for each in by_table if "/" in each):
        listed = [f"{table}/{index}" for index in indexes_of(table)]
        verbs = [by_table.get(each, []) for each in listed]
        if len(listed) > 1 and verbs[0] and all(each == verbs[0] for each in verbs):
            found = {each: its for each, its in found.items() if each not in listed}
            found[f"{table}/*"] = verbs[0]
    return found


def indexes_of(logical: str) -> list[str]:
    name = lowered(logical, "-")
    return [
        index for each in TABLES if each.name == name for index, _ in (*each.local, *each.global_)
    ]


def shortened(groups: dict[tuple[str, ...], list[str]]) -> dict[tuple[str, ...], list[str]]:
    """Moves tables into two other groups that have the same verbs together, if the text gets
    shorter."""
    left = {its: list(tables) for its, tables in groups.items()}
    for its in sorted(groups, key=len, reverse=True):
        smaller = [each for each in left if set(each) < set(its)]
        pairs = [pair for pair in combinations(smaller, 2) if set(its) == {*pair[0], *pair[1]}]
        alone = sum(len(each) + 3 for each in actions(its)) + STATEMENT_CHARACTERS
        if pairs and ARN_CHARACTERS * len(left[its]) < alone:
            tables = left.pop(its)
            for other in pairs[0]:
                left[other] += tables
    return left


def actions(verbs: Iterable[str]) -> list[str]:
    return [action for verb in verbs for action in as_list(patterns()["Verbs"][verb])]


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def statement(sid: str, given: Any) -> Node:
    """Builds a statement from `given`, which has Action and Resource. Only policies of resources
    name their statements: AWS limits the length of a role."""
    given = dict(given) if isinstance(given, dict) else {"Resource": given}
    if "Action" not in given:
        raise BadPart(f"the statement {sid} has no action")
    if "Resource" in given:
        given["Resource"] = arn(given["Resource"])
    if "OnAnEmulator" in given:
        there = given.pop("OnAnEmulator")
        given["Resource"] = {"Fn::If": ["OnAnEmulator", there, given["Resource"]]}
    named = {"Sid": sid} if "Principal" in given else {}
    return {**named, "Effect": "Allow", **given}


def arn(resource: Any) -> Any:
    """Expands `Table`, `Table/index`, `Secret.Id`, `s3://bucket/key` and `/parameter`."""
    match resource:
        case list():
            return [arn(each) for each in resource]
        case str() if resource.startswith("s3://"):
            bucket, slash, key = resource.removeprefix("s3://").partition("/")
            name = f"{bucket}-${{AWS::AccountId}}${{BucketSuffix}}"
            return {"Fn::Sub": f"arn:${{AWS::Partition}}:s3:::{name}{slash}{key}"}
        case str() if resource.startswith("/"):
            account = "${AWS::Region}:${AWS::AccountId}"
            return {"Fn::Sub": f"arn:${{AWS::Partition}}:ssm:{account}:parameter{resource}"}
        case str() if "/" in resource:
            logical, _, index = resource.partition("/")
            return {"Fn::Sub": f"${{{logical}.Arn}}/index/{index}"}
        case str() if resource != "*":
            logical, _, attribute = resource.partition(".")
            return {"Fn::GetAtt": [logical, attribute or "Arn"]}
        case _:
            return resource


# Reading and merging


class _Constructor(SafeConstructor):
    """Expands short forms of CloudFormation (`!Ref`) to long ones."""


def _long_form(constructor: Any, suffix: str, node: Any) -> Node:
    match node:
        case ScalarNode():
            value: Any = constructor.construct_scalar(node)
        case SequenceNode():
            value = constructor.construct_sequence(node, deep=True)
        case _:
            value = constructor.construct_mapping(node, deep=True)
    if suffix == "GetAtt":
        value = value.split(".", 1)
    return {suffix if suffix in ("Ref", "Condition") else f"Fn::{suffix}": value}


_Constructor.add_multi_constructor("!", _long_form)


def read(path: Path) -> Node:
    return parse(path.read_text("utf-8"))


def parse(text: str) -> Node:
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = _Constructor
    found: Node = yaml.load(text)
    return found


@cache
def patterns() -> Node:
    return read(PATTERNS)


def merged(one: Any, other: Any, where: str = "") -> Any:
    match one, other:
        case dict(), dict():
            shared = [key for key in one if key in other]
            both = {key: merged(one[key], other[key], f"{where}/{key}") for key in shared}
            return one | other | both
        case list(), list():
            return one + other
        case _:
            raise BadPart(f"{where} is in two parts")


# Patterns

_ABSENT: Final = object()
_PLACEHOLDER: Final = re.compile(r"<(\w+)(?:=(.*?))?>")


def expanded(pattern: Node, given: Node, name: str) -> Node:
    known = {found for found, _ in _PLACEHOLDER.findall(json.dumps(pattern))}
    if unknown := given.keys() - known:
        raise BadPart(f"{name} has unknown keys: {sorted(unknown)}")
    filled: Node = fill(pattern, given)
    return filled


def fill(node: Any, given: Mapping[str, Any]) -> Any:
    match node:
        case str():
            whole = _PLACEHOLDER.fullmatch(node)
            if whole:
                return value_of(whole, given)
            return _PLACEHOLDER.sub(lambda found: required(found, given), node)
        case dict():
            filled = {fill(key, given): fill(value, given) for key, value in node.items()}
            kept = {key: value for key, value in filled.items() if value is not _ABSENT}
            if filled and not kept:
                raise BadPart(f"missing: {node}")
            return kept
        case list():
            return [each for each in (fill(each, given) for each in node) if each is not _ABSENT]
        case _:
            return node


def value_of(placeholder: re.Match[str], given: Mapping[str, Any]) -> Any:
    key, default = placeholder.groups()
    if key in given or default is None:
        return given.get(key, _ABSENT)
    return int(default) if default.isdigit() else default.strip('"')


def required(placeholder: re.Match[str], given: Mapping[str, Any]) -> str:
    value = value_of(placeholder, given)
    if value is _ABSENT:
        raise BadPart(f"{placeholder[1]} is missing")
    return str(value)


def lowered(name: str, between: str) -> str:
    """`FdTimerSync` gives `fd-timer-sync`."""
    return re.sub(r"(?<!^)(?=[A-Z])", between, name).lower()
