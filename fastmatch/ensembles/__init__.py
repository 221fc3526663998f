"""Many graphs of one sentence: choose one, vote, or make the graph with the best mean score.

Modules: `candidates` (what votes, and for which sentence), `labels` (their triples as numbers), `matching` (maps between
graphs of a sentence), `bounds` (what no graph can exceed), `merging` and `voting` (a better graph from given maps),
`search` (rounds of both), `drafts` (graphs in the making), `ensembling` (the public function), `result`.
"""
