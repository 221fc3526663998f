"""The doors of programs that evaluate language models: Hugging Face's ``evaluate``, Inspect, lm-evaluation-harness.

They find the graph in each answer as :class:`~fastmatch.rewards.GraphReward` does. A *gold* graph that cannot be read
is an error that says which one: an evaluation without it would be another one. None of these programs is needed here;
Inspect is imported when its scorer is made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from fastmatch.errors import OptionError
from fastmatch.evaluation.scoring import score
from fastmatch.graphs.reading import parse
from fastmatch.rewards.reward import GraphReward, RewardResult, listed, text_of
from fastmatch.types import MetricName


class GraphMetric:
    """A metric object with ``compute``, as those of Hugging Face's ``evaluate``.

    Parameters
    ----------
    metric, **options
        As for :class:`~fastmatch.rewards.GraphReward`; ``effort`` is ``"default"`` here, as in :func:`fastmatch.score`.

    Examples
    --------
    >>> from fastmatch.rewards.harness import GraphMetric
    >>> found = GraphMetric().compute(predictions=["It is (c / cat).", "?"], references=["(c / cat)", "(d / dog)"])
    >>> found["score"], found["macro"], found["n_invalid"]
    (0.6666666666666666, 0.5, 1)
    """

    def __init__(self, metric: MetricName | str = "smatch", **options: Any) -> None:
        self.reward = GraphReward(metric, **{"effort": "default", "name": "evaluate", **options})

    @property
    def name(self) -> str:
        """Of the metric."""
        return self.reward.metric.name

    def compute(
        self, *, predictions: Sequence[Any] | None = None, references: Sequence[Any] | None = None, **_: Any
    ) -> dict[str, Any]:
        """The score of a corpus.

        Parameters
        ----------
        predictions : sequence of str, or of chats
            Whole answers.
        references : sequence of str
            The gold graph of each; a list of one graph is that graph.

        Returns
        -------
        dict
            ``score``: over all triples (the mean over pairs, for metrics without sums); ``macro``: the mean over pairs;
            ``precision`` and ``recall``, if the metric has them; ``n_invalid`` and ``n_repaired``; ``signature``.

        Raises
        ------
        OptionError
            If a list is missing, they differ in length, or a reference is no graph.
        """
        if predictions is None or references is None:
            raise OptionError("compute: expected predictions=… and references=…")
        predictions, references = listed("predictions", predictions), listed("references", references)
        if len(predictions) != len(references):
            raise OptionError(f"compute: {len(predictions)} predictions, but {len(references)} references")
        golds = [_only(reference, number) for number, reference in enumerate(references)]
        _check(golds, self.reward)
        found = [self.reward.find(text_of(prediction)) for prediction in predictions]
        texts = ["" if one is None else one[0] for one in found]
        result = score(texts, golds, metric=self.reward.metric, on_error="empty")
        broken = {problem.pair for problem in result.problems}
        values: dict[str, Any] = {"score": float(result.score), "macro": float(result.pairs.score.mean())}
        values |= {name: float(result.scores[name]) for name in ("precision", "recall") if name in result.scores}
        repaired = sum(one is not None and one[1] > 0 and k not in broken for k, one in enumerate(found))
        return {**values, "n_invalid": len(broken), "n_repaired": repaired, "signature": str(result.signature)}


def graph_scorer(metric: MetricName | str = "smatch", **options: Any) -> Any:
    """A scorer for Inspect: ``Task(dataset, solver=…, scorer=graph_scorer())``; the target is the gold graph.

    Parameters
    ----------
    metric, **options
        As for :class:`GraphMetric`.

    Returns
    -------
    inspect_ai.scorer.Scorer
        ``Score.value`` is the score in [0, 1], which Inspect averages; ``answer`` the graph that was found.
    """
    from inspect_ai.scorer import Score, mean, scorer, stderr

    reward = GraphMetric(metric, **options).reward

    def made() -> Any:
        async def scored(state: Any, target: Any) -> Any:
            answer = state.output.completion
            result = _scored(answer, target.text, reward)
            found = reward.find(answer)
            return Score(
                value=result.score,
                answer=None if found is None else found[0],
                explanation="" if result.valid else "no graph that can be read",
                metadata={**result._asdict(), "signature": reward.signature},
            )

        return scored

    registered = scorer(metrics=[mean(), stderr()], name=f"fastmatch_{reward.metric.name}")
    return registered(made)()


def process_results(
    doc: Mapping[str, Any], results: Sequence[str], *, gold: str = "amr", metric: str = "smatch", **options: Any
) -> dict[str, float]:
    """The score of one answer, and whether it has a graph: ``process_results`` of a task of lm-evaluation-harness.

    Parameters
    ----------
    doc : mapping
        A row of the data set.
    results : sequence of str
        The answers; the first one counts.
    gold : str
        Column of the gold graph.
    metric, **options
        As for :class:`GraphMetric`.

    Returns
    -------
    dict
        ``score`` and ``valid``, of which the task takes means.

    Raises
    ------
    OptionError
        If the row has no such column, or it holds no graph.
    """
    if gold not in doc:
        raise OptionError(f"process_results: no column {gold!r} with gold graphs; columns: {', '.join(map(repr, doc))}")
    result = _scored(results[0] if results else "", doc[gold], _reward(metric, **options))
    assert result.score is not None
    return {"score": result.score, "valid": float(result.valid)}


@lru_cache(maxsize=8)
def _reward(metric: str, **options: Any) -> GraphReward:
    return GraphMetric(metric, **options).reward


def _scored(answer: Any, gold: str, reward: GraphReward) -> RewardResult:
    result = reward.one(answer, gold)
    if result.score is None:
        _check([gold], reward)
    return result


def _check(golds: Sequence[Any], reward: GraphReward) -> None:
    """Raise :class:`~fastmatch.OptionError` for the first gold graph that cannot be read."""
    for place, message in parse(golds, dialect=reward.metric.dialect, on_error="empty").problems:
        raise OptionError(f"gold graph {place} cannot be read: {message}")


def _only(reference: Any, number: int) -> Any:
    if isinstance(reference, str):
        return reference
    if isinstance(reference, (list, tuple)) and len(reference) == 1 and isinstance(reference[0], str):
        return reference[0]
    raise OptionError(f"references[{number}]: expected one graph as text, found {reference!r:.60}")
