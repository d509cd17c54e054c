"""The booking desk: a request becomes a confirmed appointment."""
