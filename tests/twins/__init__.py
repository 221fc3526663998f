"""Slow, obviously right twins of the compiled kernels.

Everything here is written for reading, not for speed: plain Python, lists of string triples, double loops. Of
``fastmatch`` the modules take graphs and tables at most, so an error in the library cannot hide in its own judge. The
tests import them as ``twins.<name>`` (``tests/conftest.py`` puts the directory on the path).
"""
