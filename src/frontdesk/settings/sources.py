"""Reads settings from the environment, the file in the data directory, and Parameter Store."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from frontdesk.errors import BadSettings
from frontdesk.setting_values import toml_problem
from frontdesk.settings.all_settings import SECRET, SETTINGS, Settings

PREFIX = "FRONTDESK_"
FILE = "frontdesk.toml"


def load(environment: Mapping[str, str], **overrides: Any) -> Settings:
    """Reads all settings once, at the start. One error names every setting that is wrong."""
    data_dir = overrides.get("data_dir") or environment.get(PREFIX + "DATA_DIR") or "var"
    from_file = _read_file(Path(data_dir) / FILE)
    found: dict[str, Any] = {}
    problems = [f"{name} in {FILE} is not a setting" for name in from_file if name not in SETTINGS]
    for name, one in SETTINGS.items():
        if overrides.get(name) is not None:
            found[name] = overrides[name]
            continue
        where, text = _find(name, environment, from_file)
        if text is None:
            continue
        try:
            found[name] = one.parse(text)
        except (ValueError, KeyError):
            problems.append(_should_be(name, where, text))
    if problems:
        raise BadSettings("; ".join(problems))
    return Settings(**found)


def from_parameters(parameters: Mapping[str, str]) -> Settings:
    """Reads settings from Parameter Store, by their names with dashes; ignores other parameters."""
    found: dict[str, Any] = {}
    problems: list[str] = []
    names = {name.replace("_", "-"): name for name in SETTINGS}
    for parameter, text in parameters.items():
        if (name := names.get(parameter)) is None:
            continue
        try:
            found[name] = SETTINGS[name].parse(text)
        except (ValueError, KeyError):
            problems.append(_should_be(name, f"the parameter {parameter}", text))
    if problems:
        raise BadSettings("; ".join(problems))
    return Settings(**found)


def secret_settings(parameter: str, text: str) -> dict[str, str]:
    """Reads several settings from one encrypted parameter: a JSON object, by names with dashes."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise BadSettings(f"The parameter {parameter} should be a JSON object of texts.")
    return found


def _should_be(name: str, where: str, text: str) -> str:
    shown = "(not shown)" if name in SECRET else repr(text)
    return f"{where} should be {SETTINGS[name].expected}, not {shown}"


def _find(
    name: str, environment: Mapping[str, str], from_file: Mapping[str, Any]
) -> tuple[str, str | None]:
    variable = PREFIX + name.upper()
    if variable in environment:
        return variable, environment[variable]
    if name in from_file:
        value = from_file[name]
        return f"{name} in {FILE}", str(value).lower() if isinstance(value, bool) else str(value)
    return name, None


def _read_file(path: Path) -> Mapping[str, Any]:
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError:
        raise BadSettings(f"{FILE} cannot be read: it is not text in UTF-8.") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadSettings(f"{FILE} cannot be read: {toml_problem(error)}.") from None
