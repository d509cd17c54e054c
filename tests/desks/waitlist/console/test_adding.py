"""Staff add somebody: who that is, and whether anything can reach them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.desks.waitlist.console.counter import owner
from tests.desks.waitlist.console.office import ANN, ENTRIES, LIST, everybody, script
from tests.support.salon import salon as salon_at


@pytest.mark.spec("WL-16")
def test_who_gave_a_number_alone_is_shown_as_out_of_reach_where_no_texts_go_out(
    tmp_path: Path,
) -> None:
    with salon_at(tmp_path, texts_by="none") as salon:
        host = owner(salon)
        _, added = script(host, LIST, **ANN)
        ann = everybody(salon)[0].entry.id
        bob = salon.joins("Bob", mobile="+6591234567")

        assert added["says"] == (
            "On the list. They cannot be reached: no texts go out from here."
            " Please add an e-mail address."
        )
        sentence = "No texts go out from here, and they have given no e-mail address."
        assert sentence in host.get(f"{ENTRIES}/{ann}").text
        assert sentence not in host.get(f"{ENTRIES}/{bob}").text
