"""Read what ``fastmatch matrix`` and ``fastmatch search`` wrote to Parquet files. Needs pyarrow."""

from __future__ import annotations

from fastmatch.allpairs.parquet import read_neighbours, read_pairs

__all__ = ["read_neighbours", "read_pairs"]
