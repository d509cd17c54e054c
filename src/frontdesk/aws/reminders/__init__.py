"""The functions of the reminders desk alone."""
