"""Reads calendars that others write, and tells a desk which of their events are new or gone.

A desk hands over a `CalendarDesk`: what an event means, which items it made of events so far, and
what to do about one that is new, changed or gone. It gets a `CalendarSync`, which fetches the
calendar only when it has changed, saves problems for staff, and stops and asks them if most items
vanish at once. A desk that only needs events, such as busy times, uses `CalendarReader` alone.
"""
