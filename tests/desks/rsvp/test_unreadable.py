"""The host's pages still work when the audit has facts that this version cannot read."""

from contextlib import closing
from pathlib import Path

import pytest

from tests.desks.rsvp.console_desk import console_desk

SAYS = "Something happened that this version of Frontdesk cannot read."


@pytest.mark.spec("FD-27")
def test_stories_and_the_audit_show_what_cannot_be_read_and_all_the_rest(tmp_path: Path) -> None:
    with console_desk(tmp_path) as console:
        desk, owner = console.desk.given(cap=2, confirmed=["ann"]), console.owner()
        with closing(desk._db()) as db, db:
            for kind in ("ev.cancelled", "ev.painted"):
                db.execute(
                    "INSERT INTO fd_fact (at, by, desk, kind, subject, about, body)"
                    " VALUES (1, 'cli', 'ev', ?, ?, ?, '{')",
                    (kind, desk.event_id, desk.id("ann")),
                )

        for page in ("", "/story", f"/story?guest={desk.id('ann')}", "/audit"):
            shown = owner.get(console.url + page)
            assert shown.status == 200
            assert ("ev.painted" if page == "/audit" else SAYS) in shown.says, page
        assert SAYS in owner.get(console.guest_url("ann")).says
        desk.settle()
