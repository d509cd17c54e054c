"""Demo messages to the studio: requests by mail, and answers by SMS."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from operator import attrgetter

from frontdesk.core.messages import IncomingText
from frontdesk.core.people import PersonId
from frontdesk.desks.waitlist.commands import ApproveProposal, JoinList
from frontdesk.desks.waitlist.load import waitlist
from frontdesk.desks.waitlist.model import EntryId, Lane, Wish
from frontdesk.embedded.demo.studio import DemoScene, Studio, writes
from frontdesk.features.proposals.model import ProposalStatus
from frontdesk.intake.sms import TextIn
from frontdesk.simulate.runtime import Simulation

APPROVED, CLEAR, VAGUE = "Dara Lim", "Noor Haddad", "Wim de Vries"

_ASKS_FOR_A_WHEEL = """\
Hi Mira,

could you put me down for a wheel hour, any day in the next three weeks? My number is
+1 212 555 0190.

Thanks, Dara
"""
_ASKS_FOR_A_LESSON = """\
Hello,

is there any chance of a private lesson with Jonas between {first} and {last}? Mornings would be
best. You can text me on +1 212 555 0191.

Warm wishes,
Noor Haddad
"""
_ASKS_FOR_A_TABLE = """\
Good day,

my daughter turns nine soon and would love to paint a mug with her friends, a party of five. Is
there something after school one of these days?

Wim
"""


_TO = attrgetter("waitlist_address")


def scenes(studio: Studio, asks: str, stops: str) -> Iterator[DemoScene]:
    """`asks` and `stops` are the numbers of two people on the list."""
    first, last = (studio.today + timedelta(days=days) for days in (3, 12))
    lesson = _ASKS_FOR_A_LESSON.format(first=f"{first:%-d %B}", last=f"{last:%-d %B}")
    yield DemoScene(
        studio.ago(days=5, hours=2), writes(APPROVED, _TO, "A wheel?", _ASKS_FOR_A_WHEEL)
    )
    yield DemoScene(studio.ago(days=5, hours=1), lambda stage: _approve(stage, studio))
    yield DemoScene(studio.ago(minutes=95), writes(CLEAR, _TO, "A lesson with Jonas", lesson))
    yield DemoScene(studio.ago(minutes=25), writes(VAGUE, _TO, "A birthday", _ASKS_FOR_A_TABLE))
    yield DemoScene(studio.ago(days=3), _texts(stops, "STOP"))
    yield DemoScene(studio.ago(minutes=30), _texts(asks, "Can I bring my sister to watch?"))


def _approve(stage: Simulation, studio: Studio) -> None:
    """Approves the first request as staff would."""
    engine = stage.product.engine
    [proposal] = waitlist(engine.reads()).proposals(ProposalStatus.OPEN, 10)
    until = studio.today + timedelta(days=16)
    wish = Wish(proposal.value("service"), 1, studio.today - timedelta(days=5), until)
    join = JoinList(
        EntryId(engine.new_id()),
        PersonId(engine.new_id()),
        APPROVED,
        proposal.value("email"),
        wish,
        Lane.INBOX,
        mobile=proposal.value("phone"),
    )
    stage.run(ApproveProposal(proposal.id, join), by=studio.owner)


def _texts(mobile: str, words: str) -> Callable[[Simulation], object]:
    def act(stage: Simulation) -> None:
        now = stage.clock.now()
        text = IncomingText(
            from_mobile=mobile, words=words, id=f"{mobile} {now.isoformat()}", at=now
        )
        TextIn(stage.product).take(text)

    return act
