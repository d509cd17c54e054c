"""Frontdesk: a front desk for small events and appointment businesses."""
