"""The tools of HubSpot's own servers, and which of ours does what each of them does."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ("NOT_OFFERED", "OFFICIAL")

OFFICIAL: Mapping[str, Mapping[str, str]] = {
    "hubspot local": {
        "hubspot-get-user-details": "",
        "hubspot-list-objects": "default.find_records",
        "hubspot-search-objects": "default.find_records",
        "hubspot-batch-create-objects": "",
        "hubspot-batch-read-objects": "default.get_record",
        "hubspot-batch-update-objects": "",
        "hubspot-batch-create-associations": "default.associate_records",
        "hubspot-list-associations": "default.get_record",
        "hubspot-get-association-definitions": "",
        "hubspot-list-properties": "",
        "hubspot-get-property": "",
        "hubspot-create-property": "",
        "hubspot-update-property": "",
        "hubspot-get-schemas": "",
        "hubspot-create-engagement": "default.add_note",
        "hubspot-get-engagement": "default.get_record",
        "hubspot-update-engagement": "default.save_task",
        "hubspot-list-workflows": "",
        "hubspot-get-workflow": "",
        "hubspot-get-link": "",
        "hubspot-generate-feedback-link": "",
    },
    "hubspot remote": {
        "get_user_details": "",
        "get_organization_details": "",
        "discover_hubspot_schema": "",
        "search_crm_objects": "default.find_records",
        "get_crm_objects": "default.get_record",
        "manage_crm_objects": "",
        "query_crm_data": "default.find_records",
        "search_properties": "",
        "manage_segment": "",
    },
}
"""Server -> its tool -> toolset and tool here, empty for one that is not offered."""

_WHOSE = "The instructions of the server say whose records these are."
_TYPED = "Fields are parameters of `save_contact`, `save_company`, `save_deal` and `save_task`; there are no others."
_BY_KIND = "Each kind has a tool of its own: `save_contact`, `save_company`, `save_deal`, `save_task`."
_FLOWS = "Nothing happens here except through a tool: there are no workflows."

NOT_OFFERED: Mapping[str, str] = {
    "hubspot-get-user-details": _WHOSE,
    "hubspot-batch-create-objects": _BY_KIND,
    "hubspot-batch-update-objects": f"{_BY_KIND} `assign_records` gives several to a colleague.",
    "hubspot-get-association-definitions": "Any two records may be associated, with any label.",
    "hubspot-list-properties": _TYPED,
    "hubspot-get-property": _TYPED,
    "hubspot-create-property": _TYPED,
    "hubspot-update-property": _TYPED,
    "hubspot-get-schemas": _TYPED,
    "hubspot-list-workflows": _FLOWS,
    "hubspot-get-workflow": _FLOWS,
    "hubspot-get-link": "There are no pages in a browser to link to.",
    "hubspot-generate-feedback-link": "There is nobody to give feedback to.",
    "get_user_details": _WHOSE,
    "get_organization_details": _WHOSE,
    "discover_hubspot_schema": _TYPED,
    "manage_crm_objects": _BY_KIND,
    "search_properties": _TYPED,
    "manage_segment": "Segments are not kept; `find_records` narrows records when they are wanted.",
}
"""Why a tool is not offered."""
