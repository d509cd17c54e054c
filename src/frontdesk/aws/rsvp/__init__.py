"""The functions of the RSVP desk alone."""
