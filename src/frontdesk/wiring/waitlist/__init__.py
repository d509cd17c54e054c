"""Builds the waitlist desk, and what it has on one machine and on AWS."""
