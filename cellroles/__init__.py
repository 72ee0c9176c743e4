"""Workbook -> annotated sheet: read, predict roles, find tables, resolve header paths."""
