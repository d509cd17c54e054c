"""What we read and write elsewhere: mail that comes in, lists, documents."""
