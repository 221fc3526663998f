"""Four small graphs with everything a corpus can hold: alignments, comments, strings, missing concepts and targets."""

import penman
from penman.models.amr import model

from fastmatch import Corpus

TEXTS = (
    "# ::id a.1 ::date today\n# ::snt The boy wants to go.\n"
    "(w / want-01 :ARG0 (b / boy~e.1) :ARG1~e.3 (g / go-02 :ARG0 b :polarity -))",
    '(n / name :op1 "New" :op2 "York" :ARG0-of (c / call-01))',
    "# ::snt no id here\n(a :quant 5)",
    "# ::id d\n(d / dog :mod (b / big) :mod (b2 / big) :ARG0 :ARG1 d)",
)


def make(texts=TEXTS, vocabulary=None) -> Corpus:
    return Corpus.from_penman((penman.decode(text, model=model) for text in texts), vocabulary=vocabulary)
