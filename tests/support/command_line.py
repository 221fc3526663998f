"""The command line as tests run it: in this process, which takes a tenth of the time, or in one of its own.

What only a process of its own can show (modules that nobody has imported before, signals, closed streams) is tested
with every verb in ``cli/test_disturbed.py``.
"""

import contextlib
import io
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from fastmatch.cli import main

from support.places import SAMPLE

needs_limits = pytest.mark.skipif(os.name == "nt", reason="no limits of files there")
needs_signals = pytest.mark.skipif(os.name == "nt", reason="POSIX signals and pipes")


def fastmatch(*arguments: str, cwd: Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run ``fastmatch`` in this process: its exit status, and what it prints."""
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", category)  # as Python does, and pytest does not
        patch.chdir(cwd)
        patch.setenv("COLUMNS", "80")  # the width of help, whatever terminal the tests run on
        patch.setattr(sys, "argv", ["fastmatch", *arguments])
        for name, stream in (("stdin", given), ("stdout", out), ("stderr", err)):
            patch.setattr(sys, name, stream)
        try:
            status = main()
        except SystemExit as ended:  # --help, or flags that the parser refuses
            status = int(ended.code or 0)
    printed = []
    for stream in (out, err):
        stream.flush()
        printed.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(["fastmatch", *arguments], status, *printed)


def on_terminal(*arguments: str, cwd: Path, status: int = 0, **variables: str) -> str:
    """What ``python -m fastmatch`` shows on a terminal; skips the test where no terminal can be had."""
    pty = pytest.importorskip("pty", reason="pseudo-terminals are POSIX")
    try:
        primary, secondary = pty.openpty()
    except OSError as error:  # a container without /dev/pts
        pytest.skip(f"no pseudo-terminal: {error}")
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    process = subprocess.Popen(
        [sys.executable, "-m", "fastmatch", *arguments],
        cwd=cwd,
        stdout=secondary,
        stderr=secondary,
        stdin=secondary,
        env={**environment, "TERM": "xterm", "COLUMNS": "100", **variables},
    )
    os.close(secondary)
    output = b""
    while True:
        try:
            chunk = os.read(primary, 65536)
        except OSError:  # Linux reports the end of a terminal as an error
            break
        if not chunk:
            break
        output += chunk
    os.close(primary)
    assert process.wait() == status
    return output.decode().replace("\r", "")


def run(*arguments: str, cwd: Path, stdin: str = "", status: int = 0) -> subprocess.CompletedProcess[str]:
    """Run ``fastmatch``; the exit status must be ``status``, and a good run must leave stderr empty."""
    done = fastmatch(*arguments, cwd=cwd, stdin=stdin)
    assert done.returncode == status, (done.args, done.stdout, done.stderr)
    if status == 0:
        assert done.stderr == ""
    assert "Traceback" not in done.stderr
    return done


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0, program: Callable[..., int] = main):
    """Standard output and standard error of ``fastmatch``, run in this process and where it stands."""
    try:
        found = program(arguments)
    except SystemExit as stop:
        found = int(stop.code or 0)
    told = capsys.readouterr()
    assert found == status, (arguments, told.err)
    return told


def refused(*arguments: str, cwd: Path, stdin: str = "") -> str:
    """Run something that must end with status 2 and one line on stderr; return that line."""
    done = run(*arguments, cwd=cwd, stdin=stdin, status=2)
    assert done.stdout == "" and done.stderr.count("\n") == 1 and done.stderr.startswith("fastmatch")
    return done.stderr


def first_pairs(folder: Path) -> Path:
    """The folder, in which ``pred.amr`` and ``gold.amr`` are now the first twelve graphs of the sample corpus."""
    for side in ("pred", "gold"):
        text = (SAMPLE / f"sample-{side}.amr").read_text(encoding="utf-8")
        (folder / f"{side}.amr").write_text("\n\n".join(text.split("\n\n")[:12]), encoding="utf-8")
    return folder


def table(text: str) -> list[dict[str, str]]:
    header, *lines = text.splitlines()
    return [dict(zip(header.split("\t"), line.split("\t"), strict=True)) for line in lines]


def verbs_of(text: str) -> list[str]:
    """The verbs that ``fastmatch --help`` lists, under their headings."""
    return re.findall(r"^  ([a-z]+(?: [a-z]+)?)(?=  |$)", text, re.MULTILINE)


@contextlib.contextmanager
def small_files(size: int):
    """No file may become larger than ``size`` bytes, as on a disk that is full by then.

    Modules that are imported meanwhile leave no byte code: it would be cut, and stay so.
    """
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
