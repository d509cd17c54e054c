"""Builds the booking desk, and binds it to the waitlist desk."""
