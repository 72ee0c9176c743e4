"""Labelled sheets as code: corpora adapters, splits and a synthetic generator."""
