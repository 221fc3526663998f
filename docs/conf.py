"""The site of the documentation: ``sphinx-build -W docs build/site``, or ``just site``.

The pages are plain Markdown, so that they can be read where the repository is hosted, too. What only the site has is
added here while the pages are read: the navigation (the lists of ``index.md``), the help of every verb, the docstrings
of the public names, and addresses for links that leave this folder.
"""

from __future__ import annotations

import argparse
import inspect
import os
import pkgutil
import re
from pathlib import Path

from sphinx.ext.autodoc.mock import mock

import fastmatch
from fastmatch.cli import _parser
from fastmatch.cli.parser import Parser

HERE = Path(__file__).parent
REPOSITORY = "https://github.com/fastmatch/fastmatch/blob/main"

project = "fastmatch"
author = "The fastmatch developers"
copyright = author
release = version = fastmatch.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["pictures/*.py"]
myst_heading_anchors = 4
# A block of Python may hold "…"; and the word `mapping` before a parameter is no link to an attribute of that name.
suppress_warnings = ["misc.highlighting_failure", "ref.python"]
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
autodoc_typehints = "none"  # the sections of the docstrings say it in words
# extras, which reading the docstrings does not need
autodoc_mock_imports = ["dask", "distributed", "matplotlib", "pandas", "pyarrow", "sklearn"]
autodoc_member_order = "bysource"
add_module_names = False
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"fastmatch {release}"
html_copy_source = False
html_theme_options = {"source_repository": "https://github.com/fastmatch/fastmatch", "source_branch": "main"}
html_theme_options["source_directory"] = "docs/"
# 90 columns of code, so that what commands print is seldom cut off
html_theme_options["light_css_variables"] = {"code-font-size": "var(--font-size--small--2)"}


def navigation(text: str) -> str:
    """A table of contents for each heading of ``index.md``: the pages that the list below the heading links to."""
    trees = []
    for section in text.split("\n## ")[1:]:
        caption = section.partition("\n")[0]
        pages = re.findall(r"^- \[[^]]+\]\(([\w/+-]+)\.md\)", section, re.MULTILINE)
        trees.append("\n".join(["", "```{toctree}", ":hidden:", f":caption: {caption}", "", *pages, "```", ""]))
    return "".join(trees)


def verbs() -> dict[str, Parser]:
    """The parser of each verb; ``fastmatch`` itself comes first."""
    main = _parser("smatch")
    actions = [action for action in main._actions if isinstance(action, argparse._SubParsersAction)]
    found = {"fastmatch": main}
    for name, parser in actions[0].choices.items():
        found[f"fastmatch {name}"] = parser
    return found


def help_of_all_verbs() -> str:
    """A section for each verb: what ``--help-all`` prints."""
    os.environ["COLUMNS"] = "80"
    sections = []
    for name, parser in verbs().items():
        sections.append(f"## {name}\n\n```text\n{parser.whole_help().rstrip()}\n```\n")
    return "\n".join(sections)


def directive(name: str) -> str:
    """What asks for the docstring of a name of the package, or of a module of it."""
    with mock(autodoc_mock_imports):  # `fastmatch.sklearn` and its kind need an extra
        value = pkgutil.resolve_name(f"fastmatch.{name}")
    options: tuple[str, ...]
    if inspect.ismodule(value):
        kind, options = "automodule", ("members", "no-index")
    elif inspect.isclass(value):
        error = issubclass(value, BaseException)
        kind, options = ("autoexception", ()) if error else ("autoclass", ("members",))
    else:
        kind, options = "autofunction", ()
    return "\n".join([f".. {kind}:: fastmatch.{name}", *(f"   :{option}:" for option in options), ""])


def docstrings(match: re.Match[str]) -> str:
    """The docstrings of the names in a comment ``<!-- docstrings: NAME NAME -->``."""
    return "\n".join(["```{eval-rst}", *map(directive, match[1].split()), "```"])


def outward(docname: str, text: str) -> str:
    """Links to files outside this folder lead to the repository."""

    def address(match: re.Match[str]) -> str:
        path = Path(os.path.normpath(HERE / Path(docname).parent / match["path"]))
        if path.is_relative_to(HERE):
            return match[0]
        return f"]({REPOSITORY}/{path.relative_to(HERE.parent).as_posix()}{match['place']})"

    return re.sub(r"\]\((?P<path>\.\./[^)#\s]*)(?P<place>(#[^)]*)?)\)", address, text)


def read(app: object, docname: str, source: list[str]) -> None:
    """Add to a page what only the site has."""
    text = source[0]
    if docname == "index":
        text += navigation(text)
    text = text.replace("<!-- the help of every verb -->", help_of_all_verbs())
    text = re.sub(r"<!-- docstrings:\s(.*?)\s-->", docstrings, text, flags=re.DOTALL)
    source[0] = outward(docname, text)


def setup(app: object) -> None:
    """Called by Sphinx."""
    app.connect("source-read", read)  # type: ignore[attr-defined]
