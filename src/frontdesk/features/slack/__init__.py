"""Posts news in a Slack channel and takes presses of its buttons."""
