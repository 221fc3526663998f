"""Slow, obviously right twins of the compiled kernels.

Everything here is written for reading, not for speed: plain Python, lists of string triples, double loops. No module
imports ``fastmatch``, so an error in the library cannot hide in its own judge. The tests import these modules as
``reference.<name>`` (``tests/conftest.py`` puts the directory on the path).
"""
