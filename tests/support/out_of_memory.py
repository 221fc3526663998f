"""Everything that allocates in a kernel, with each of its allocations failing in turn.

    LD_PRELOAD=failing_memory.so python out_of_memory.py [GROUP]...

For each action: the n-th allocation fails, for n = 0, 1, 2, … until the action makes fewer, by day every seventh. It
must end in a MemoryError, or in its usual result where it can do without that memory; and the next call must work as if
nothing had happened. Prints a line an action: how many allocations failed, and how many of these were a MemoryError.
"""

import ctypes
import io
import pickle
import sys
import tempfile
import warnings
from functools import partial
from pathlib import Path

import numpy as np

import fastmatch as fm
from fastmatch.fine_grained.kinds import KINDS
from fastmatch.graphs.dialects import DIALECTS
from fastmatch.graphs.forms import corpora_of
from fastmatch.graphs.standardization import PRESETS, STEPS
from fastmatch.metrics import available, get, make
from fastmatch.metrics.embeddings import Embeddings
from fastmatch.metrics.options import kinds

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.hostile import FAMILIES
from support.mutation import BOXES
from support.nightly import NIGHT

DATA = Path(__file__).parents[1] / "data"
#: Short graphs with all that a reader knows: comments, alignments, quotes, references, inverse roles, bytes of two.
TEXT = """# ::id a1 ::snt Été "here" ~ there
(w / want-01~e.1 :ARG0 (b / boy :mod (t / tall~2)) :ARG1 (g / go-02 :ARG0 b :time (d / date-entity :year 2012))
   :polarity - :quant 3.5 :name (n / name :op1 "New York" :op2 "x(y)") :consist-of (s / s) :domain (k / kind))

# ::id a2
(c / cat :ARG0-of (l / like-01 :ARG1 c :ARG1 (d / dog)) :ARG0-of (l2 / like-01 :ARG1 d) :mod (b / black))
"""
OTHER = """# ::id a1
(x / want-01 :ARG0 (y / boy) :ARG1 (z / go-02 :ARG0 y :time (d / date-entity :year 2013)) :polarity -)

# ::id a2
(d / dog :ARG0-of (l / love-01 :ARG1 (c / cat :mod (b / black) :mod (w / white))) :wiki "Dog")
"""
MRP = (DATA / "mrp-gold.mrp").read_text(encoding="utf-8").splitlines()[0]
TABLE = "w b :ARG0\nw want :instance\nb boy :instance\n\nc cat :instance\nc c :mod\n"

#: What the names of actions begin with, and a run may be asked for; "" stands for the actions of no group.
GROUPS = ("read", "documents", "vectors", "score", "matrix", "pairs", "nearest", "align")

#: By day every seventh allocation, another first one for each action.
STEP = 1 if NIGHT else 7

shim = ctypes.CDLL(None)
shim.fail_after.argtypes = [ctypes.c_long]
shim.allocations_left.restype = ctypes.c_long


def graphs(corpus: fm.Corpus):
    """A corpus, and what of it an equal corpus may have otherwise."""
    return corpus, corpus.problems


def read(text: str, dialect: str):
    return graphs(fm.read(io.StringIO(text), dialect=dialect, on_error="empty"))


def actions():
    """Name of an action, and a function whose results are equal each time."""
    long = " ".join(f":ARG{k} (v{k} / c{k} :mod (u{k} / d{k}) :op1 {k})" for k in range(80))
    texts = [TEXT, OTHER, f"(r / root {long})"]
    notations = {"tsv": TABLE, "sbn": BOXES, "mrp": MRP}
    for dialect in DIALECTS:
        given = notations.get(dialect.partition("-")[0], "\n".join(texts))
        yield f"read {dialect}", partial(read, given, dialect)
    yield "extract", lambda: fm.extract(f"Well.\n```\n{TEXT}\n```\n")
    yield "repair", lambda: fm.repair("(a / b :c (d / :e")
    yield "documents", lambda: fm.umr.score(*(DATA / f"umr-{side}.umr" for side in ("pred", "gold"))).scores
    recorded = [DATA / "recorded" / "umr" / f"{side}.umr" for side in ("pred", "gold")]
    for preset, on_error in (("tool", None), (None, "empty")):
        options = {"metric": "jumatch", "preset": preset, "on_error": on_error}
        yield f"jumatch {preset}", lambda options=options: fm.umr.score(*recorded, **options).counts
    with tempfile.TemporaryDirectory() as folder:
        vectors = Path(folder, "vectors.txt")
        vectors.write_text("".join(f"w{k} {k} 0.5 1e-3\n" for k in range(300)), encoding="utf-8")
        yield "vectors", lambda: Embeddings.load(vectors, cache=False).vectors.tobytes()
    pred, gold = fm.parse(TEXT), fm.parse(OTHER)
    yield "concatenate", lambda: graphs(fm.Corpus.concatenate((fm.parse(TEXT), fm.parse(OTHER))))
    yield "remap", lambda: graphs(fm.parse(TEXT).remap(fm.Vocabulary(["new"])))
    yield "from_graphs", lambda: graphs(fm.Corpus.from_graphs(list(pred)))
    yield "pickle", lambda: graphs(pickle.loads(pickle.dumps(pred)))
    yield "validate", lambda: pred.validate() is pred
    for step in (*STEPS, "reify", "dereify", *PRESETS):
        yield f"step {step}", lambda step=step: graphs(fm.standardize(pred, step))
    knot, tied = FAMILIES["trees of five concepts"](0, 700)
    for name in available():
        for preset in (None, *get(name).presets):
            if not DIALECTS[make(name, preset).dialect].penman:
                continue
            # a compressed pair has no sentences
            compresses = "compress" in kinds(get(name)) and name != "docsmatch" and preset is None
            for solver in ("exact", "climb") if "solver" in kinds(get(name)) else (None,):
                options = {} if solver is None else {"solver": solver}
                for more in ({}, {"compress": True}) if compresses else ({},):
                    metric = make(name, preset, effort="low", **options, **more)
                    short = corpora_of(TEXT, OTHER, metric.dialect, "empty")
                    both = corpora_of([knot, TEXT], [tied, TEXT], metric.dialect, "empty")
                    label = f"{name} {preset} {solver} {more}"
                    for which, (first, second) in (("short", short), ("long", both))[: 1 if preset else 2]:
                        yield (
                            f"score {label} {which}",
                            lambda first=first, second=second, metric=metric: fm.score(
                                first, second, metric=metric
                            ).pairs.statistics.tolist(),
                        )
                    if preset is None and solver != "climb":
                        yield from _all_pairs(label, metric, *short)
    few = TEXT.split("\n\n")[1:], OTHER.split("\n\n")[1:]
    mrp = [MRP], [MRP.replace("dog", "cat")]
    for kind in KINDS:
        boxes = ["a.n.01 b.n.01 Agent -1"], ["a.n.01"]
        given = {**dict.fromkeys(("mrp", "edm", "sdp", "ucca"), mrp), "pmb5": boxes}.get(kind, few)
        yield f"aspects {kind}", lambda kind=kind, given=given: fm.aspects(*given, kind=kind).to_dict()
    for method in ("bca", "percentile"):
        yield (
            f"bootstrap {method}",
            lambda method=method: str(fm.score(pred, gold, bootstrap=20, bootstrap_method=method).intervals),
        )
    yield "compare", lambda: repr(fm.compare(few[0], few[1], gold=few[0], resamples=20))


def _all_pairs(label: str, metric, first: fm.Corpus, second: fm.Corpus):
    yield f"matrix {label}", lambda: fm.cdist(first, second, metric=metric, dtype=np.float64).tolist()
    yield f"pairs {label}", lambda: fm.cdist(first, second, metric=metric, score_cutoff=0.2, sparse=True).nnz
    yield f"nearest {label}", lambda: fm.top_k(first, second, 1, metric=metric).scores.tolist()
    if metric.aligns is not None:
        yield f"align {label}", lambda: fm.align(first[:1], second[:1], metric=metric).to_dict()


def fail_everywhere(action, first: int, most: int = 3000) -> tuple[int, int]:
    """How many allocations failed in turn, and how many of these ended in a MemoryError."""
    expected = action()
    failed = refused = 0
    for n in range(first, most, STEP):
        shim.fail_after(n)
        try:
            found = action()
        except MemoryError:
            found = expected
            refused += 1
        finally:
            left = shim.allocations_left()
            shim.fail_after(-1)
        assert found == expected, f"allocation {n} failed, and the result was another one: {found!r}"
        if left >= 0:
            return failed, refused
        failed += 1
        assert action() == expected, f"after allocation {n} had failed"
    return failed, refused


def main() -> int:
    warnings.simplefilter("ignore", fm.errors.FastmatchWarning)
    finds = 0
    for number, (name, action) in enumerate(actions()):
        group = next((group for group in GROUPS if name.startswith(group)), "")
        if sys.argv[1:] and group not in sys.argv[1:]:
            continue
        try:
            print(name, *fail_everywhere(action, number % STEP), sep="\t", flush=True)
        except Exception as error:
            finds += 1
            error.add_note(name)
            sys.excepthook(type(error), error, error.__traceback__)
    return 1 if finds else 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    sys.exit(main())
