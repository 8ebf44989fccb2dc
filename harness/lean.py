"""A server's modules without what only clients and other servers need of them, for a quick start.

A desktop client starts one process per app, and waits. The MCP SDK's packages import clients and a web framework in
their own bodies, and build every model of two protocol eras: three quarters of a second, most of it for nothing here.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec, module_from_spec
from types import ModuleType

from pydantic import BaseModel, ConfigDict

__all__ = ("quick_start",)

_PACKAGES = ("mcp", "mcp.server", "harness.service")


@contextmanager
def quick_start() -> Iterator[None]:
    """Import what is imported in here as cheaply as it goes; all of it works as ever, and costs when it is used.

    The bodies of `_PACKAGES` run once a name of theirs is asked for, models are built once a value is, and
    the garbage collector does not look through the new modules again and again.
    """
    before, collecting = BaseModel.model_config, gc.isenabled()
    gc.disable()
    BaseModel.model_config = ConfigDict(**before, defer_build=True)
    try:
        for name in _PACKAGES:
            if name not in sys.modules:
                sys.modules[name] = _put_off(name)
        yield
    finally:
        BaseModel.model_config = before
        if collecting:
            gc.enable()


def _put_off(name: str) -> ModuleType:
    """A package whose modules can be imported, and whose own body runs when somebody asks for a name in it."""
    spec = find_spec(name)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    package, loader = module_from_spec(spec), spec.loader

    def attribute(wanted: str) -> object:
        if wanted.startswith("__"):  # what the import system looks for and a package need not have
            raise AttributeError(wanted)
        vars(package).pop("__getattr__", None)
        loader.exec_module(package)
        return getattr(package, wanted)

    vars(package)["__getattr__"] = attribute
    parent, _, own = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], own, package)
    return package
