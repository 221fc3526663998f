"""Good input, damaged: what readers and loaders must survive by the million.

Hypothesis finds and shrinks; a plain generator of damage is a hundred times faster, so that a million inputs take
minutes. ``mutated(random, data)`` is ``data`` with bytes changed, stretches moved and the tokens of some notation put
in; ``SEEDS`` is the input that it starts from, in kinds, each small on purpose.
"""

import json
from collections.abc import Sequence
from random import Random

from support.places import DATA, PRED

#: Graphs as people and parsers write them.
SAMPLE = PRED.read_bytes().split(b"\n\n")

PENMAN = """# ::id 1
(w / want-01
   :ARG0 (b / boy~e.1 :name (n / name :op1 "New York" :op2 "(x)"))
   :ARG1~e.2 (g / go-02 :ARG0 b :polarity - :mod-of (c / \u6771))
   :quant 1,000 :mod b)

# ::id 2
(a / and :op1 'd' :op2 (e / x) :op3-of e)

a\tx\t:instance
a\tb\t:ARG0
"""

BOXES = """%%% ::id 1
male.n.02 Name "Al B"       % Al B [0-4]
NEGATION <1                 % does not [5-13]
know.v.01 Experiencer -1 Proposition >1 Time +1
time.n.08 EQU now
CONTINUATION <0
red.a.01 AttributeOf +1     % red
car.n.01 Quantity 2 EQU '5'

dog.n.01
bark.v.01 Agent -1 Theme -1 TOP best
"""

CAMR = """# ::id export_amr.1 ::cid export_amr.1 ::2024-05-01
# ::snt \u4ed6 \u5728 \u624b \u91cc \u653e x\u5149
# ::wid x1_\u4ed6 x2_\u5728 x3_\u624b x4_\u91cc x5_\u653e x6_x\u5149
(x5 / \u653e-01
      :arg0() (x1 / \u4ed6)
      :arg2(x2_x4/\u5728\u91cc) (x3 / \u624b :poss() (x3_1 / x1))
      :arg1() (x20 / thing :name() (x6 / name :op1 x6/x :op2 x6/"(\u5149)" ) :arg0-of() x1))

# ::id export_amr.2 ::cid export_amr.2
# ::wid x1_\u55ef x2_::
(x1 / \u55ef)
"""

CAMR_ROWS = """sid\tnid1\tconcept1\tcoref1\trel\trid\tralign\tnid2\tconcept2\tcoref2

1\tx0\troot\t-\t:top\t-\t-\tx5\t\u653e-01\t-
1\tx5\t\u653e-01\t-\t:arg0\t-\t-\tx1\t\u4ed6\t-
1\tx5\t\u653e-01\t-\t:arg2\tx2_x4\t\u5728\u91cc\tx3_1_2\t\u624b\tx1
1\tx3_1_2\t\u624b\tx1\t:arg0-of\t-\t-\tx1\tother\tx9

2\tx0\troot\t-\t:top\t-\t-\tx1\t\u55ef\t-
"""

VECTORS = """cat 1 0.5 -2e-3
dog 0 1 .25
\u6771 1e10 -0 3
a b 1 2 3
"""

TOKENS = [
    "(", ")", "/", " ", "\n", "\n\n", '"', "'", ":ARG0", ":ARG0 ", ":mod-of ", "a", "b", "(a / x", "(b / y)", "~e.1",
    "#", "# ::id 1\n", "\\", "\x00", "\r", "\t", "\u00a0", "\u2028", "_", ":", "-of", "\ufeff", ":instance ", ":root ",
    "<", "{", "1", ".", "@", "^", "|", ",", "name", '"New York"', "(5)", "\u0301", "\U0001f600", "\x85", "\r\n",
    "dog.n.01", " Agent ", "-1", "<1", "NEGATION ", " % ", "%%%",
    "()", "(x2/\u628a)", "x1", "x3_1", "\t-", "\u200b",
]  # fmt: skip
_TOKENS = [token.encode() for token in TOKENS]

_DOCUMENTS = DATA / "recorded" / "documents"
SENTENCES = (_DOCUMENTS / "sentences.amr").read_text(encoding="utf-8")
_BOXES, _MRP = (DATA / "boxes-gold.sbn").read_bytes(), (DATA / "mrp-gold.mrp").read_bytes()

#: Kind of input → where the damage starts.
SEEDS: dict[str, Sequence[bytes]] = {
    "graphs": [PENMAN.encode(), *SAMPLE[:12], b"\n\n".join(SAMPLE[12:15])],
    "boxes": [BOXES.encode(), _BOXES, *_BOXES.splitlines()],
    "camr": [CAMR.encode(), CAMR.split("\n\n")[0].encode()],
    "camr-tuples": [CAMR_ROWS.encode(), CAMR_ROWS.split("\n\n")[1].encode()],
    "mrp": _MRP.splitlines(),
    # as the files of UMR 1 and of UMR 2
    "documents": [path.read_bytes() for path in (DATA / "umr-gold.umr", DATA / "recorded" / "umr" / "gold.umr")],
    "coreference": [(_DOCUMENTS / name).read_bytes() for name in ("both.txt", "harbour.xml")],
    "vectors": [VECTORS.encode(), b"4 3\n" + VECTORS.encode()],
}


def mutated(random: Random, data: bytes, *, tokens: Sequence[bytes] = _TOKENS, longest: int = 12) -> bytes:
    """``data`` after one to six changes: bytes drawn anew, stretches doubled, moved or cut, tokens put in."""
    changed = bytearray(data)
    draw = random.random  # the cheapest of its methods, which matters for a million calls
    for _ in range(1 + int(6 * draw())):
        size = len(changed)
        at = int(draw() * (size + 1))
        to = min(size, at + int(draw() * (longest + 1)))
        kind = int(draw() * 5)
        if kind == 0:
            changed[at:to] = random.randbytes(int(draw() * 4))
        elif kind == 1:
            changed[at:to] *= 2
        elif kind == 2:
            there = int(draw() * (size + 1))
            changed[there:there] = changed[at:to]
        elif kind == 3:
            if at < size:
                changed[at] ^= 1 << int(draw() * 8)
        else:
            changed[at:to] = tokens[int(draw() * len(tokens))]
    return bytes(changed[: int(draw() * (len(changed) + 1))] if draw() < 0.2 else changed)


#: What is written in the place of any value of JSON.
_VALUES = (
    "null", "true", "false", "0", "-1", "1", "2", "7", "12", "2147483647", "2147483648", "-2147483648",
    "9223372036854775808", "1" + 30 * "0", "2.5", "-0.0", "1e308", '""', '"1"', '"2"', '"a b"', '"\u00e9"', '"\\ud800"',
    '"\\u0000"', '"ARG1-of"', '"mod"', '"remote"', '"anchors"', "[]", "[[]]", "{}", "[null]", '{"id": 2}',
    '{"from": 0, "to": 5}',
)  # fmt: skip


def mutated_json(random: Random, data: bytes) -> bytes:
    """``data``, a value of JSON a line, after changes that leave it JSON: a reader gets to its end.

    Of one to four values each is replaced, by one drawn from a list or by a copy of another that stands in the line, or
    doubled, or taken away.
    """
    draw = random.random
    lines = []
    for line in data.splitlines():
        root = [json.loads(line)]
        for _ in range(1 + int(4 * draw())):
            places = [(root, 0)]
            for holder, key in places:  # grows while it is read
                value = holder[key]
                inside = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
                places.extend((value, name) for name in inside)
            holder, key = places[int(draw() * len(places))]
            kind = int(draw() * 4)
            if kind == 0:
                holder[key] = json.loads(_VALUES[int(draw() * len(_VALUES))])
            elif kind == 1:
                other, name = places[int(draw() * len(places))]
                holder[key] = json.loads(json.dumps(other[name]))
            elif kind == 2 and isinstance(holder, list):
                holder.append(json.loads(json.dumps(holder[key])))
            elif holder is not root:
                del holder[key]
        lines.append(json.dumps(root[0], ensure_ascii=draw() < 0.5).encode("utf-8", "surrogatepass"))
    return b"\n".join(lines) + b"\n"
