"""Chunks as the documents of other libraries, one a file."""
