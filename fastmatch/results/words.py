"""How scores are called where people read them."""

from __future__ import annotations

import os


def label(name: str) -> str:
    """How a score is called where people read it: ``f1`` → ``F1``, ``lr_f`` → ``lr F1``, ``lr_p`` → ``lr P``."""
    words = name.split("_")
    words[-1] = _LETTERS.get(words[-1], words[-1])
    return " ".join(words)


_LETTERS = {"f1": "F1", "f": "F1", "p": "P", "r": "R"}


def system_letter(number: int) -> str:
    """What a system is called that has no name: A, B, …, Z, S27, …"""
    return chr(ord("A") + number) if number < 26 else f"S{number + 1}"


def short_name(metric: str) -> str:
    """The name of a metric without the folders of the files it names."""
    head, *settings = metric.split(",")
    parts = [setting.partition("=") for setting in settings]
    return ",".join([head, *(f"{name}{equals}{os.path.basename(value)}" for name, equals, value in parts)])
