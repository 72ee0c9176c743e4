"""Annotated sheet -> chunks that know the roles, one shape a file."""
