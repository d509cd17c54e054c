"""Embeddings: texts as vectors, and the nearest known texts. One port, with adapters."""
