"""What the JSON of a result says, and whether the schema of the documentation allows it."""

import json
from functools import cache
from pathlib import Path

import pytest

SCHEMA = Path(__file__).parents[2] / "docs" / "results.schema.json"


def headline(record) -> float | None:
    """The score that stands for the others: the micro score, or the macro score of a metric that has no other."""
    return record.get("micro", record["macro"])[record["headline"]]


@cache
def schema():
    if not SCHEMA.is_file():
        pytest.skip("the checkout is not beside the tests")
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


@cache
def validator(verb: str):
    """What checks a record of the verb; made once, as the schema itself is checked elsewhere."""
    import jsonschema

    definition = f"#/$defs/{verb.replace(' ', '-')}"
    return jsonschema.Draft202012Validator({"$ref": definition, "$defs": schema()["$defs"]})


def check_record(verb: str, record: object) -> None:
    """Fail unless ``record`` is what the schema says of the verb."""
    validator(verb).validate(record)
