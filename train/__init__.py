"""The research bench: training, cross-validation and reports of role models."""
