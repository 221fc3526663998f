"""Scores of aspects: how well predictions do in one thing at a time, such as negation or named entities."""
