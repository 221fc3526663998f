"""Many graphs of one sentence: choose one, vote, or make the graph with the best mean score."""
