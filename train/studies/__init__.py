"""Questions about chunkers and their answers, each a command."""
