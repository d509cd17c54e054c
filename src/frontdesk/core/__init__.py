"""Words that all desks share. Pure: no clock, no chance, no I/O."""
