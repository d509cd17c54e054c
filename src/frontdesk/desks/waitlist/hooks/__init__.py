"""Webhooks with which booking tools report freed times."""
