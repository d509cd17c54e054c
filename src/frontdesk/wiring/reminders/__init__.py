"""Builds the reminders desk."""
