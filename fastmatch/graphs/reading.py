"""Text in, corpus out: files, streams and strings, of Penman notation mostly.

What is read is always UTF-8. A byte-order mark at the beginning is dropped, lines may end in LF, CRLF or CR, and a file
that begins as gzip does is unpacked, whatever its name. The work itself is done by the compiled reader of the *dialect*
(:mod:`fastmatch.graphs.dialects`):

``penman``
    the triples of ``penman.load(file, model=penman.models.amr.model)``, on everything that it reads. Penman drops data
    in silence: everything behind an extra ``)``, behind junk or a byte-order mark. Here the first two are errors, and
    text behind a byte-order mark is read; comments behind the last graph are no error. A line ends at LF, CRLF or CR
    only, also in a string (``penman.loads`` splits at form feeds, U+2028 and others as well). Nesting has no limit.
``smatch``
    the instances, attributes and relations of smatch 1.0.4, in its order, roles with a colon in front, without its TOP.
    Its quirks are kept: lines glued together, only the first word of a string, ``_`` for a closing quote, ``:mod``
    turned into ``:domain``, constants lost under inverted roles. What smatch refuses or dies of is an error for that
    block.
``sema``
    the same: Sema and Rematch read with smatch's reader. What they put on top differs, and is the metric's to add.
``amrsuite``, ``amrsuite-unmarked``
    S2match, WSmatch and the "enhanced" fine-grained scores, whose reader grew out of an older smatch: ``-of`` is
    undone, without exceptions, only before a new node or a bare value that ends its node; ``:mod`` stays; of the
    relations from one node to another, and of a node's attributes with one role, the last counts. ``-unmarked`` is
    their ``--do_not_mark_quotes``: no ``_`` for a closing quote.
``damonte``
    the first fine-grained scores (amr-evaluation): as ``amrsuite``, but nothing is lost to a second edge.
``sembleu``
    what SemBleu's program reads: strings whole but without their brackets, colons and slashes, roles as written,
    nothing turned around; a longer name of a node that comes later is a constant. An undefined short name, of which the
    program dies, is an error for that block.
``smatchpp``, ``wlk``
    the triples of smatchpp's own tolerant reader, roles as written, quotes kept, nothing turned around; broken graphs
    give what triples they can and are no error. ``wlk`` drops every line with ``#`` in front, as WLK and WWLK do;
    smatchpp only ``# ::``, and takes the words of other comments inside a graph for parts of it. ``wlk`` is smatchpp
    1.5, which WLK and WWLK use, where brackets inside quotes are brackets: ``"(x)"`` becomes ``"( x )"``.
``tsv``
    no Penman notation but smatchpp's tables: a triple a line, ``source target role``, an empty line between graphs.
``ancast``, ``ancast-cut``, ``ancast-umr``
    the nodes, attributes and relations of the package ancast 0.1.1, in the order in which it makes them, for AMR and
    for the sentence graphs of UMR. Its quirks are kept: values it does not know are lost, a role goes on to the next
    space. What it cannot read (and then leaves out of its averages) is an error; a block without ``# ::snt`` is read,
    where it passes over it in silence. Of an AMR block it reads only what follows the last ``#``: where that ``#``
    stands inside the graph or behind it, the block is an error, but ``ancast-cut`` reads the part that is left.
``camr``, ``camr-tuples``
    Chinese AMR: texts as the corpus has them, and tables of the CAMRP shared tasks, a relation a row. The words on
    which nodes and relations stand are kept (``graphs/camr.py``, ``camr_tuples.pyx``).
``sbn``, ``sbn-lenient``, ``sbn-pmb5``, ``sbn-pmb5-tolerant``, ``sbn-evaluation``, ``sbn-evaluation-lenient``,
``sbn-ud-boxer``, ``sbn-ud-boxer-no-sense``, ``sbn-ud-boxer-lenient``
    box notation of the Parallel Meaning Bank: the default reading, and those of three programs
    (``graphs/boxes.py``).
``mrp``, ``mrp-tool``
    MRP JSON, a graph a line, normalised as mtool does before it scores; ``mrp-tool`` also turns around ``consist-of``
    and ``subset-of``, as mtool does by mistake (``graphs/mrp.py``).

After an error, ``on_error`` says what happens to the broken graph (and to it alone):

``"raise"``   a :class:`~fastmatch.ReadError` with file, line and column;
``"skip"``    the graph is left out;
``"empty"``   an empty graph stands in its place, and ``corpus.problems`` says what was wrong. For files that are
              compared graph by graph: the others keep their places;
``"repair"``  the graph is mended by the rules of :func:`fastmatch.repair`, which ``corpus.repairs`` lists; what cannot
              be mended becomes an empty graph. A file is divided into graphs as with ``"empty"``.

With ``"repair"``, graphs that can be read but have a gap (a node without a concept, a role without a target, a variable
that two nodes declare) are mended as well in the dialect ``penman``; other dialects are left to read as their tools do.
All other graphs are what they are without it.

Junk or a ``)`` too many behind a graph, with no blank line between them, breaks that graph; in a block of its own it
counts as a broken graph.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import IO, TYPE_CHECKING, Any, TypeAlias

from fastmatch._ext.reading.reader import Reader
from fastmatch.errors import OptionError, ReadError, ReadWarning, choice, first_few, warn_caller
from fastmatch.graphs.arrays import MAGIC, Content
from fastmatch.graphs.corpus import Corpus
from fastmatch.graphs.dialects import DIALECTS, make_reader
from fastmatch.graphs.pieces import Lists, Parts, Pieces, cut, load
from fastmatch.graphs.sources import Lacking, expanded, hint, is_mrp, is_rdf, no_text, other_format, packed_by
from fastmatch.graphs.vocabulary import Vocabulary
from fastmatch.runtime.cpus import worker_count
from fastmatch.types import Dialect, OnError, Where

if TYPE_CHECKING:
    from fastmatch.graphs.fields import Table, Texts


#: What :func:`read` takes.
Source: TypeAlias = str | PathLike[str] | Sequence[str | PathLike[str]] | IO[str] | IO[bytes]

# for the compiled readers, which know no repair
_ON_ERROR = {"raise": 0, "skip": 1, "empty": 2, "repair": 2}

# Graphs read between two looks at Ctrl-C and progress: a few hundredths of a second.
_CHUNK = 20_000


def read(
    source: Source,
    *,
    dialect: Dialect = "penman",
    on_error: OnError = "raise",
    vocabulary: Vocabulary | None = None,
    progress: Callable[[int, int], object] | bool | None = None,
    field: str | None = None,
    extract: bool | Where = False,
    workers: int = 1,
) -> Corpus:
    """Read the graphs of a file, or of several.

    Parameters
    ----------
    source : path, file object, "-", or list of paths
        ``-`` is standard input. File objects may give text or bytes (UTF-8). gzip is recognised by its first bytes. A
        folder, a pattern (``"gold/*.amr"``) and a list of paths stand for all their files, one after the other, in the
        order of their names or of the list. A file that :meth:`Corpus.save` wrote is loaded.
    dialect : str
        How to read text, ``"penman"`` for instance: :mod:`fastmatch.graphs.reading` has a list. A saved corpus keeps
        its own.
    on_error : {"raise", "skip", "empty", "repair"}
        What becomes of a graph that cannot be read: an error, no graph, an empty graph, or a mended one.
    vocabulary : Vocabulary, optional
        Gets the strings. Corpora that are compared share one; the default is a new one.
    progress : callable, optional
        Called with (bytes done, bytes in all) now and then. True and False are allowed and do nothing: reading is fast.
    field : str, optional
        The file is JSON Lines, a JSON list, CSV, TSV or Parquet, and each row holds one graph in this field; see
        :mod:`fastmatch.graphs.fields`. Row i is graph i.
    extract : bool or {"auto", "tag", "think", "fence", "block", "text"}
        With ``field``: the field holds what a language model wrote, in which :func:`fastmatch.extract` finds the graph.
    workers : int
        Threads; −1: all CPUs. The corpus is the same for any number. Files of Penman notation from 8 MB on are worth
        more than one, if empty lines stand between their graphs; others are read by one.

    Returns
    -------
    Corpus
        In the order of the file; ``source`` is the name of the file, or ``<stdin>``, ``<stream>``.

    Raises
    ------
    ReadError
        If ``on_error="raise"`` and something is no graph, or the file is damaged gzip.
    OSError
        If the file cannot be opened or read.
    OptionError
        If an option has no such value, or no row has the field.

    Notes
    -----
    Linear in the size of the file, at about 1.4 million short graphs a second; the file is held in memory while it is
    read. The GIL is free meanwhile.
    """
    given = vocabulary
    mode, vocabulary = _checked(dialect, on_error, vocabulary)
    workers = worker_count(workers)
    if extract is not False and field is None:
        raise OptionError(f"extract={extract!r} goes with field=…: a whole file has no answers, one for each graph")
    if not hasattr(source, "read"):
        files = several_files(source)
        if files is not None:
            corpora = [
                read(
                    file,
                    dialect=dialect,
                    on_error=on_error,
                    vocabulary=vocabulary,
                    progress=progress,
                    field=field,
                    extract=extract,
                    workers=workers,
                )
                for file in files
            ]
            called = fspath(source) if isinstance(source, (str, PathLike)) else ", ".join(files)
            if len(files) > 1 and not all(map(len, corpora)):
                corpora = [_keeping_its_place(file, corpus) for file, corpus in zip(files, corpora, strict=True)]
                empty = [file for file, corpus in zip(files, corpora, strict=True) if not len(corpus)]
                _warn_without_graphs(called, empty, len(files))
            return Corpus.concatenate(corpora).with_columns(source=called)
    name, data = contents(source, workers if field is None else 0)
    saved = saved_corpus(source, name, data)
    if saved is not None:
        return saved if given is None else saved.detached(vocabulary)
    if field is not None:
        from fastmatch.graphs.fields import table

        texts = table(name, data).texts(field)
        if extract is not False:
            texts = texts.extracted("auto" if extract is True else extract)
        return parse_texts(texts, dialect=dialect, on_error=on_error, vocabulary=vocabulary, workers=workers)
    other = _without_text(name, data, dialect, on_error, vocabulary)
    if other is not None:
        return other
    message = other_format(data, dialect)
    if message is not None:
        raise ReadError(message, source=name)
    told = progress if callable(progress) else None
    starts = [] if isinstance(data, str) else cut(data, dialect)
    reader: Reader | Parts
    if not isinstance(data, str) and len(starts) > 1:
        looked_at = hint(name, data)
        reader = Pieces(
            dialect, vocabulary.interner, data, starts, mode, lambda reader: _error(reader, name, looked_at), workers
        )
        reader.read(told)
    else:
        reader = make_reader(dialect, vocabulary.interner)
        feed_all(reader, data, mode, name, told)
    if on_error == "repair":
        return _mended(reader, vocabulary, dialect, name, data)
    del data  # as large as the arrays
    return _corpus(reader, vocabulary, dialect, name)


def _keeping_its_place(file: str, corpus: Corpus) -> Corpus:
    """The graphs of one of several files; of RDF without a triple an empty graph, as such a file holds one graph."""
    if len(corpus) or not is_rdf(file) or is_rdf(file, several=True):
        return corpus
    return Corpus.from_edges([()], [()], vocabulary=corpus.vocabulary, source=file)


def _warn_without_graphs(source: str, empty: Sequence[str], n_files: int) -> None:
    """Warn of files without graphs among others: by position, what follows is paired with something else."""
    if empty:
        shown = first_few(map(os.path.basename, empty))
        warn_caller(
            f"{source}: no graphs in {len(empty):,} of its {n_files:,} files ({shown}), so graphs behind "
            f"{'it' if len(empty) == 1 else 'them'} move up and are paired with others; pair_by='id' pairs equal ids",
            ReadWarning,
        )


def _without_text(
    name: str,
    data: str | bytes | bytearray | memoryview,
    dialect: Dialect,
    on_error: OnError,
    vocabulary: Vocabulary | None,
) -> Corpus | None:
    """The graphs of a file that holds triples and no text of graphs; None if it is no such file.

    Raises
    ------
    ReadError
        If it is one and is damaged, or a dialect is wanted that only text has.
    """
    rdf = is_rdf(name)
    if not rdf:
        from fastmatch.graphs.triple_files import holds_triples, read_triples

        if dialect == "tsv" or dialect.startswith("mrp") or is_mrp(data) or not holds_triples(name, data):
            return None
    if dialect != "penman":
        kind = "RDF" if rdf else "a table of triples"
        raise ReadError(
            f"this is {kind}, which has no text to be read as {dialect!r}; metrics without a preset take it",
            source=name,
        )
    if rdf:
        from fastmatch.graphs.foreign import graphs_of_rdf

        return Corpus.from_graphs(graphs_of_rdf(name, data), vocabulary=vocabulary, source=name, dialect=dialect)
    return read_triples(name, data, on_error=on_error, vocabulary=vocabulary)


def parse(
    text: str | Iterable[str],
    *,
    dialect: Dialect = "penman",
    on_error: OnError = "raise",
    vocabulary: Vocabulary | None = None,
    workers: int = 1,
) -> Corpus:
    """Read graphs from strings.

    Parameters
    ----------
    text : str or iterable of str
        One string holds any number of graphs. Each string of an iterable holds exactly one graph; none, or more than
        one, is an error of that string, so that with ``on_error="empty"`` graph i always comes from string i. What is
        no string (None or NaN, where a generation failed) is an error, too.
    dialect, on_error, vocabulary
        As for :func:`read`.
    workers : int
        Threads; −1: all CPUs. The corpus is the same for any number. Lists of some ten thousand strings in Penman
        notation are worth more than one.

    Returns
    -------
    Corpus
        ``source`` is ``<string>``. Errors in an iterable name the string as ``<string 3>``, counted from 0.

    Raises
    ------
    ReadError
        If ``on_error="raise"`` and a string is no graph.
    TypeError
        If ``on_error="raise"`` and one of the texts is no string.
    OptionError
        If an option has no such value.
    """
    mode, vocabulary = _checked(dialect, on_error, vocabulary)
    if isinstance(text, str):
        reader = make_reader(dialect, vocabulary.interner)
        feed_all(reader, text, mode, "<string>", None)
        if on_error == "repair":
            return _mended(reader, vocabulary, dialect, "<string>", text)
        return _corpus(reader, vocabulary, dialect, "<string>")
    if hasattr(text, "read"):
        raise TypeError(f"parse takes text; read takes an open file, such as this {type(text).__name__}")
    if (columns := columns_of(text)) is not None:
        raise TypeError(f"parse takes a column of texts, not a table: one of its columns {columns}")
    if isinstance(text, (bytes, set, frozenset, Mapping)) or not hasattr(text, "__iter__"):
        raise TypeError(f"parse takes a string, or strings in an order, not {type(text).__name__}")
    return _each(text, on_error, "<string {}>".format, vocabulary, dialect, "<string>", workers)


def columns_of(given: object) -> str | None:
    """The first names of the columns of a data frame or an Arrow table, for people; None of anything else.

    Going through a data frame gives these names, which would be read as graphs.
    """
    if len(getattr(given, "shape", ())) != 2 or not hasattr(given, "columns"):
        return None
    return first_few(map(repr, getattr(given, "column_names", given.columns)))


def tables(source: Source) -> list[Table]:
    """The rows of the data files that a source stands for; it raises what :func:`read` raises."""
    from fastmatch.graphs.fields import table

    files = None if hasattr(source, "read") else several_files(source)
    return [table(*contents(file)) for file in ([source] if files is None else files)]


def parse_texts(
    texts: Texts,
    *,
    dialect: Dialect = "penman",
    on_error: OnError = "raise",
    vocabulary: Vocabulary | None = None,
    workers: int = 1,
) -> Corpus:
    """Read the graphs in a field of a data file, as :func:`parse` reads a list of strings; messages name file and row.

    Raises
    ------
    ReadError
        If ``on_error="raise"`` and a row has no graph there.
    """
    return _each(texts.texts, on_error, texts.place, vocabulary, dialect, texts.source, workers)


def _each(
    texts: Iterable[object],
    on_error: OnError,
    place: Callable[[int], str],
    vocabulary: Vocabulary | None,
    dialect: Dialect,
    source: str,
    workers: int,
) -> Corpus:
    """Read texts with one graph each; ``place`` is what messages call the text of a number."""
    mode, vocabulary = _checked(dialect, on_error, vocabulary)
    items = tuple(texts)

    def part(reader: Reader, start: int, stop: int) -> None:
        number = start - 1
        while (number := reader.feed_each(items, number + 1, stop)) < stop:
            item = items[number]
            text = item if isinstance(item, str) else ""
            if text is not item and on_error == "raise":
                if isinstance(item, Lacking):
                    raise ReadError(item.message, source=place(number))
                raise TypeError(f"string {number}: expected str, found {type(item).__name__}; bytes go to read")
            if reader.feed(text, mode, True) < 0:
                raise _error(reader, place(number))

    workers = worker_count(workers)
    chunks = Lists.divided(items, dialect, workers)
    reader: Reader | Lists
    if len(chunks) == 1:
        reader = make_reader(dialect, vocabulary.interner)
        part(reader, *chunks[0])
    else:
        reader = Lists(dialect, vocabulary.interner, workers)
        reader.read(chunks, part)
    # graph i is that of text i, or there are no problems but the graph is left out
    problems = [
        _problem(problem, place(problem[0]))
        if isinstance(items[problem[0]], str)
        else (problem[0], f"{place(problem[0])}: {no_text(items[problem[0]])}")
        for problem in reader.problems
    ]
    corpus = _corpus(reader, vocabulary, dialect, source, problems)
    if on_error == "repair":
        from fastmatch.graphs.mending import mended_items  # here and below: most reading mends nothing

        return _of(mended_items(corpus.content, items, place), corpus)
    return corpus


def several_files(source: Any) -> list[str] | None:
    """The files of a folder, a pattern or a list; None for one file."""
    if isinstance(source, (str, PathLike)):
        name = fspath(source)
        return None if name == "-" or os.path.isfile(name) else expanded(name)
    if isinstance(source, (list, tuple)):
        if not source:
            raise OptionError("read: the list of files is empty")
        if all(isinstance(name, (str, PathLike)) for name in source):
            return expanded(source)
    raise TypeError(f"read takes a path, a list of paths, a file object or '-', not {type(source).__name__}")


def saved_corpus(source: Any, name: str, data: str | bytes | bytearray | memoryview) -> Corpus | None:
    """The corpus that :meth:`Corpus.save` wrote into this file; None if it is another file.

    Raises
    ------
    ReadError
        If the corpus is damaged, or comes from a stream.
    """
    if isinstance(data, str) or bytes(data[: len(MAGIC)]) != MAGIC:
        return None
    if hasattr(source, "read") or fspath(source) == "-":
        raise ReadError("a saved corpus is read by the name of its file, not from a stream", source=name)
    return Corpus.load(source)


def _checked(dialect: str, on_error: str, vocabulary: Any) -> tuple[int, Vocabulary]:
    """The number that stands for ``on_error``, and the vocabulary, or a new one; errors if there are no such values."""
    choice("dialect", dialect, DIALECTS)
    if vocabulary is not None and not isinstance(vocabulary, Vocabulary):
        raise TypeError(f"vocabulary: expected a Vocabulary, found {type(vocabulary).__name__}")
    return on_error_mode(on_error), Vocabulary() if vocabulary is None else vocabulary


def on_error_mode(on_error: str) -> int:
    """The number that stands for it in ``Reader.feed``; OptionError if there is no such value."""
    choice("on_error", on_error, _ON_ERROR)
    return _ON_ERROR[on_error]


def contents(source: Any, workers: int = 0) -> tuple[str, str | bytes | bytearray | memoryview]:
    """Name and content, unpacked, of one file that :func:`read` takes; it raises what :func:`read` raises.

    ``workers``: threads for a large file. 0: the content is not shared but one object of bytes.
    """
    data: Any
    if isinstance(source, (str, PathLike)):
        name = fspath(source)
        if name == "-":
            name = "<stdin>"
            data = getattr(sys.stdin, "buffer", sys.stdin).read()
        else:
            data = _of_file(name, workers)
    elif hasattr(source, "read"):
        data = source.read()
        called = getattr(source, "name", None)  # an int when it was opened by its number
        name = called if isinstance(called, str) else "<stream>"
    else:
        raise TypeError(f"expected a path, a file object or '-', not {type(source).__name__}")
    if not isinstance(data, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"{name}: expected text or bytes from its read(), found {type(data).__name__}")
    if not isinstance(data, str):
        if bytes(data[:2]) == b"\x1f\x8b":
            data = _unpacked(data, name)
        packed = packed_by(data)
        if packed is not None:
            raise ReadError(f"packed by {packed}; expected text, as it is or packed by gzip", source=name)
    return name, data


def _of_file(path: str, workers: int) -> bytes | memoryview:
    try:
        if workers:
            return load(path, workers)
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.filename is None:
            error.filename = path  # what opening a file names, reading it does not
        if "\n" in path or path.lstrip().startswith(("(", "#")):
            raise OptionError("read takes the name of a file; a text with graphs goes to parse") from None
        raise


def _unpacked(data: bytes | bytearray | memoryview, name: str) -> bytes:
    import gzip
    import zlib

    try:
        return gzip.decompress(data)
    except (EOFError, OSError, zlib.error) as error:
        raise ReadError(f"damaged gzip file: {error}", source=name) from error


def feed_all(
    reader: Reader,
    data: str | bytes | bytearray | memoryview,
    mode: int,
    name: str,
    progress: Callable[[int, int], object] | None,
) -> None:
    """Have a reader read a whole text; ReadError for the first error, if ``mode`` says so."""
    # The position is 0 again when all is read. Between chunks Python looks for Ctrl-C by itself.
    position = reader.feed(data, mode, False, 0, _CHUNK)
    while position > 0:
        if progress is not None:
            progress(min(position, len(data)), len(data))
        position = reader.feed(data, mode, False, position, _CHUNK)
    if position < 0:
        raise _error(reader, name, hint(name, data))
    if progress is not None:
        progress(len(data), len(data))


def _error(reader: Reader, source: str, hint: str = "") -> ReadError:
    assert reader.fault is not None
    message, line, column, text, place = reader.fault
    return ReadError(message + hint, source=source, line=line, column=column, text=text, place=place)


def _problem(problem: tuple[int, str, int, int], source: str) -> tuple[int, str]:
    index, message, line, column = problem
    return index, f"{source}:{line}:{column}: {message}"


def _mended(
    reader: Reader | Parts,
    vocabulary: Vocabulary,
    dialect: Dialect,
    source: str,
    data: str | bytes | bytearray | memoryview,
) -> Corpus:
    """What was read of one text, with broken graphs mended."""
    from fastmatch.graphs.mending import mended_text

    begins = reader.begins()  # making the columns empties the reader
    corpus = _corpus(reader, vocabulary, dialect, source)
    return _of(mended_text(corpus.content, data, begins, reader.stops), corpus)


def _of(content: Content, corpus: Corpus) -> Corpus:
    """The corpus of this content: the one that was read if nothing was mended."""
    return Corpus(*content) if content.repairs else corpus


def _corpus(
    reader: Reader | Parts,
    vocabulary: Vocabulary,
    dialect: Dialect,
    source: str,
    problems: list[tuple[int, str]] | None = None,
) -> Corpus:
    if problems is None and reader.problems:
        problems = [_problem(problem, source) for problem in reader.problems]
    lost = getattr(reader, "lost", None)  # only some dialects have what a graph can do without
    if lost is not None:
        number, line, name = lost
        warn_caller(
            f"{source}: left out {number} co-reference{'s' if number > 1 else ''} to nodes that do not exist (the "
            f"first on line {line}, to {name!r})",
            ReadWarning,
        )
    arrays: Any = reader.columns()
    return Corpus(vocabulary, arrays, dialect, source, tuple(problems) if problems else ())
