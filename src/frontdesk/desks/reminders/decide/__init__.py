"""Decisions of the reminders desk."""
