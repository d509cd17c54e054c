"""The waitlist desk: offers each freed slot to the next suitable person, one at a time."""
