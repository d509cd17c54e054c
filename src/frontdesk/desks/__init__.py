"""The desks: one folder for each, with the same file names in every folder."""
