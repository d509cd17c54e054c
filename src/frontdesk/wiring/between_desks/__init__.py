"""Flows between desks: a desk follows the facts of another. No desk imports another, so the flows
are bound here, and only here."""
