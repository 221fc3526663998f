"""Python programs in processes of their own, which find the modules that this process finds, and those of the tests."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

TESTS = str(Path(__file__).parents[1])


def _environment(variables: dict[str, str]) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([TESTS, *filter(None, sys.path)]), **variables}


def ended(*arguments: str, cwd: Path | None = None, **variables: str) -> subprocess.CompletedProcess[str]:
    """How ``python`` with these arguments ends; ``variables`` are of its environment."""
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=_environment(variables))


def printed(*arguments: str, **variables: str) -> str:
    """What ``python`` with these arguments prints; it must end well."""
    done = ended(*arguments, **variables)
    assert done.returncode == 0, (done.stdout[-400:], done.stderr[-4000:])
    return done.stdout


def forked(succeeds: Callable[[], bool]) -> int:
    """The exit status of a copy of this process: 0 if it succeeds, 1 or 2 if not, the signal if it waits for ever."""
    child = os.fork()
    if child == 0:
        signal.alarm(30)  # ends it if it waits
        status = 2  # of an exception, which must not get on to what follows the test
        try:
            status = 0 if succeeds() else 1
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def interrupted(code: str, *arguments: str, after: float = 0) -> str:
    """What a program prints that gets Ctrl-C so many seconds after a first line "ready", without all such lines."""
    command = [sys.executable, "-c", code, *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=_environment({})
    ) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(after)
            assert process.poll() is None, "the program was meant to take longer"
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=600)
        finally:
            process.kill()
    assert err == ""
    return out.replace("ready\n", "")
