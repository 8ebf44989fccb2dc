"""What needs Inspect is tried where that is: `tests/clients/test_inspect.py` runs this folder in such a place."""

from __future__ import annotations

from importlib.util import find_spec

INSTALLED = find_spec("inspect_ai") is not None

collect_ignore = [] if INSTALLED else [f"test_{name}.py" for name in ("broken", "eval", "export", "limits", "options")]
