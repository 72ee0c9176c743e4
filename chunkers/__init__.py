"""Annotated sheet -> chunks."""
