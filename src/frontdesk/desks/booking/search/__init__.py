"""Slot search: five filters, each of which can be inspected."""
