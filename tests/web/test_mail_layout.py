"""The HTML of mails, cached without their links."""

from __future__ import annotations

import re

from frontdesk.core.wording import Wording
from frontdesk.web.mail_layout import MailBody, MailFrame, lay_out

WORDING = Wording(
    "You're in",
    """
# You're in, {{ name }}.

Your seat is confirmed.

See my ticket:
{{ manage_link }}

Can't make it? Cancel:
{{ cancel_link }}
""",
)


def laid_out(*links: str, unsubscribe: str = "", name: str = "Ann") -> MailBody:
    manage, cancel = links
    values = {"name": name, "manage_link": manage, "cancel_link": cancel}
    frame = MailFrame(
        business="The Long Table", what=None, why="You signed up.", unsubscribe=unsubscribe
    )
    return lay_out(WORDING, values, frame)


def mail(*links: str, unsubscribe: str = "", name: str = "Ann") -> str:
    return laid_out(*links, unsubscribe=unsubscribe, name=name).html


def hrefs(html: str) -> list[str]:
    return re.findall(r'href="([^"]*)"', html)


def test_each_mail_has_its_own_links_in_their_places() -> None:
    ann, bob = mail("/l/a", "/l/b"), mail("/l/c", "/l/d", unsubscribe="/l/e")

    assert (hrefs(ann), hrefs(bob)) == (["/l/a", "/l/b"], ["/l/c", "/l/d", "/l/e"])
    assert mail("/l/a", "/l/b") == ann


def test_each_mail_has_its_own_words() -> None:
    ann, bob = (mail("/l/a", "/l/b", name=name) for name in ("Ann", "Bob & <b>Co</b>"))

    assert bob == ann.replace("Ann", "Bob &amp; &lt;b&gt;Co&lt;/b&gt;")


def test_a_link_cannot_leave_its_attribute() -> None:
    html = mail('/l/a"><script>', "/l/b?x=1&y=2")

    assert hrefs(html) == ["/l/a&#34;&gt;&lt;script&gt;", "/l/b?x=1&amp;y=2"]


def test_the_text_has_the_links_as_they_are() -> None:
    text = laid_out("/l/a?x=1&y=2", "/l/b", unsubscribe="/l/c").text

    assert "See my ticket:\n/l/a?x=1&y=2\n\nCan't make it? Cancel:\n/l/b\n\n-- \n" in text
    assert text.endswith("Get no more mail like this:\n/l/c\n")


def test_a_link_without_an_address_is_left_out() -> None:
    full, partial = laid_out("/l/a", "/l/b"), laid_out("/l/a", "")

    assert hrefs(partial.html) == ["/l/a"]
    assert partial.text == full.text.replace("Can't make it? Cancel:\n/l/b\n\n", "")


def test_a_name_that_looks_like_a_placeholder_stays_a_name() -> None:
    text = laid_out("/l/a", "/l/b", name="{{ manage_link }}").text

    assert text.startswith("You're in, {{ manage_link }}.\n")
