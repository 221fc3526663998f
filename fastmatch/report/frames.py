"""Results as data frames of pandas and tables of Arrow. Both libraries are imported when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fastmatch.report import markup
from fastmatch.runtime.optional import needed

if TYPE_CHECKING:
    import pandas
    import pyarrow


#: A column: an array of numbers or truth values, or a sequence of texts, of which some may be missing (None).
Column = NDArray[Any] | Sequence[str | None]

#: Rows that a notebook shows of a long table.
SHOWN = 10


def needed_arrow() -> ModuleType:
    """The module pyarrow; :class:`~fastmatch.OptionError` if it is not installed."""
    return needed("pyarrow", "Arrow tables and Parquet files need", "arrow")


def arrow_errors() -> tuple[type[Exception], ...]:
    """What pyarrow raises where a file that it reads is damaged."""
    return (needed_arrow().ArrowException, ArithmeticError, ValueError, OSError, LookupError, TypeError)


def arrow_table(columns: Mapping[str, Column]) -> pyarrow.Table:
    """An Arrow table of these columns; texts are strings, also where all of them are missing.

    Raises
    ------
    OptionError
        If pyarrow is not installed.
    """
    arrow = needed_arrow()
    arrays = [
        arrow.array(column) if isinstance(column, np.ndarray) else arrow.array(list(column), type=arrow.string())
        for column in columns.values()
    ]
    return arrow.table(arrays, names=list(columns))


def columns_of(rows: Sequence[Mapping[str, str | float | None]]) -> dict[str, Column]:
    """Columns of rows that are given as mappings, by name in the order in which names first occur.

    A column with a text in it is one of texts, any other one of numbers: what a row has not is None or NaN. Whole
    numbers stay whole where every row has one.
    """
    columns: dict[str, Column] = {}
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row.get(name) for row in rows]
        texts = [value for value in values if value is None or isinstance(value, str)]
        if len(texts) == len(values) and any(text is not None for text in texts):
            columns[name] = texts
        else:
            columns[name] = np.array([float("nan") if value is None else value for value in values])
    return columns


class Tabular:
    """What is a table: :meth:`to_pandas`, :meth:`to_arrow`, and its first rows in a notebook.

    A subclass writes :meth:`_table`.
    """

    __slots__ = ()

    def _table(self) -> Mapping[str, Column]:
        """The columns by name, all of one length; by default those of :meth:`_rows`."""
        return columns_of(self._rows())

    def _rows(self) -> Sequence[Mapping[str, Any]]:
        """The rows, for a class that has no columns: each a mapping from the name of its column to the cell."""
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a pandas data frame, in the order of the result: fractions with every digit.

        Raises
        ------
        OptionError
            If pandas is not installed (``pip install 'fastmatch[arrow]'``).
        """
        library = needed("pandas", "data frames need", "arrow")
        table = self._table()
        return library.DataFrame(
            {name: column if isinstance(column, np.ndarray) else list(column) for name, column in table.items()}
        )

    def to_arrow(self) -> pyarrow.Table:
        """The table as an Arrow table, with the columns of :meth:`to_pandas`.

        Raises
        ------
        OptionError
            If pyarrow is not installed (``pip install 'fastmatch[arrow]'``).
        """
        return arrow_table(self._table())

    def _repr_html_(self) -> str:
        columns = self._table()
        length = max(map(len, columns.values()), default=0)
        texts = {name: not isinstance(column, np.ndarray) for name, column in columns.items()}
        rows = zip(*(_printed(column[:SHOWN]) for column in columns.values()), strict=True)
        signature = getattr(self, "signature", None)
        return markup.table(
            list(columns), rows, "".join("l" if text else "r" for text in texts.values())
        ) + markup.paragraph(markup.more(SHOWN, length, "row"), "" if signature is None else markup.code(signature))


def _printed(column: Column) -> list[str]:
    if not isinstance(column, np.ndarray):
        return ["" if text is None else text for text in column]
    if column.dtype.kind == "b":
        return ["yes" if value else "no" for value in column.tolist()]
    if column.dtype.kind == "f":
        return ["" if value != value else f"{value:.6g}" for value in column.tolist()]
    return [f"{value:,}" for value in column.tolist()]
