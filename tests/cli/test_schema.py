"""The JSON of every verb is what ``docs/results.schema.json`` says, no more and no less.

``test_flags.py`` checks one run of each verb. Here are the other records that a verb can print.
"""

import copy
import json
import shlex
import shutil

import jsonschema
import pytest

from support.command_line import printed
from support.json_records import check_record, schema

FILES = ("pred.amr", "gold.amr")

RUNS = [
    "score {} --metric smatch --metric wlk --bootstrap 20",
    "score {} --aspects",
    "score {} --aspects smatch++ --bootstrap 20",
    "score pred.amr {} --bootstrap 20",
    "score pred.amr {} --bootstrap 20 --aspects --worst 1",
    "score {} --aspects --worst 1",
    "score {} --metric smatch --metric wlk --worst 1",
    "score {} --worst 2",
    "score {} --worst 2 --metric wlk",
    "score broken.amr gold.amr --on-error empty",
    "score none.amr none.amr",
    "compare broken.amr {} --on-error repair --resamples 20",
    "compare pred.amr {} --metric wlk --resamples 20 --worst 2",
    "compare gold.amr {} --metric wlk --metric smatch --resamples 20 --worst 2",
    "compare gold.amr {} --aspects --resamples 20 --worst 2",
    "agreement {} pred.amr --bootstrap 20",
    "agreement {} --metric sembleu",
    "ensemble pred.amr {} -o out.amr --gold gold.amr --method select",
    "score pred.umr gold.umr --metric jumatch --bootstrap 20",
    "search {} -k 2",
    "search {} -k 2 --sentences",
    "align {} --worst 2",
    "align {} --metric wwlk",
    "align {} --metric wlk",
    "metrics",
]


@pytest.fixture
def place(here, own_data):
    text = (here / "pred.amr").read_text(encoding="utf-8")
    (here / "broken.amr").write_text(text.rstrip()[:-1] + "\n", encoding="utf-8")
    (here / "none.amr").write_text("", encoding="utf-8")
    for side in ("pred", "gold"):
        shutil.copy(own_data / f"umr-{side}.umr", here / f"{side}.umr")
    return here


@pytest.mark.parametrize("line", RUNS)
@pytest.mark.filterwarnings("ignore")
def test_record(line, place, capsys):
    words = shlex.split(line.format(" ".join(FILES)))
    quiet = () if words[0] == "metrics" else ("--quiet",)
    check_record(words[0], json.loads(printed(capsys, *words, "--json", *quiet).out))


def test_the_schema_is_one_and_strict(place, capsys):
    jsonschema.Draft202012Validator.check_schema(schema())
    record = json.loads(printed(capsys, "score", *FILES, "--json").out)
    jsonschema.validate(record, schema())
    for change in ({"more": 1}, {"n_pairs": "40"}, {"micro": {"f1": "1"}}, {"problems": [{}]}):
        with pytest.raises(jsonschema.ValidationError):
            check_record("score", {**copy.deepcopy(record), **change})
    for fact in ("macro", "headline", "signature", "n_certified"):
        with pytest.raises(jsonschema.ValidationError):
            check_record("score", {name: value for name, value in record.items() if name != fact})


def test_no_fact_stands_twice(place, capsys):
    """In the record of a score no number with a fraction stands more than once; micro and macro scores differ here."""
    found: list[float] = []

    def collect(value: object) -> None:
        if isinstance(value, dict):
            for each in value.values():
                collect(each)
        elif isinstance(value, float) and 0 < value < 1:
            found.append(value)

    collect(json.loads(printed(capsys, "score", *FILES, "--json", "--bootstrap", "20").out))
    assert len(found) == len(set(found)) >= 7
