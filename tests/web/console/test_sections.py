"""The console joins the sections of all desks."""

from __future__ import annotations

from frontdesk.web.console.sections import ConsoleSection, NavItem, SettingsLink, joined


def test_the_links_to_settings_name_their_desks_also_after_joining_twice() -> None:
    calendar = ConsoleSection(settings=(SettingsLink("Calendar", "Openings.", "/w/calendar"),))
    waitlist = ConsoleSection(
        nav=(NavItem("Waitlist", "/w", "line", 20),),
        settings=(SettingsLink("Services", "What people can wait for.", "/w/services"),),
    )
    booking = ConsoleSection(
        nav=(NavItem("Bookings", "/b", "bookings", 30),),
        settings=(SettingsLink("Services", "What customers can book.", "/b/services"),),
    )

    links = joined([joined([waitlist, calendar]), booking, calendar]).settings

    assert [(link.desk, link.label) for link in links] == [
        ("Waitlist", "Services"),
        ("Waitlist", "Calendar"),
        ("Bookings", "Services"),
        ("", "Calendar"),
    ]
