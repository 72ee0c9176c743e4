"""Sheet -> the chunks of other tools, each from its source's own description, one a file."""
