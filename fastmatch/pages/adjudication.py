"""A page for adjudication: each graph that an ensemble made, every triple of its candidates, and who has it.

One HTML file, without network and server. Everything is there without scripts; a script filters, goes from sentence to
sentence by the keys j and k, and saves what an annotator decides as a table. A Content-Security-Policy with the hashes
of script and style keeps everything else from running.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from fastmatch.ensembles.result import Ensemble, Vote
from fastmatch.report.cells import count, points
from fastmatch.report.markup import digest, escape
from fastmatch.runtime.files import new_text

#: Sentences of a page; of more, those in which the candidates agree least.
MOST = 1000

_WEB = Path(__file__).with_name("web")
_FILTERS = {"all": "all triples", "some": "not unanimous", "out": "left out"}


def write_adjudication(result: Ensemble, names: Sequence[str], path: str) -> None:
    """Write the page; ``names`` are those of the candidates."""
    with new_text(path) as file:
        file.writelines(adjudication_page(result, names))


def adjudication_page(result: Ensemble, names: Sequence[str]) -> Iterator[str]:
    """The page in ASCII, a piece at a time.

    Parameters
    ----------
    result : Ensemble
    names : sequence of str
        Of the candidates.
    """
    for piece in _pieces(result, names):
        yield piece.encode("ascii", "xmlcharrefreplace").decode()


def _pieces(result: Ensemble, names: Sequence[str]) -> Iterator[str]:
    style, script = ((_WEB / f"adjudication.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    policy = f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; base-uri 'none'"
    title = f"{result.method} of {count(len(names), 'candidate')}: {count(len(result), 'sentence')}"
    radios = "".join(
        f'<label><input type="radio" name="show" value="{name}"{" checked" * (name == "all")}> {text}</label>'
        for name, text in _FILTERS.items()
    )
    yield (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body><main>\n<h1>{escape(title)}</h1>\n"
        f"<p>Candidates: {escape(', '.join(names))}. A tick keeps a triple: change it where you decide otherwise. "
        "Keys: <kbd>j</kbd> next sentence, <kbd>k</kbd> the one before.</p>\n"
        f'<form hidden><fieldset><legend>Show</legend>{radios}</fieldset><button type="button" id="save">'
        'Save decisions.tsv</button> <span id="decided"></span></form>\n'
        '<p id="says" class="says" role="status"></p>\n'
    )
    shown = _shown(result)
    if len(shown) < len(result):
        yield f"<p>{len(shown):,} of {len(result):,} sentences: those in which the candidates agree least.</p>\n"
    for number in shown:
        yield _section(result, names, number)
    yield f"<p><code>{escape(result.signature)}</code></p>\n</main><script>{script}</script>\n</body></html>\n"


def _shown(result: Ensemble) -> list[int]:
    """The sentences of the page, in their order."""
    if len(result) <= MOST:
        return [*range(len(result))]
    nearest = sorted(range(len(result)), key=lambda k: (result.scores[k], k))
    return sorted(nearest[:MOST])


def _section(result: Ensemble, names: Sequence[str], number: int) -> str:
    graph = result.graphs[number]
    name = graph.metadata.get("id", "")
    sentence = graph.metadata.get("snt", "")
    score, upper = float(result.scores[number]), float(result.uppers[number])
    made = "made of all" if result.sources[number] < 0 else f"that of {names[int(result.sources[number])]}"
    bound = "" if upper != upper else f", no graph reaches more than {points(upper)}"
    text = "\n".join(line for line in graph.encode().splitlines() if not line.startswith("#"))
    voters = len(result.candidate_scores[number])
    rows = [
        _row(vote, kept, names, voters)
        for kept, votes in ((True, result.votes(number)), (False, result.left_out(number)))
        for vote in votes
    ]
    return (
        f'<section tabindex="-1" data-number="{number}" data-id="{escape(" ".join(name.split()))}" '
        f'aria-labelledby="t{number}"><h2 id="t{number}">{number}{f" · {escape(name)}" if name else ""}</h2>\n'
        + (f"<p>{escape(sentence)}</p>\n" if sentence else "")
        + f"<p>The graph is {escape(made)}: mean score {points(score)}{bound}.</p>\n<pre>{escape(text)}</pre>\n"
        '<table><caption>Triples and who has them</caption><thead><tr><th scope="col">keep</th>'
        '<th scope="col">triple</th><th scope="col">candidates</th><th scope="col">ensemble</th></tr></thead><tbody>\n'
        f"{''.join(rows)}</tbody></table></section>\n"
    )


def _row(vote: Vote, kept: bool, names: Sequence[str], voters: int) -> str:
    source, role, target = vote.triple
    text = escape(f"{source} {role} {target}")
    classes = " ".join((["out"] * (not kept)) + (["some"] * (len(vote.candidates) < voters)))
    who = ", ".join(names[k] for k in vote.candidates) or "none"
    triple = escape(json.dumps([" ".join(str(part).split()) for part in vote.triple]))
    return (
        f'<tr class="{classes}"><td><input type="checkbox"{" checked" * kept} aria-label="keep {text}" '
        f'data-triple="{triple}"></td><td><code>{text}</code></td>'
        f"<td>{len(vote.candidates)} of {voters}: {escape(who)}</td><td>{'kept' if kept else 'left out'}</td></tr>\n"
    )
