"""Compiled kernels: arrays in, arrays out. They know no metric by name and hold no Python objects in their loops."""
