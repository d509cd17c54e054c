"""Takes in mail and texts, and passes each to its desk."""
