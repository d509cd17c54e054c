"""The reminders desk in Slack: its alerts to staff."""
