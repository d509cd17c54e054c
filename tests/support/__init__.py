"""Helpers for tests of several areas."""
