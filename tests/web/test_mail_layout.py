"""The HTML of a mail, which is cached without its links."""

from __future__ import annotations

import re

from frontdesk.core.wording import Action, FilledWording, Headline, Paragraph
from frontdesk.web.mail_layout import MailFrame, html_part


def mail(*links: str, unsubscribe: str = "", name: str = "Ann") -> str:
    manage, cancel = links
    blocks = (
        Headline(f"You're in, {name}."),
        Paragraph("Your seat is confirmed."),
        Action("", "See my ticket", manage),
        Action("Can't make it?", "Cancel", cancel),
    )
    frame = MailFrame(
        business="The Long Table", what=None, why="You signed up.", unsubscribe=unsubscribe
    )
    return html_part(FilledWording("You're in", blocks), frame)


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
