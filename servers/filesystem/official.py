"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("NOT_OFFERED", "OFFICIAL")

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "reference": {
        "create_directory": "default.create_directory",
        "directory_tree": "default.directory_tree",
        "edit_file": "default.edit_file",
        "get_file_info": "default.get_file_info",
        "list_allowed_directories": "default.list_allowed_directories",
        "list_directory": "default.list_directory",
        "list_directory_with_sizes": "default.list_directory_with_sizes",
        "move_file": "default.move_file",
        "read_file": "default.read_text_file",  # its old name
        "read_media_file": "default.read_media_file",
        "read_multiple_files": "default.read_multiple_files",
        "read_text_file": "default.read_text_file",
        "search_files": "default.search_files",
        "write_file": "default.write_file",
    },
    "pi": {
        "copy_directory": "pi.copy_directory",
        "copy_file": "pi.copy_file",
        "create_directory": "pi.create_directory",
        "create_file": "pi.create_file",
        "edit_file": "pi.edit_file",
        "edit_notebook": "pi.edit_notebook",
        "glob_search": "pi.glob_search",
        "grep_search": "pi.grep_search",
        "list_directory": "pi.list_directory",
        "log_in": "pi.log_in",
        "move_directory": "pi.move_directory",
        "move_file": "pi.move_file",
        "read_file": "pi.read_file",
        "shell_exec": "pi_shell.shell_exec",
        "write_file": "pi.write_file",
    },
}
"""Well-known server -> its tool -> ours, as toolset.tool."""

NOT_OFFERED: Mapping[str, str] = {}
"""Tools without one of ours, and why."""
