"""Types and rules that all desks share. They are pure: no clock, no randomness, no I/O."""
