"""What we do: one folder per desk, the same files in each."""
