"""Kernels that are compiled while the program runs, for functions of the user's. Imported only by who needs them."""
