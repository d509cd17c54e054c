"""Calendars that others write and we read."""
