"""The list as a sheet that staff edit: what it says, what we say, and what to do about both."""
