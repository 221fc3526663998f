"""How a metric is found by its name, while another thread is importing its module."""

import sys
import textwrap
import threading

import fastmatch.metrics
from fastmatch.metrics import registry

HALF_DONE = """
    from fastmatch.metrics.base import Metric
    from fastmatch.metrics.registry import register

    @register("half-done")
    class HalfDone(Metric):
        pass

    MEANWHILE()  # what other threads do before the rest of the module is there
    complete = True
"""


def test_a_metric_is_not_handed_out_before_its_module_is_complete(tmp_path, monkeypatch):
    """A class is registered before the functions below it exist; another thread would meet a NameError in them."""
    (tmp_path / "half_done.py").write_text(textwrap.dedent(HALF_DONE), encoding="utf-8")
    monkeypatch.setattr(fastmatch.metrics, "__path__", [*fastmatch.metrics.__path__, str(tmp_path)])
    monkeypatch.setitem(registry.BUILT_IN, "half-done", "half_done")
    complete: list[bool] = []

    def ask() -> None:
        complete.append(hasattr(sys.modules[registry.get("half-done").__module__], "complete"))

    asking = threading.Thread(target=ask)

    def meanwhile() -> None:
        asking.start()
        asking.join(0.5)  # it is to wait for this very import, so it cannot be waited for longer

    monkeypatch.setattr("builtins.MEANWHILE", meanwhile, raising=False)
    try:
        registry.get("half-done")
        asking.join()
        assert complete == [True]
    finally:
        registry._REGISTRY.pop("half-done", None)
        sys.modules.pop("fastmatch.metrics.half_done", None)
