"""Names of tools elsewhere, and ours that do the same."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("OFFICIAL",)

_PI = (
    "copy_directory", "copy_file", "create_directory", "create_file", "edit_file", "edit_notebook", "glob_search",
    "grep_search", "list_directory", "log_in", "move_directory", "move_file", "read_file", "shell_exec",
    "write_file",
)  # fmt: skip

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
    "pi": {name: f"pi.{name}" for name in _PI} | {"shell_exec": "pi_shell.shell_exec"},
}
"""Well-known server -> its tool -> ours, as toolset.tool."""
