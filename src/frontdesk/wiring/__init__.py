"""Builds the product. Only this package chooses adapters; one module for each platform."""
