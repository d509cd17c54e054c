"""The reminders desk: appointments are remembered, answered with one tap, and gaps are known."""
