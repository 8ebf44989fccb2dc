"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("NOT_OFFERED", "OFFICIAL")

_NO_GRAPH = "Memories are texts that stand alone, without entities or relations between them."

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "reference": {
        "add_observations": "default.remember",
        "create_entities": "",
        "create_relations": "",
        "delete_entities": "",
        "delete_observations": "default.forget",
        "delete_relations": "",
        "open_nodes": "",
        "read_graph": "default.find_memories",
        "search_nodes": "default.find_memories",
    },
}
"""Well-known server -> its tool -> ours, as toolset.tool."""

NOT_OFFERED: Mapping[str, str] = {
    "create_entities": _NO_GRAPH,
    "create_relations": _NO_GRAPH,
    "delete_entities": _NO_GRAPH,
    "delete_relations": _NO_GRAPH,
    "open_nodes": _NO_GRAPH,
}
"""Tools without one of ours, and why."""
