"""Calendars: busy times, our own events, and events of staff. One port, with adapters."""
