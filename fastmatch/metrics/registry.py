"""Metrics by name: finding their classes, making them with options, making them again from a signature."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, TypedDict, TypeVar

from fastmatch.errors import OptionError, meant, warn_caller
from fastmatch.metrics.contract.metric import Metric
from fastmatch.metrics.names import BUILT_IN, ELSEWHERE
from fastmatch.metrics.options import UNTOLD, kinds, listed, read_back, value_of
from fastmatch.results.signature import Signature

#: Group of entry points in which other packages name their metrics.
GROUP = "fastmatch.metrics"

M = TypeVar("M", bound="type[Metric]")

_REGISTRY: dict[str, type[Metric]] = {}


def register(name: str) -> Callable[[M], M]:
    """Class decorator: make a metric known by a name in lower case.

    Raises
    ------
    OptionError
        If another class has that name already, or the name has an upper-case letter, a space, ``|`` or ``:``.
    """
    if not name or name != name.lower() or set(name) & set("|: \n"):
        raise OptionError(f"metric {name!r}: expected a lower-case name without spaces, '|' and ':'")

    def decorate(metric: M) -> M:
        known = _REGISTRY.get(name)
        # a module that is reloaded registers its class again
        if known is not None and (known.__module__, known.__qualname__) != (metric.__module__, metric.__qualname__):
            raise OptionError(f"metric {name!r} is {known.__module__}.{known.__qualname__} already")
        metric.name = name
        _REGISTRY[name] = metric
        make.cache_clear()
        return metric

    return decorate


def get(name: str) -> type[Metric]:
    """The class of a metric.

    Only the module of that metric is imported, or the entry point of that name.

    Raises
    ------
    OptionError
        If there is no such metric; the message lists those that exist.
    """
    if isinstance(name, str) and (name in BUILT_IN or name not in _REGISTRY):
        # Also when it is registered: its module may not be complete yet, as another thread may be in the middle of it.
        # The import waits for that thread, and costs a few microseconds once the module is there.
        _load(name)
    metric = _REGISTRY.get(name)
    if metric is None:
        if isinstance(name, str) and name in ELSEWHERE:
            raise OptionError(f"metric={name!r}: {ELSEWHERE[name]}")
        known = available()
        raise OptionError(f"metric={name!r}: expected one of {listed(known)}{meant(name, [*known, *ELSEWHERE])}")
    return metric


def available() -> list[str]:
    """Names of all metrics, sorted: those of this package, of installed packages and those registered by hand."""
    _load(None)
    return sorted(_REGISTRY)


@lru_cache(maxsize=128, typed=True)
def make(name: str, preset: str | None = None, **options: Any) -> Metric:
    """A metric with its options set; the same object for the same arguments.

    Options win over those of the preset. The last 128 metrics are kept, since making one takes about 20 µs. A warning
    (:class:`~fastmatch.FastmatchWarning`) that a preset lacks something is given when the metric is made.

    Raises
    ------
    OptionError
        If there is no such metric, preset or option, or an option has no such value.
    """
    metric = get(name)
    if preset is not None:
        if not isinstance(preset, str) or preset not in metric.presets:
            known = listed(metric.presets) or "no presets"
            # elsewhere ``tool`` is the published program; a preset of the metric's own name is that one here
            hint = f"; did you mean {name!r}?" if preset == "tool" and name in metric.presets else ""
            raise OptionError(f"preset={preset!r}: metric {name!r} has {known}{hint or meant(preset, metric.presets)}")
        options = {**metric.presets[preset], **options}
    allowed: list[str] = [field.name for field in fields(metric)] if is_dataclass(metric) else []
    for option in options:
        if option not in allowed:
            raise OptionError(
                f"metric {name!r} has no option {option!r}; expected one of {listed(allowed)}{meant(option, allowed)}"
            )
    made = metric(**options)
    doubt = None if preset is None else metric.doubt(preset, options)
    if doubt is not None:
        warn_caller(f"{name}/{preset}: {doubt}")
    return made


def from_signature(signature: Signature | str) -> Metric:
    """The metric, with its options, that made a score.

    The dialect is in ``signature.fields["read"]``. The version of the signature is not looked at.

    Raises
    ------
    OptionError
        If the text is not a signature, there is no such metric, or a field is missing or has no such value.
    """
    if isinstance(signature, str):
        signature = Signature.parse(signature)
    metric = get(signature.metric)
    told = {key: value for key, value in signature.fields.items() if not key.startswith(UNTOLD)}
    try:
        options = metric.options(told)
        for key, value in signature.fields.items():
            if key not in told:
                name = key.removeprefix(UNTOLD)
                options[name] = read_back(value, kinds(metric).get(name, ("str",)))
    except KeyError as error:
        raise OptionError(f"signature of {signature.metric}: expected a field {error}") from None
    except ValueError as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError(f"signature of {signature.metric}: {error}") from None
    return make(signature.metric, None, **options)


def from_text(text: str) -> Metric:
    """A metric with options from one word: ``NAME[/PRESET][,OPTION=VALUE]…``.

    Examples: ``sembleu``, ``sembleu/tool,k=2``, ``smatch/smatch,solver=climb,seed=3``.

    Raises
    ------
    OptionError
        If there is no such metric, preset or option, or a value is not what the option takes.
    """
    name, preset, options = split(text)
    return make(name, preset, **options)


def split(text: str) -> tuple[str, str | None, dict[str, Any]]:
    """Name, preset and options of a metric that is written in one word, as :func:`from_text` takes it.

    A name alone is not looked up. Of a preset and of options that there are not, :func:`make` tells.

    Raises
    ------
    OptionError
        If a setting is not OPTION=VALUE, or a value is not what the option takes.
    """
    head, *settings = text.split(",")
    name, _, preset = head.partition("/")
    options: dict[str, Any] = {}
    if not settings:
        return name, preset or None, options
    known = kinds(get(name))
    for setting in settings:
        option, equals, value = setting.partition("=")
        if not equals:
            raise OptionError(f"metric {text!r}: expected OPTION=VALUE, found {setting!r}")
        options[option] = value_of(text, option, value, known.get(option, ("str",)))
    return name, preset or None, options


def typed_options(name: str) -> Any:
    """The typed dictionary ``SmatchOptions`` of the class ``Smatch``; checkers read ``fastmatch/__init__.pyi``."""
    found = {f"{get(metric).__name__}Options": kinds(get(metric)) for metric in BUILT_IN}
    if name not in found:
        raise AttributeError(f"module 'fastmatch' has no attribute {name!r}")
    make: Any = TypedDict
    return make(name, {option: " | ".join(of) for option, of in found[name].items()}, total=False)


def _load(name: str | None) -> None:
    """Import the metric of that name, or all metrics if it is None."""

    modules = [module for metric, module in BUILT_IN.items() if name in (None, metric)]
    for module in modules:
        import_module(f"fastmatch.metrics.{module}")
    if modules and name is not None:
        return
    from importlib.metadata import entry_points  # costs 15 ms: not for the metrics of this package

    for point in entry_points(group=GROUP):
        if point.name not in _REGISTRY and name in (None, point.name):
            register(point.name)(point.load())
