"""A year of a clinic with all desks."""
