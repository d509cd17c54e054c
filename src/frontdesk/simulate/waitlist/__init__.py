"""Days and months of a waitlist in virtual time."""
