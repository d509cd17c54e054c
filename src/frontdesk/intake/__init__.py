"""Takes in mail and texts, and hands each to the desk that it is for."""
