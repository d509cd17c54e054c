"""Calendars for any desk: items from events, busy times, and our events that staff change.

`sync`: a desk passes a `CalendarDesk`: what an event means, which items exist, and what to do about
a new, changed or missing event. It gets a `CalendarSync`, which fetches the calendar only when it
has changed, saves problems for staff, and stops and asks them if many items vanish at once.

`busy_cache`: a desk passes its calendars by name and gets a `BusyCache`. It reads each calendar at
most once in some minutes and saves the busy times; searches use `SavedBusyTimes`, which reads the
store alone.

`drift`: a desk passes the events that it expects and gets those that staff moved or deleted.
"""
