"""``fastmatch compare``, and intervals and aspects of ``fastmatch score``, in processes of their own."""

import json
import random

import pytest

import fastmatch

from support.command_line import run, table


@pytest.fixture
def folder(folder):
    """``pred.amr``, ``gold.amr`` and ``worse.amr``, in which one graph in four is that of another sentence."""
    blocks = (folder / "pred.amr").read_text(encoding="utf-8").strip().split("\n\n")
    heads, graphs = zip(*(block.split("\n(", 1) for block in blocks), strict=True)  # comments stay in their places
    worse = list(graphs)
    chosen = random.Random(1).sample(range(len(blocks)), len(blocks) // 4)
    for here, there in zip(chosen, chosen[1:] + chosen[:1], strict=True):
        worse[here] = graphs[there]
    text = "\n\n".join(f"{head}\n({graph}" for head, graph in zip(heads, worse, strict=True))
    (folder / "worse.amr").write_text(text + "\n", encoding="utf-8")
    return folder


@pytest.mark.slow
def test_intervals(folder):
    options = {"bootstrap": 500, "confidence": 0.9, "bootstrap_method": "percentile", "bootstrap_seed": 3}
    expected = fastmatch.score(folder / "pred.amr", folder / "gold.amr", **options)
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    out = run("score", "pred.amr", "gold.amr", *flags, cwd=folder).stdout
    low, high = expected.intervals["f1"]
    assert f"in brackets: 90 % intervals, {expected.intervals.signature}\n" in out
    assert f"{100 * expected.f1:.2f} [{100 * low:.2f}, {100 * high:.2f}]" in out
    record = json.loads(run("score", "pred.amr", "gold.amr", *flags, "--json", cwd=folder).stdout)
    assert record["intervals"] == expected.intervals.to_dict()
    (row,) = table(run("score", "pred.amr", "gold.amr", *flags, "--tsv", cwd=folder).stdout)
    assert (float(row["f1_low"]), float(row["macro_f1_high"])) == (low, expected.intervals["macro_f1"].high)


def test_two_systems(folder):
    out = run("compare", "pred.amr", "worse.amr", "gold.amr", cwd=folder).stdout
    expected = fastmatch.compare(*(fastmatch.read(folder / f"{name}.amr") for name in ("pred", "worse", "gold")))
    row = expected.of("f1")[0]
    for part in (
        "smatch: 40 pairs",
        "A  pred.amr",
        "B  worse.amr",
        f"{100 * row.difference:+.2f}",
        f"{100 * row.interval.low:+.2f} to {100 * row.interval.high:+.2f}",
        f"{row.p_randomisation:.4f}",
        f"{row.better}/{row.equal}/{row.worse}",
        f"signature: {expected.results[0].signature}\ncomparison: {expected.signature}\n",
    ):
        assert part in out
    assert "corrected" not in out and "macro F1" in out


@pytest.mark.slow
def test_several_systems(folder):
    files = ("pred.amr", "worse.amr", "pred.amr")
    flags = ("--against", "all", "--correction", "bh", "--resamples", "300", "--bootstrap-seed", "4")
    flags += ("--preset", "smatch")
    record = json.loads(run("compare", *files, "--gold", "gold.amr", *flags, "--json", cwd=folder).stdout)
    assert run("compare", *files, "gold.amr", *flags, "--json", cwd=folder).stdout == json.dumps(record) + "\n"
    assert [system["name"] for system in record["systems"]] == ["pred.amr", "worse.amr", "pred.amr (2)"]
    assert len(record["differences"]) == 3 * 6
    same = next(row for row in record["differences"] if row["second"] == "pred.amr (2)" and row["first"] == "pred.amr")
    assert (same["difference"], same["p_randomisation"], same["adjusted_bootstrap"]) == (0, 1, 1)
    assert "std:smatch" in record["signature"]
    assert "|n:300|seed:4|against:all|correction:bh|family:3|" in record["comparison"]
    first, *rows = table(run("compare", *files, "gold.amr", *flags, "--tsv", cwd=folder).stdout)
    assert len(rows) == 17
    assert float(first["p_randomisation"]) == record["differences"][0]["p_randomisation"]
    assert first["comparison"] == record["comparison"]
    assert run("compare", *files, "gold.amr", *flags, cwd=folder).stdout.count("corrected") == 2


def test_several_metrics_and_aspects(folder):
    """The same as one at a time."""
    files = [folder / name for name in ("pred.amr", "worse.amr", "gold.amr")]
    named = ("pred.amr", "worse.amr", "gold.amr", "--resamples", "30")
    metrics = ("--metric", "smatch", "--metric", "wlk,k=1")
    record = json.loads(run("compare", *named, *metrics, "--json", cwd=folder).stdout)["metrics"]
    options = {"names": named[:2], "resamples": 30}
    expected = {
        "smatch": fastmatch.compare(*files[:2], gold=files[2], **options),
        "wlk,k=1": fastmatch.compare(*files[:2], gold=files[2], metric="wlk", k=1, **options),
    }
    assert record == json.loads(json.dumps({name: made.to_dict() for name, made in expected.items()}))
    text = run("compare", *named, *metrics, cwd=folder).stdout
    assert text.startswith("2 metrics, 40 pairs\n\n  A  pred.amr\n  B  worse.amr\n\n")
    (difference,) = expected["wlk,k=1"].of("cosine")
    row = next(line.split() for line in text.splitlines() if line.startswith("  wlk,k=1 "))
    assert f"{100 * difference.difference:+.2f}" in row and row[-1] == f"0/{difference.equal}/{difference.worse}"
    run("compare", *named, *metrics, "--per-pair", "pairs.tsv", cwd=folder)
    header, *rows = [line.split("\t") for line in (folder / "pairs.tsv").read_text(encoding="utf-8").splitlines()]
    assert header[2:-2] == [f"{name} of {system}" for name in expected for system in named[:2]]
    assert [float(row[5]) for row in rows] == expected["wlk,k=1"].results[1].pairs.score.tolist()

    record = json.loads(run("compare", *named, "--aspects", "--json", cwd=folder).stdout)["aspects"]
    scores = [fastmatch.aspects(file, files[2]) for file in files[:2]]
    assert list(record) == [name for name, score in scores[0].items() if score.n_macro or scores[1][name].n_macro]
    for name, made in record.items():
        assert made == json.loads(json.dumps(fastmatch.compare(*(each[name] for each in scores), **options).to_dict()))
    paper = run("compare", *named, "--aspects", "--markdown", cwd=folder).stdout
    assert paper.startswith("| aspect | pred.amr | worse.amr |\n") and "differs from pred.amr" in paper


def test_where_a_system_loses_most(folder):
    files = ("pred.amr", "worse.amr", "gold.amr", "--resamples", "30")
    made = fastmatch.compare(*(folder / name for name in files[:2]), gold=folder / "gold.amr", names=files[:2])
    (lost,) = made.worst(3).values()
    one, two = (result.pairs.score for result in made.results)
    assert [pair.second - pair.first for pair in lost] == sorted(two - one)[:3]
    assert [(one[pair.index], two[pair.index]) for pair in lost] == [(pair.first, pair.second) for pair in lost]
    assert made.worst(40)["pred.amr", "worse.amr"] == [*lost, *made.worst(40)["pred.amr", "worse.amr"][3:]]
    assert len(made.worst(40)["pred.amr", "worse.amr"]) == made.of("f1")[0].worse
    with pytest.raises(fastmatch.OptionError, match="whole number"):
        made.worst(-1)
    record = json.loads(run("compare", *files, "--worst", "3", "--json", cwd=folder).stdout)
    assert record["worst"] == [{"first": "pred.amr", "second": "worse.amr", "pairs": [pair._asdict() for pair in lost]}]
    text = run("compare", *files, "--worst", "1", cwd=folder).stdout
    assert "\n1 pair in which B loses most against A\n" in text and lost[0].id in text
    same = run("compare", "pred.amr", "pred.amr", "gold.amr", "--resamples", "30", "--worst", "2", cwd=folder).stdout
    assert "loses most" not in same


def test_of_a_single_pair_there_is_no_effect_and_no_p(folder):
    for name, text in (("a.amr", "(a / cat)"), ("b.amr", "(a / cat :mod (b / big))"), ("g.amr", "(a / cat)")):
        (folder / name).write_text(text, encoding="utf-8")
    done = run("compare", "a.amr", "b.amr", "g.amr", cwd=folder)
    row = next(line for line in done.stdout.splitlines() if line.startswith("  B - A"))
    assert row.split()[3:] == ["micro", "F1", "-33.33", "–", "–", "–", "–", "0/0/1"]
