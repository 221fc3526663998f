"""The doors of OpenRLHF: a function for ``--remote_rm_url PATH.py``, and a server for ``--remote_rm_url http://…``.

A *query* is a prompt and what the model wrote behind it, as one text. The prompt is cut off first: a prompt that holds
the gold graph earns nothing. Of a prompt that is too long for the model the query holds only the end, and a tokenizer
may have changed blanks; such prompts are found as well.

``python -m fastmatch.rewards.openrlhf --port 5000`` starts the server. It answers ``{"query": […], "prompts": […],
"labels": […]}`` with ``{"rewards": […], "scores": […], "extra_logs": {…}}``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fastmatch.errors import FastmatchError, OptionError
from fastmatch.rewards.consensus import ConsensusReward
from fastmatch.rewards.reward import GraphReward, RewardResult

#: Characters, blanks not counted, by which the end of a prompt is known.
_LEAST = 16


@lru_cache(maxsize=2)
def _made(kind: Callable[..., Any]) -> Any:
    return kind(name="openrlhf")


def completion(query: str, prompt: str) -> str:
    """What the model wrote: the query behind its prompt, which a tokenizer's own tokens may precede.

    The query may begin with the end of the prompt, ``_LEAST`` characters of it at least, and may have other blanks.

    Raises
    ------
    OptionError
        If the query holds neither the prompt nor its end.
    """
    place = query.find(prompt)
    if place >= 0:
        return query[place + len(prompt) :]
    # without blanks, and without what a character became that was cut in two
    places = [at for at, character in enumerate(query) if not character.isspace() and character != "\ufffd"]
    mine, its = "".join([query[at] for at in places]), "".join(prompt.split())
    place = mine.find(its)
    size = place + len(its) if place >= 0 else _overlap(its, mine)
    if size < _LEAST and place < 0:
        raise OptionError(f"the query does not hold its prompt: {query[:60]!r}, {prompt[:60]!r}")
    return query[places[size - 1] + 1 :] if size else query


def _overlap(text: str, other: str) -> int:
    """Characters of the longest beginning of ``other`` with which ``text`` ends."""
    sizes = range(min(len(text), len(other)), 0, -1)
    # the last character first: it spares nearly all longer comparisons
    return next((n for n in sizes if other[n - 1] == text[-1] and text.endswith(other[:n])), 0)


def rewards(
    queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], reward: GraphReward
) -> dict[str, Any]:
    """``rewards``, ``scores`` and ``extra_logs`` as lists of float; 0 where a gold graph cannot be read."""
    texts = [completion(query, prompt) for query, prompt in zip(queries, prompts, strict=True)]
    return _listed(reward.batch(texts, labels))


def _listed(results: Sequence[RewardResult]) -> dict[str, Any]:
    scores = [0.0 if result.score is None else result.score for result in results]
    logs = {name: [float(getattr(result, name)) for result in results] for name in ("valid", "repaired", "certified")}
    return {"rewards": scores, "scores": list(scores), "extra_logs": logs}


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **_: Any) -> dict[str, Any]:
    """As OpenRLHF calls it: the same as :func:`rewards`, as tensors of shape (n,)."""
    return _tensors(rewards(queries, prompts, labels, _made(GraphReward)))


def consensus_func(queries: Sequence[str], prompts: Sequence[str], labels: Any = None, **_: Any) -> dict[str, Any]:
    """The same without gold graphs: answers to equal prompts of the call score each other, and ``labels`` is not used.

    See :class:`~fastmatch.rewards.ConsensusReward`. OpenRLHF has to ask for all answers to a prompt in one call.
    """
    texts = [completion(query, prompt) for query, prompt in zip(queries, prompts, strict=True)]
    return _tensors(_listed(_made(ConsensusReward).batch(texts, prompts)))


def _tensors(found: dict[str, Any]) -> dict[str, Any]:
    import torch

    logs = found["extra_logs"]
    # the rows of one tensor: of a batch of one, five tensors would take as long as the reward
    earned, scores, *others = torch.tensor([found["rewards"], found["scores"], *logs.values()])
    return {"rewards": earned, "scores": scores, "extra_logs": dict(zip(logs, others, strict=True))}


def answer(request: dict[str, Any], reward: GraphReward) -> dict[str, Any]:
    """What the server answers to a request, read from JSON.

    Raises
    ------
    OptionError
        If it lacks a list, or the lists differ in length.
    """
    lists: list[list[str]] = []
    for name in ("query", "prompts", "labels"):
        values: Any = request.get(name) if isinstance(request, dict) else None
        values = [values] if isinstance(values, str) else values
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise OptionError(f"expected {name!r}: a list of strings")
        lists.append(values)
    if len({len(values) for values in lists}) != 1:
        raise OptionError("'query', 'prompts' and 'labels' differ in length")
    queries, prompts, labels = lists
    return rewards(queries, prompts, labels, reward)


def server(reward: GraphReward, host: str = "127.0.0.1", port: int = 5000) -> ThreadingHTTPServer:
    """A server that answers POST requests to any path; ``serve_forever()`` starts it. Port 0 takes a free one."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            try:
                # a negative length would wait for the end of a connection that stays open
                request = json.loads(self.rfile.read(max(0, int(self.headers.get("Content-Length", 0)))))
                status, found = 200, answer(request, reward)
            except (FastmatchError, ValueError, RecursionError) as error:
                status, found = 400, {"error": str(error)}
            body = json.dumps(found).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            """No line for each request."""

    return ThreadingHTTPServer((host, port), Handler)


def main(argv: Sequence[str] | None = None) -> None:
    import argparse

    parser = argparse.ArgumentParser(prog="python -m fastmatch.rewards.openrlhf", description="A reward server.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=5000)
    parser.add_argument("--metric", default="smatch")
    parser.add_argument("--preset")
    parser.add_argument("--repair", action="store_true", help="mend graphs that cannot be read")
    given = parser.parse_args(argv)
    reward = GraphReward(given.metric, preset=given.preset, repair=given.repair)
    with server(reward, given.host, given.port) as running:
        host, port = running.server_address[:2]
        sys.stdout.write(f"{reward.signature} at http://{host!s}:{port}\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            running.serve_forever()


if __name__ == "__main__":
    main()
