"""The product on AWS: one thin module for each function, and what they share."""
