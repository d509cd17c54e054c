"""The list as a file or a sheet elsewhere, which staff edit while we read and write it."""
