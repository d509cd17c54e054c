"""How Hypothesis runs here: a busy machine is no failure."""

from hypothesis import settings

settings.register_profile("core", deadline=None)
settings.load_profile("core")
