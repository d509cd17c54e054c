"""Decisions of the booking desk."""
