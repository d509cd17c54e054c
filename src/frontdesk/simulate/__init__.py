"""Plays scenarios in virtual time, on the real engine and a real data file."""
