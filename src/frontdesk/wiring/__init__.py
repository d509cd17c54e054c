"""Puts the product together. The only place that chooses adapters; one module for each home."""
