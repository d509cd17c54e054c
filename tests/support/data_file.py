"""Reads and changes rows of a data file directly, without the product."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

NAME = "frontdesk.db"


def run_sql(path: Path, statement: str, *values: object) -> list[Any]:
    """Returns the rows of a query; commits a change. `path` is the file or its folder."""
    file = path / NAME if path.is_dir() else path
    with closing(sqlite3.connect(file)) as db, db:
        return db.execute(statement, values).fetchall()
