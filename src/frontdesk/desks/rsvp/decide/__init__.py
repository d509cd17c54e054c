"""The rules of the RSVP desk: pure functions of a view, a command and the time."""
