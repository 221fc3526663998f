"""What clustering a large corpus costs, part by part: the recipe of docs/tutorials/cluster.md, on many graphs.

    python benches/large_corpus.py 100000 large.amr CORPUS...
    python benches/clusters.py large.amr [--metric wlk] [--skip umap]

Prints CPU seconds of one thread and the peak of memory after each part. UMAP (``pip install umap-learn``) is left out
if it is not installed.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections.abc import Callable
from typing import Any, TypeVar

for _name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

import numpy as np  # noqa: E402
from sklearn.cluster import DBSCAN, HDBSCAN  # noqa: E402

import fastmatch as fm  # noqa: E402
from fastmatch.sklearn import GraphNeighbors  # noqa: E402

Result = TypeVar("Result")


def timed(what: str, work: Callable[[], Result]) -> Result:
    before = time.process_time()
    result = work()
    seconds, peak = time.process_time() - before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{what:<40}{seconds:>8.1f} s{peak:>7.2f} GB", flush=True)
    return result


def on_a_map(found: fm.TopK) -> Any:
    """Places in a plane where near graphs are near, from the neighbours that are known."""
    import umap

    own = np.arange(len(found))[:, None]
    places = np.hstack([own, np.where(found.indices < 0, own, found.indices)])
    distances = np.hstack([np.zeros_like(own, np.float32), np.maximum(1 - found.scores, 0).astype(np.float32)])
    known = (places, distances, None)
    mapper = umap.UMAP(n_neighbors=places.shape[1], precomputed_knn=known, init="random", random_state=0)
    return mapper.fit_transform(np.zeros((len(found), 1), np.float32))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    parser.add_argument("--metric", default="wlk")
    parser.add_argument("--skip", choices=["umap"], action="append", default=[])
    arguments = parser.parse_args()
    corpus = timed("read", lambda: fm.read(arguments.corpus))
    groups = timed("groups, Smatch from 0.9", lambda: fm.groups(corpus, score_cutoff=0.9))
    print(groups)
    near = timed(
        "GraphNeighbors, Smatch from 0.8",
        lambda: GraphNeighbors(None, "smatch", score_cutoff=0.8).fit_transform(corpus),
    )
    dense = DBSCAN(eps=0.2, min_samples=5, metric="precomputed")
    labels = timed("DBSCAN of them", lambda: dense.fit_predict(near))
    print(f"{labels.max() + 1} clusters, {(labels < 0).mean():.0%} of the graphs in none")
    found = timed(f"15 nearest, {arguments.metric}", lambda: fm.top_k(corpus, k=15, metric=arguments.metric))
    if "umap" in arguments.skip:
        return
    try:
        plane = timed("UMAP of them", lambda: on_a_map(found))
    except ImportError:
        print("UMAP is not installed")
        return
    labels = timed("HDBSCAN on the map", lambda: HDBSCAN(min_cluster_size=15, copy=True).fit_predict(plane))
    print(f"{labels.max() + 1} clusters, {(labels < 0).mean():.0%} of the graphs in none")


if __name__ == "__main__":
    main()
