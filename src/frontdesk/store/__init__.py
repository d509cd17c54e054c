"""The stores: one package for each database."""
