"""The version of fastmatch: its one place, from which packaging, signatures and saved results take it."""

from __future__ import annotations

__all__ = ["__version__"]

__version__ = "1.0.0"
