"""Every rule of the admin desk."""
