"""Scores of corpora, alignments of pairs, comparisons of systems, and how far a score may be trusted."""
