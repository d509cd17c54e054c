"""The rules of the admin desk: pure functions of a view, a command and the time."""
