"""Syncs a desk's items with a calendar that others write.

A desk passes a `CalendarDesk`: what an event means, which items exist, and what to do about a new,
changed or missing event. It gets a `CalendarSync`, which fetches the calendar only when it has
changed, saves problems for staff, and stops and asks them if many items vanish at once. A desk that
only needs events, such as busy times, uses `CalendarReader` alone.
"""
