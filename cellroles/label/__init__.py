"""Predicted roles -> a workbook that a person corrects -> label files that train and score like any corpus."""
