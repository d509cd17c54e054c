"""The waitlist desk: a slot that frees up finds the next suitable person, one at a time."""
