"""The functions of the waitlist desk alone."""
