"""Work in another process: its result, its errors, and what ends it."""

import operator
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from unittest.mock import Mock

import numpy as np
import pytest

from fastmatch.runtime import apart

from support.child import forked
from support.refusal import fails


def test_the_result_comes_back_and_the_process_is_used_again():
    first = apart.call("os", "getpid", ())
    assert first != os.getpid() and apart.call("os", "getpid", ()) == first
    array = np.arange(100_000)
    assert (apart.call("operator", "add", (array, array)) == 2 * array).all()


def test_what_the_function_raises_comes_back():
    fails(ZeroDivisionError, None, apart.call, "operator", "truediv", (1, 0))
    assert apart.call("operator", "truediv", (1, 2)) == operator.truediv(1, 2)


def test_what_a_library_prints_is_no_answer(capfd):
    assert apart.call("builtins", "print", ("said",)) is None
    assert "said" not in capfd.readouterr().out


def test_time_ends_it():
    threads = threading.enumerate()  # libraries that other tests have imported keep threads of their own
    before = apart.call("os", "getpid", ())
    fails(apart.Ended, None, apart.call, "time", "sleep", (1000,), until=monotonic() + 0.1)
    assert apart.call("os", "getpid", ()) != before  # that one is gone, and what it would answer with it
    assert set(threading.enumerate()) <= set(threads)


def test_another_thread_ends_it():
    cancel = np.zeros(1, np.uint8)
    fails(apart.Ended, None, apart.call, "time", "sleep", (1000,), cancel=cancel, meanwhile=lambda: cancel.fill(1))


def test_an_exception_ends_it():
    threads = threading.enumerate()
    fails(KeyboardInterrupt, None, apart.call, "time", "sleep", (1000,), meanwhile=Mock(side_effect=KeyboardInterrupt))
    assert set(threading.enumerate()) <= set(threads)


def test_a_process_that_is_gone_is_an_error():
    fails(MemoryError, "has ended", apart.call, "os", "_exit", (1,))
    assert apart.call("operator", "add", (1, 2)) == 3


def test_a_frozen_program_does_the_work_itself(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(apart, "_idle", [])
    assert apart.call("os", "getpid", ()) == os.getpid()


def test_no_more_wait_than_there_are_cpus(monkeypatch):
    """Two threads had a process each; one is kept."""
    apart.end_idle()
    monkeypatch.setattr(apart, "usable_cpus", lambda: 1)
    begun, ended = (threading.Barrier(2, timeout=600) for _ in range(2))
    ask = apart._Process.ask

    def both(process, *arguments):
        """Neither has its answer before the other has its process too."""
        begun.wait()
        answer = ask(process, *arguments)
        ended.wait()
        return answer

    monkeypatch.setattr(apart._Process, "ask", both)
    with ThreadPoolExecutor(2) as pool:
        found = [pool.submit(apart.call, "os", "getpid", ()) for _ in range(2)]
    (kept,) = apart._idle
    assert kept._process.pid in [future.result() for future in found]


def test_processes_that_have_ended_are_forgotten(monkeypatch):
    """Of several that waited too long none stays behind, not even as an entry in the system's table."""
    apart.end_idle()
    old = [apart._Process() for _ in range(3)]
    monkeypatch.setattr(apart, "_idle", list(old))
    old[1]._process.kill()
    old[1]._process.wait()
    old[0]._since -= apart.IDLE
    assert apart.call("os", "getpid", ()) == old[2]._process.pid and apart._idle == [old[2]]
    assert all(process._process.returncode is not None for process in old[:2])
    apart.end_idle()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_has_processes_of_its_own():
    mine = apart.call("os", "getpid", ())
    assert forked(lambda: apart.call("os", "getpid", ()) != mine) == 0
    assert apart.call("os", "getpid", ()) == mine
