"""The version of fastmatch: its one place, from which packaging, signatures and saved results take it."""

from __future__ import annotations

__version__ = "1.0.0"
