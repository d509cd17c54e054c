"""The RSVP desk: seats at an event, and a line for when they run out."""
