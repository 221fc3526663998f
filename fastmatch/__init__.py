"""Compare meaning graphs (AMR, UMR, any rooted labelled graph in Penman notation)."""

__version__ = "0.1.0"
