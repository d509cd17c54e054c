"""What an event costs on AWS: counted requests times list prices."""
