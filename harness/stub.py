"""A stub model server for tests: `python -m harness.stub`."""

from harness.models.stub import Fault, Reply, Script, ScriptError, StubServer, ToolCall, load_script, main

__all__ = ("Fault", "Reply", "Script", "ScriptError", "StubServer", "ToolCall", "load_script")

if __name__ == "__main__":
    raise SystemExit(main())
