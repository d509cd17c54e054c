"""Frontdesk: bookings, reminders, a waitlist and guest lists for a small business."""
