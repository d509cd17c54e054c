"""Estimates the cost of an event or a month on AWS: counted requests times list prices."""
