"""Doors of programs that evaluate language models, by their interfaces; the programs themselves where installed."""

import asyncio
import json
import sys
import types
from pathlib import Path

import pytest

import fastmatch as fm
from fastmatch.rewards.harness import GraphMetric, graph_scorer, process_results

from support.refusal import fails

GOLD = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
PRED = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))"
CAT = "(c / cat)"


def test_compute_is_the_score_of_the_corpus() -> None:
    found = GraphMetric(repair=True).compute(
        predictions=[f"Here: {PRED}", "no graph", [{"role": "assistant", "content": "(c / cat"}], "(c / cat) (d"],
        references=[GOLD, GOLD, [CAT], CAT],
    )
    expected = fm.score([PRED, "", CAT, CAT], [GOLD, GOLD, CAT, CAT], on_error="empty")
    assert (found["score"], found["macro"]) == (expected.f1, expected.pairs.f1.mean())
    assert (found["precision"], found["recall"]) == (expected.precision, expected.recall)
    assert (found["n_invalid"], found["n_repaired"], found["signature"]) == (1, 1, str(expected.signature))


@pytest.mark.parametrize("metric", ["sembleu", "wlk", "smatch++"])
def test_any_metric_computes(metric: str) -> None:
    found = GraphMetric(metric).compute(predictions=[PRED, CAT], references=[GOLD, CAT])
    assert found["score"] == fm.score([PRED, CAT], [GOLD, CAT], metric=metric).score


def test_compute_says_what_is_wrong() -> None:
    metric = GraphMetric()
    for options, message in (
        ({"predictions": [PRED]}, "expected predictions=… and references=…"),
        ({"predictions": [PRED], "references": []}, "1 predictions, but 0 references"),
        ({"predictions": [PRED], "references": ["(c"]}, "gold graph 0 cannot be read: "),
        ({"predictions": [PRED], "references": [[GOLD, GOLD]]}, r"references\[0\]: expected one graph"),
    ):
        fails(fm.OptionError, message, metric.compute, **options)


def test_process_results_of_the_harness() -> None:
    assert process_results({"amr": GOLD}, [f"It is {PRED}."]) == {"score": fm.score(PRED, GOLD).f1, "valid": 1.0}
    assert process_results({"amr": GOLD}, []) == {"score": 0.0, "valid": 0.0}
    assert process_results({"g": CAT}, [CAT], gold="g", metric="sembleu", k=1)["score"] == 1.0
    fails(fm.OptionError, "no column 'amr' with gold graphs; columns: 'g'", process_results, {"g": CAT}, [CAT])
    fails(fm.OptionError, "gold graph 0 cannot be read", process_results, {"amr": "(c"}, [CAT])


def test_the_scorer_of_inspect_by_its_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {"mean": object, "stderr": object, "scorer": lambda metrics, name: lambda made: made}
    module = types.SimpleNamespace(Score=types.SimpleNamespace, **made)
    monkeypatch.setitem(sys.modules, "inspect_ai", types.ModuleType("inspect_ai"))
    monkeypatch.setitem(sys.modules, "inspect_ai.scorer", module)
    scored = graph_scorer()

    def score(answer: str, gold: str = GOLD):
        state = types.SimpleNamespace(output=types.SimpleNamespace(completion=answer))
        found = asyncio.run(scored(state, types.SimpleNamespace(text=gold)))
        return found.value, found.answer, found.explanation

    assert score(f"It is {PRED}.") == (fm.score(PRED, GOLD).f1, PRED, "")
    assert score("hm") == (0.0, None, "no graph that can be read")
    fails(fm.OptionError, "gold graph 0 cannot be read", score, PRED, "(c")


def test_inspect_runs_a_task(tmp_path: Path) -> None:
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    @solver
    def says():
        async def solve(state, generate):  # a model would count tokens, for which it asks the network
            state.output = ModelOutput.from_content("none", f"It is {CAT}.")
            return state

        return solve

    samples = [Sample(input="?", target=CAT), Sample(input="?", target=GOLD)]
    task = inspect_ai.Task(samples, solver=says(), scorer=graph_scorer())
    (log,) = inspect_ai.eval(task, model="mockllm/model", display="none", log_dir=str(tmp_path))
    assert log.status == "success", log.error
    assert log.results.scores[0].metrics["mean"].value == pytest.approx((1.0 + fm.score(CAT, GOLD).f1) / 2)


def test_lm_evaluation_harness_runs_the_task_on_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lm_eval = pytest.importorskip("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path / "cache"))
    rows = [{"sentence": "A cat.", "amr": CAT}, {"sentence": "The boy wants to go.", "amr": GOLD}]
    (tmp_path / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    (tmp_path / "utils.py").write_text("from fastmatch.rewards.harness import process_results\n", "utf-8")
    page = (Path(__file__).parents[3] / "docs" / "language-models.md").read_text("utf-8")
    task = page.partition("```yaml\n")[2].partition("```")[0].replace("rows.jsonl", f"{tmp_path}/rows.jsonl")
    (tmp_path / "parsing.yaml").write_text(task, "utf-8")

    class Says(LM):  # type: ignore[misc]
        def generate_until(self, requests, **_) -> list[str]:
            return [f"It is {CAT}." if "cat" in request.args[0] else "hm" for request in requests]

        def loglikelihood(self, requests, **_):
            raise NotImplementedError

        loglikelihood_rolling = loglikelihood

    manager = TaskManager(include_path=str(tmp_path))
    found = lm_eval.simple_evaluate(Says(), tasks=["amr_parsing"], task_manager=manager, bootstrap_iters=0)
    results = found["results"]["amr_parsing"]
    assert (results["score,none"], results["valid,none"]) == (0.5, 0.5)
