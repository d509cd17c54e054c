"""The functions of the booking desk alone."""
