"""Builds the waitlist desk and its parts on one machine and on AWS."""
