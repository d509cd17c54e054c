"""Every rule of the waitlist desk: pure functions of a view, a command and the time."""
