"""Clients and formats of outside systems: mail, tables, calendars, models."""
