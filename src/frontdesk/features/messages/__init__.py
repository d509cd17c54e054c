"""Assembles mails and SMS from the messages that a desk declares."""
