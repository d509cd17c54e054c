"""Callbacks: people ask for a call, and get a mail an hour before. An example of a desk."""
