"""Workbooks and questions -> what every chunker finds, measured side by side."""
