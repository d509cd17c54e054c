"""Keeps a desk's table and a spreadsheet in step."""
