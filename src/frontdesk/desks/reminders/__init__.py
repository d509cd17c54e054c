"""The reminders desk: reminds customers of appointments, takes answers by one tap, and reports
gaps.
"""
