"""Signatures: what a score depends on, in one short line that can be read back.

    smatch|solver:exact|top:constant|dup:once|std:default|read:penman|v:1.0.0

The metric's name comes first, then ``key:value`` fields in the metric's own order, the version last. Defaults are
written out, since a default may change between versions; a field whose value is None does not apply and is left out
(the seed of a deterministic solver). Two scores may be compared if their signatures are equal.
"""

from __future__ import annotations

from collections.abc import Mapping

from fastmatch.errors import OptionError

#: What a field may hold; None: the field does not apply.
Value = str | int | float | bool | None


class Signature:
    """An immutable signature.

    Parameters
    ----------
    metric : str
        Name of the metric as registered.
    fields : mapping str → str, int, float, bool or None
        In the order they are printed. Booleans become yes and no, None is left out.
    version : str, optional
        Version of fastmatch; the running one by default.

    Attributes
    ----------
    metric, version : str
    fields : dict of str → str
        The fields as printed.

    Raises
    ------
    ValueError
        If the name, a key or a value holds ``|``, a key holds ``:``, or one of them is empty.
    """

    __slots__ = ("_text", "fields", "metric", "version")

    metric: str
    fields: dict[str, str]
    version: str
    _text: str

    def __init__(self, metric: str, fields: Mapping[str, Value], version: str | None = None) -> None:
        if version is None:
            from fastmatch.version import __version__ as version
        printed = {key: _print(value) for key, value in fields.items() if value is not None}
        for key, value in (("metric", metric), *printed.items(), ("v", version)):
            if not key or not value or "|" in key + value or ":" in key or "\n" in key + value:
                raise ValueError(f"signature: {key!r}:{value!r}: expected a key and a value without '|' or line break")
        if ":" in metric:
            raise ValueError(f"signature: ':' in the metric's name {metric!r}")
        parts = [metric, *(f"{key}:{value}" for key, value in printed.items()), f"v:{version}"]
        put = object.__setattr__
        put(self, "metric", metric)
        put(self, "fields", printed)
        put(self, "version", version)
        put(self, "_text", "|".join(parts))

    @classmethod
    def parse(cls, text: str) -> Signature:
        """Read a signature back from its printed form: ``Signature.parse(str(s)) == s``.

        Raises
        ------
        OptionError
            If ``text`` is not a signature.
        """
        metric, *parts = text.strip().split("|")
        fields: dict[str, str] = {}
        for part in parts:
            key, colon, value = part.partition(":")
            if not colon or not key or not value or key in fields:
                raise OptionError(f"signature {text!r}: expected distinct key:value fields, found {part!r}")
            fields[key] = value
        if not metric or ":" in metric or not parts or next(reversed(fields)) != "v":
            raise OptionError(f"signature {text!r}: expected metric|key:value|…|v:version")
        version = fields.pop("v")
        try:
            return cls(metric, fields, version)
        except ValueError as error:
            raise OptionError(str(error)) from None

    def with_fields(self, **fields: Value) -> Signature:
        """This signature with other values, or with more fields behind the metric's own; None takes a field away."""
        return Signature(self.metric, {**self.fields, **fields}, self.version)

    def to_dict(self) -> dict[str, str]:
        """The metric, and the whole signature, as results have them in JSON."""
        return {"metric": self.metric, "signature": self._text}

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a signature cannot be changed (set {name})")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a signature cannot be changed (delete {name})")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Signature: {self._text}>"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return self._text == other
        return self._text == other._text if isinstance(other, Signature) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._text)

    def __reduce__(self) -> tuple[object, ...]:
        return (Signature.parse, (self._text,))


def _print(value: str | int | float | bool) -> str:
    if value is True or value is False:
        return "yes" if value else "no"
    return str(value)
