"""The verb ``agreement``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from fastmatch.cli import inputs
from fastmatch.cli.notices import warn_broken, warn_repaired
from fastmatch.errors import OptionError
from fastmatch.evaluation.agreement import agreement
from fastmatch.graphs.fields import Table, Texts, texts_of
from fastmatch.graphs.reading import parse_texts, read, tables
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.report.model import Report


def _fields(files: list[str], fields: list[str], extract: bool) -> Iterator[Texts]:
    """The texts of each annotator. A file that holds several annotators is read once."""

    rows: list[Table] = []
    for k in range(max(len(files), len(fields))):
        if k < len(files):
            rows = tables(files[k])
        texts = texts_of(rows, fields[k if len(fields) > 1 else 0])
        yield texts.extracted() if extract else texts


def run_agreement(arguments: argparse.Namespace) -> Report:

    files, fields = arguments.files, arguments.pred_field or []
    inputs.check_extract(arguments)
    inputs.check_resampling(arguments)
    if len(fields) > 1 and len(files) not in (1, len(fields)):
        raise OptionError(f"agreement: expected one file or {len(fields)}, as there are fields, found {len(files)}")
    if len(files) < 2 and len(fields) < 2:
        raise OptionError(
            f"agreement: expected two files or more, found {len(files)}; of one file, --pred-field names the field of "
            "each annotator"
        )
    dialect = inputs.dialect_of(arguments)
    given: dict[str, Any] = {"dialect": dialect, "on_error": arguments.on_error, "vocabulary": Vocabulary()}
    if fields:
        corpora = [parse_texts(texts, **given) for texts in _fields(files, fields, arguments.extract)]
    else:
        corpora = [read(name, workers=arguments.workers, **given) for name in files]
    inputs.check_graphs(arguments, *corpora)
    result = agreement(
        corpora,
        names=fields if len(fields) > 1 and len(set(files)) == 1 else files,
        **inputs.running(arguments),
        **inputs.flags(arguments, "on_error", "pair_by", "unpaired", "bootstrap", *inputs.RESAMPLING),
        **inputs.metric_options(arguments),
    )
    if not arguments.quiet:
        for name, corpus in zip(result.names, corpora, strict=True):
            warn_broken(name, corpus)
            warn_repaired(corpus)
    return result.report()
