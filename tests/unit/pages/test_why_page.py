"""Why-pages as files: what they hold, what they cost, what they refuse. Browsers are in test_in_a_browser.py."""

import base64
import hashlib
import json
import re
import zlib

import pytest

import fastmatch as fm
from fastmatch.evaluation import scoring
from fastmatch.pages.why_page import BLOCK

from support.places import GOLD, PRED
from support.refusal import fails


def block(page: str, name: str):
    """The value of a block of data."""
    (text,) = re.findall(rf'<script type="text/plain" id="{name}">([A-Za-z0-9+/=]*)</script>', page)
    return json.loads(zlib.decompress(base64.b64decode(text), -15))


@pytest.fixture(scope="module")
def page() -> str:
    return fm.pages.html(PRED, GOLD)


def test_the_page_has_the_scores(page):
    result = fm.score(PRED, GOLD, bootstrap=1000)
    summary = block(page, "data-summary")
    (system,) = summary["systems"]
    assert system["micro"]["f1"] == round(result.f1, 6) and system["macro"]["f1"] == round(result.macro.f1, 6)
    assert system["intervals"]["f1"] == [round(end, 6) for end in result.intervals["f1"]]
    assert system["counts"]["matched"] == result.pairs.matched.tolist()
    assert system["scores"]["f1"] == [round(value, 6) for value in result.pairs.f1.tolist()]
    assert summary["signature"] == str(result.signature)
    assert summary["snt"][7] == "Nobody told the pilot that the runway was closed." and summary["id"][7] == "sample.8"
    assert summary["n"] == 40 == len(summary["id"])


def test_the_page_has_the_aspects(page):
    summary = block(page, "data-summary")
    found = fm.aspects(PRED, GOLD)
    assert summary["aspects"] == {"kind": "damonte", "names": list(found)}
    for record, score in zip(summary["systems"][0]["aspects"], found.values(), strict=True):
        assert record["scores"]["f1"] == round(score.f1, 6)
        for value, f1, n in zip(record["pairs"], score.pairs.f1, score.pairs.n_pred + score.pairs.n_gold, strict=True):
            assert value == (round(1000 * f1) if n else -1)


def test_blocks_hold_all_pairs(page):
    assert [len(block(page, f"data-{k}")) for k in range(-(-40 // BLOCK))] == [BLOCK, 40 - BLOCK]
    wanted, ((own, found),) = block(page, "data-0")[7]
    assert wanted["v"] == list(fm.read(GOLD)[7].variables)
    assert own["v"][own["r"]] == "t"
    assert sum(partner >= 0 for partner in [*found["p"], found["top"][0]]) == 9


def test_everything_stands_in_the_file(page):
    """Nothing is fetched: no address but those in comments, and a policy that allows the page's own scripts only."""
    assert page.isascii()
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    for text in (*scripts, style):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert len(scripts) == 2 and "unsafe" not in policy
    # these would change where HTML thinks that a script ends
    assert not any(re.search("<!--|</?script", text, re.IGNORECASE) for text in scripts)
    assert not re.findall(r"<(?:link|img|iframe|object|embed)\b|\bsrc=|\burl\(|@import|sourceMappingURL", page)
    assert "Copyright (c) 2012-2014 Chris Pettitt" in page and "THE SOFTWARE IS PROVIDED" in page


def test_the_same_graphs_give_the_same_page(page):
    assert fm.pages.html(fm.read(PRED), fm.read(GOLD), workers=2) == page


@pytest.mark.parametrize(
    "text", ["</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "a\x01b\x7f", "\u202eevil", "<!--"]
)
def test_what_graphs_say_is_data(text):
    """It stands nowhere as markup: not in the title either, which the names of systems make."""
    quoted = '"' + text.replace('"', "'") + '"'
    graph = f"# ::id {text}\n# ::snt {text}\n(a / cat :name {quoted})"
    made = fm.pages.html([graph], [graph], names=[text, text], title=text)
    assert text not in made.replace("</script>\n<script>", "").replace('<script type="text/plain"', "")
    assert made.count("<script") == made.count("</script>") == 4 and made.count("<img") == 0
    summary = block(made, "data-summary")
    assert summary["id"] == [text] and summary["snt"] == [text] and summary["title"] == text


def test_lone_surrogates_pass():
    corpus = fm.Corpus.from_triples([("a", [("a", ":instance", '"\udcff"')])])
    assert block(fm.pages.html(corpus, corpus), "data-0")[0][0]["t"][0][3] == '"\udcff"'


def test_several_systems():
    gold = fm.read(GOLD)
    page = fm.pages.html(PRED, gold, gold, names=["one", "two"])
    systems = block(page, "data-summary")["systems"]
    assert [system["name"] for system in systems] == ["one", "two"] and systems[1]["micro"]["f1"] == 1
    wanted, systems = block(page, "data-0")[7]
    assert len(systems) == 2 and systems[1][0] == wanted


def test_names_come_from_files_and_are_different():
    summary = block(fm.pages.html(PRED, GOLD), "data-summary")
    assert summary["title"] == "sample-pred.amr against sample-gold.amr"
    summary = block(fm.pages.html(PRED, GOLD, PRED), "data-summary")
    assert [system["name"] for system in summary["systems"]] == ["sample-pred.amr (1)", "sample-pred.amr (2)"]
    summary = block(fm.pages.html(["(a / b)"], ["(a / b)"]), "data-summary")
    assert summary["title"] == "prediction against gold"
    fails(fm.OptionError, "1 systems but 3 names", fm.pages.html, PRED, GOLD, names=["a", "b", "c"])


def test_pairs_by_id():
    gold = fm.read(GOLD)
    shuffled = gold[[5, 3, 1]]
    with pytest.warns(fm.PairingWarning, match="37 ids of gold not in sample-gold.amr"):
        page = fm.pages.html(shuffled, gold, pair_by="id", unpaired="skip")
    assert block(page, "data-summary")["id"] == ["sample.2", "sample.4", "sample.6"]
    with pytest.warns(fm.PairingWarning):
        page = fm.pages.html(shuffled, gold, gold[:4], pair_by="id", unpaired="skip")
    assert block(page, "data-summary")["id"] == ["sample.2", "sample.4"]
    message = "html: paired by ::id: 37 ids of gold not in one "
    fails(fm.PairingError, message, fm.pages.html, shuffled, gold, gold, names=["one", "two"], pair_by="id")
    fails(fm.PairingError, "html", fm.pages.html, shuffled, gold)


def test_what_is_odd_about_pairs_is_said_once():
    texts = ["# ::id 1\n# ::snt A cat.\n(a / cat)"], ["# ::id 1\n# ::snt Rain.\n(r / rain-01)"]
    with pytest.warns(fm.PairingWarning) as warned:
        fm.pages.html(*texts)
    assert len(warned) == 1


def test_unreadable_graphs_are_listed():
    for on_error in ("empty", "repair"):
        page = fm.pages.html(["(a / cat", "(a / cat)"], ["(a / cat)", "(a / cat)"], on_error=on_error)
        (system,) = block(page, "data-summary")["systems"]
        (problem,) = system["problems"]
        assert problem[:2] == ["pred", 0] and (problem[3] is None) == (on_error == "empty")
        assert (system["micro"]["f1"] == 1) == (on_error == "repair")


@pytest.mark.filterwarnings("ignore::fastmatch.PairingWarning")
def test_no_pairs():
    summary = block(fm.pages.html([], []), "data-summary")
    assert summary["n"] == 0 and summary["systems"][0]["micro"]["f1"] is None


@pytest.mark.parametrize(
    "metric", ["smatch", "smatch++", "s2match", "wsmatch", "ancast", "sembleu", "sema", "rematch", "wlk", "wwlk"]
)
def test_every_metric_has_a_page(metric):
    page = fm.pages.html(fm.read(PRED)[:5], fm.read(GOLD)[:5], metric=metric, aspects=False)
    summary = block(page, "data-summary")
    result = fm.score(fm.read(PRED)[:5], fm.read(GOLD)[:5], metric=metric)
    (system,) = summary["systems"]
    assert next(iter(system["scores"].values())) == pytest.approx(result.pairs.score, abs=1e-6)
    assert system["proven"] == result.pairs.certified.astype(int).tolist() and system["certified"] == result.n_certified
    assert all(found for _, ((_, found),) in block(page, "data-0"))


def test_graphs_are_shown_as_they_are_compared():
    page = fm.pages.html("(a / cat :domain (b / dog))", "(a / cat)", metric="smatch++")
    assert block(page, "data-summary")["rewritten"] is True
    assert block(fm.pages.html(PRED, GOLD), "data-summary")["rewritten"] is False


def test_frames_are_described(tmp_path):
    frames = tmp_path / "frames.txt"
    frames.write_text("tell-01  ARG0: speaker  ARG1: what is told: utterance\nzz-01  ARG0: nobody\n", encoding="utf-8")
    summary = block(fm.pages.html(PRED, GOLD, frames=frames), "data-summary")
    assert summary["frames"] == {"tell-01": {":arg0": "speaker", ":arg1": "what is told: utterance"}}
    frames.write_text("no roles\n", encoding="utf-8")
    fails(fm.OptionError, r"frames.txt:1: expected 'predicate", fm.pages.html, PRED, GOLD, frames=frames)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"aspects": "none"}, "aspects='none': expected one of"),
        ({"bootstrap": 0}, "bootstrap=0"),
        ({"pair_by": "place"}, "pair_by='place'"),
        ({"on_error": "skip"}, "on_error='skip'"),
    ],
)
def test_wrong_options(options, message):
    fails(fm.OptionError, re.escape(message), fm.pages.html, PRED, GOLD, **options)


def test_the_file_is_whole_or_absent(tmp_path, page):
    out = tmp_path / "why.html"
    assert fm.pages.html(PRED, GOLD, out=out) == page == out.read_text("utf-8")
    fails(OSError, "nowhere", fm.pages.html, PRED, GOLD, out=tmp_path / "nowhere" / "why.html")
    assert [path.name for path in tmp_path.iterdir()] == ["why.html"]


def test_progress(page):
    told = []
    fm.pages.html(PRED, GOLD, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (40, 40)


def test_public_names():
    assert "html" in dir(fm.pages)
    fails(AttributeError, "no attribute 'htm'", getattr, fm.pages, "htm")


@pytest.mark.parametrize(("options", "searches"), [({}, 5), ({"effort": "low"}, 5), ({"top": "concept"}, 6)])
def test_what_the_page_has_matched_no_aspect_matches_again(options, searches, monkeypatch):
    calls = []
    real = scoring.run
    monkeypatch.setattr(scoring, "run", lambda *given, **more: calls.append(given) or real(*given, **more))
    fm.pages.html(PRED, GOLD, **options)
    assert len(calls) == searches
