"""`harness serve --transport http` as a process, for clients that are none of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from servers import catalog
from tests.conformance.node import ROOT

__all__ = ("CALLS", "ENVIRONMENT", "SERVE", "http_server")

SERVE = (sys.executable, "-m", "harness", "serve")
ENVIRONMENT = {"PYTHONPATH": str(ROOT)}

CALLS: dict[str, tuple[str, dict[str, str], bool]] = {
    "actions": ("list_actions", {}, False),
    "amazon": ("search_products", {"query": "lamp"}, False),
    "analytics": ("total_visits_count", {}, False),
    "answer": ("submit_answer", {"answers": '["12"]'}, False),
    "apis": ("list_endpoints", {"service": "parcels"}, False),
    "ask_user": ("ask_user", {"question": "Which one?"}, True),
    "calendar": ("find_events", {"query": "review"}, False),
    "chat": ("find_channels", {}, False),
    "clarify": ("clarify", {"strategy": "ask_parameter", "content": "Which one?"}, True),
    "crm": ("find_records", {"kind": "contact"}, False),
    "datastore": ("sql_reader", {"query": "SELECT count(*) FROM emails"}, False),
    "desk": ("schedule_task", {"action": "list"}, False),
    "directory": ("find_email_address", {"name": "a"}, False),
    "filesystem": ("list_allowed_directories", {}, False),
    "gmail": ("find_emails", {"query": "report"}, False),
    "memory": ("find_memories", {}, False),
    "phone": ("search_contacts", {"query": "a"}, False),
    "projects": ("search_tasks", {"board": "Design"}, False),
    "simple_note": ("find_notes", {}, False),
    "skills": ("list_skills", {}, False),
    "splitwise": ("search_users", {"query": "a"}, False),
    "spotify": ("search_songs", {"query": "a"}, False),
    "sql": ("run_sql", {"statement": "SELECT 1"}, False),
    "terminal": ("run_shell", {"script": "ls"}, False),
    "todoist": ("find_tasks", {}, False),
    "web": ("search", {"query": "tide"}, False),
}
"""Per app a call, and if it is refused, as nobody answers questions here."""


@contextmanager
def http_server() -> Iterator[str]:
    """The address of a process that serves every app, while the block runs."""
    command = [*SERVE, *catalog.names(), "--transport", "http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, **ENVIRONMENT}) as process:
        assert process.stderr is not None
        try:
            address = process.stderr.readline().partition("serving at ")[2].partition(";")[0]
            assert address, process.stderr.read()
            yield address
        finally:
            process.terminate()
