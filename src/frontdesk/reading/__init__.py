"""Reads a request that somebody wrote in their own words into proposed fields."""
