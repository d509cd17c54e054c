"""Every rule of the house."""
