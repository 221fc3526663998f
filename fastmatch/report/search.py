"""The report of the nearest graphs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastmatch.report.model import Report, Table
from fastmatch.report.tables import points

if TYPE_CHECKING:
    from fastmatch.allpairs.neighbours import TopK
    from fastmatch.graphs.corpus import Corpus

__all__ = ["search_report"]


def search_report(found: TopK, sentences: tuple[Corpus, Corpus] | None = None) -> Report:
    """The matches of each query, the best first; with both corpora also the sentences (``# ::snt``, or nothing).

    With sentences a query has a row of its own in the table for people. JSON lines have an object a query.
    """
    queries = _queries(found, sentences)
    rows: list[tuple[str, ...]] = []
    data: list[tuple[Any, ...]] = []
    for query in queries:
        name = query["id"] or str(query["query"])
        if sentences is not None:
            rows.append((name, "", "", "", query["sentence"]))
            name = ""
        for match in query["matches"] or [None]:
            more = () if sentences is None else ("" if match is None else match["sentence"],)
            if match is None:
                rows.append((name, "none", "", "", *more))
            else:
                rows.append((name, match["id"] or "", str(match["index"]), points(match["score"]), *more))
            name = ""
        for rank, match in enumerate(query["matches"]):
            texts = () if sentences is None else (query["sentence"], match["sentence"])
            data.append((query["query"], query["id"], rank, match["index"], match["id"], match["score"], *texts))
    signature = str(found.signature)
    return Report(
        "fastmatch search",
        [Table(("query", "match", "index", "score", *(["sentence"] if sentences else [])), rows, right=False)],
        ("query", "query_id", "rank", "index", "id", "score", *(("query_sentence", "sentence") if sentences else ())),
        data,
        {**found.to_dict(), "queries": queries},
        [(signature.partition("|")[0], signature)],
        lines=[{**query, "signature": signature} for query in queries],
    )


def _queries(found: TopK, sentences: tuple[Corpus, Corpus] | None) -> list[dict[str, Any]]:
    """For every query its matches, the best first, with the sentences if there are any."""
    queries: list[dict[str, Any]] = found.to_dict()["queries"]
    if sentences is not None:
        pred, gold = sentences
        for query in queries:
            query["sentence"] = pred.metadata(query["query"]).get("snt", "")
            for match in query["matches"]:
                match["sentence"] = gold.metadata(match["index"]).get("snt", "")
    return queries
