"""What the tools of well-known mail servers, and of the paper's table, are called here."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("NOT_OFFERED", "OFFICIAL")

_PI = (
    "archive_thread", "create_draft", "forward_thread", "label_thread", "log_in", "log_out", "mark_read",
    "mark_unread", "remove_label", "reply_to_email", "search_labels", "search_users", "send_draft", "send_email",
    "sign_up", "star_thread", "update_draft", "view_category_sizes", "view_draft", "view_drafts", "view_email",
    "view_inbox_threads", "view_outbox_threads", "view_starred_threads", "view_thread",
)  # fmt: skip

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "google": {
        "search_threads": "default.find_emails",
        "get_thread": "default.get_conversation",
        "get_message": "default.get_conversation",
        "create_draft": "default.save_draft",
        "list_drafts": "default.find_emails",
        "list_labels": "default.find_labels",
        "label_message": "",
        "unlabel_message": "",
        "label_thread": "default.label_emails",
        "unlabel_thread": "default.label_emails",
    },
    "gongrzhe": {
        "send_email": "default.send_email",
        "draft_email": "default.save_draft",
        "read_email": "default.get_conversation",
        "search_emails": "default.find_emails",
        "modify_email": "default.label_emails",
        "delete_email": "default.delete_emails",
        "list_email_labels": "default.find_labels",
        "create_label": "default.label_emails",
        "update_label": "",
        "delete_label": "",
        "get_or_create_label": "default.label_emails",
        "batch_modify_emails": "default.label_emails",
        "batch_delete_emails": "default.delete_emails",
        "create_filter": "",
        "create_filter_from_template": "",
        "list_filters": "",
        "get_filter": "",
        "delete_filter": "",
        "download_attachment": "default.get_attachment",
    },
    "pi": {name: f"pi.{name}" for name in _PI},
}
"""Server -> its tool -> "toolset.tool" that does it here, "" where none does."""

_WHOLE = "Labels are on conversations here, as people see them in Gmail; label_emails gives and takes those."
_NAMES = "A label is its name here, and remains on offer; label_emails moves conversations from one to another."
_FILTERS = "Nothing arrives while a tool is called, so a filter would have nothing to act on."

NOT_OFFERED: Mapping[str, str] = {
    "label_message": _WHOLE,
    "unlabel_message": _WHOLE,
    "update_label": _NAMES,
    "delete_label": _NAMES,
    "create_filter": _FILTERS,
    "create_filter_from_template": _FILTERS,
    "list_filters": _FILTERS,
    "get_filter": _FILTERS,
    "delete_filter": _FILTERS,
}
"""Name -> why no tool here does it."""
