"""The waitlist in a Slack channel: what staff should know, and the buttons under a request."""
