"""Reads calendars that others write."""
