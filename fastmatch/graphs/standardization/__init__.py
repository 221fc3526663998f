"""Standardisation: steps that rewrite graphs, the presets of the published tools, and tables of reifications."""

from __future__ import annotations

from fastmatch.graphs.standardization.steps import PRESETS, STEPS, standardize

__all__ = ["PRESETS", "STEPS", "standardize"]
