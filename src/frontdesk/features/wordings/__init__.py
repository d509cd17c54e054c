"""Wordings that the business can change, on pages or in one document."""
