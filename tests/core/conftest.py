"""Configures Hypothesis for these tests: a busy machine is no failure."""

from hypothesis import settings

settings.register_profile("core", deadline=None)
settings.load_profile("core")
