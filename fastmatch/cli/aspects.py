"""The flags of aspects, and their scores, for the verbs that have both."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastmatch.cli import inputs
from fastmatch.cli.add import ASPECT_FLAGS, kinds_with
from fastmatch.cli.check import check_certificate, say_unproven
from fastmatch.cli.notices import warn_unreadable
from fastmatch.errors import OptionError
from fastmatch.fine_grained.kinds import KINDS

if TYPE_CHECKING:
    from fastmatch.fine_grained.scores import AspectScores


def check(arguments: Namespace) -> None:
    """Refuse options of kinds that were not asked for."""
    own = inputs.given(arguments, *ASPECT_FLAGS)
    if own and arguments.aspects not in (takers := kinds_with(*own)):
        *first, last = ASPECT_FLAGS.values()
        raise OptionError(f"{', '.join(first)} and {last} go with --aspects {' or '.join(takers)} only")


def scorer(arguments: Namespace) -> Callable[[Any, Any], AspectScores]:
    """What scores the aspects of the predictions and gold graphs that are named.

    Raises
    ------
    OptionError
        If other arguments do not go with these aspects.
    """
    from fastmatch.fine_grained.scores import aspects

    own = inputs.given(arguments, *ASPECT_FLAGS)
    if arguments.dialect is not None:
        raise OptionError("--dialect does not go with --aspects, which read the texts themselves")
    if getattr(arguments, "certificate", None) is not None:
        check_certificate(arguments)
    metric = KINDS[arguments.aspects].metric
    for name in arguments.metrics or ():
        if name != metric:
            raise OptionError(f"--aspects {arguments.aspects} are made with the metric {metric!r}, not {name!r}")
    arguments.metric = metric
    options = inputs.metric_options(arguments)
    del options["metric"]

    def scored(pred_name: Any, gold_name: Any) -> AspectScores:
        texts = inputs.field_texts(Namespace(**{**vars(arguments), "pred": pred_name, "gold": gold_name}))
        pred, gold = (
            Path(name) if field is None else [text if isinstance(text, str) else None for text in field.texts]
            for name, field in zip((pred_name, gold_name), texts, strict=True)
        )
        given = inputs.running(arguments, "on_error", "pair_by", "unpaired", "bootstrap", *inputs.RESAMPLING)
        given["certificate"] = getattr(arguments, "certificate", None)
        result = aspects(pred, gold, kind=arguments.aspects, **given, **options, **own)
        if not arguments.quiet:
            for found in result.certificates.values():
                say_unproven(found)
            warn_unreadable(result, system=str(pred_name) if arguments.more else "pred")
        return result

    return scored
