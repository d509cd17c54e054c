"""The waitlist in Slack: its news, and the buttons of a request."""
