"""The summary of a training that the command line prints."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

from fastmatch.runtime.streams import say

if TYPE_CHECKING:
    from fastmatch.training.softoverlap import OverlapTraining
    from fastmatch.training.wwlk import Training

__all__ = ["print_overlap_training", "print_training"]


def print_training(training: Training, path: str, plot: str | None, file: TextIO | None = None) -> None:
    """Correlations before and after, and where things were written."""
    file = file or sys.stdout
    look = training.looks[training.best]
    ended = ", interrupted" if training.interrupted else ""
    print(f"updates: {training.updates:,}{ended}; best after {look.update:,}", file=file)
    print(
        f"Pearson's r x 100 on the development set: {100 * training.before:.2f} before, {100 * look.dev:.2f} after",
        file=file,
    )
    if training.test is not None:
        before, after = training.test
        print(f"on the test set: {100 * before:.2f} before, {100 * after:.2f} after", file=file)
    say(f"{path}: weights of {len(training.weights):,} roles", file)
    if plot is not None:
        say(f"{plot}: learning curve", file)
    print(f"signature: {training.signature}", file=file)


def print_overlap_training(training: OverlapTraining, path: str, plot: str | None, file: TextIO | None = None) -> None:
    """What each development set gained, and where things were written."""
    file = file or sys.stdout
    look = training.looks[training.best]
    ended = ", interrupted" if training.interrupted else ""
    print(f"steps: {training.updates:,}{ended}; best after {look.update:,}", file=file)
    width = max(4, *map(len, training.sets))
    print(f"{'x 100':{width}}  before   after", file=file)
    for name, (before, after) in {**training.sets, "mean": (training.before, look.dev)}.items():
        print(f"{name:{width}}  {100 * before:6.2f}  {100 * after:6.2f}", file=file)
    say(f"{path}: parameters {training.parameters.digest}", file)
    if plot is not None:
        say(f"{plot}: learning curve", file)
    print(f"signature: {training.signature}", file=file)
