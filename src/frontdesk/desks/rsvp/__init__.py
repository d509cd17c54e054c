"""The RSVP desk: manages the seats of an event and its waiting line."""
