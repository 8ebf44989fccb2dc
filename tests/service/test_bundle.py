"""Several apps as one server."""

from __future__ import annotations

from pathlib import Path

import anyio

from benchmarks.workflows.layout import office
from harness.service.bundle import Bundle
from harness.service.standalone import Apps, opened
from servers import catalog
from tests.harness import toy
from tests.service.kept import PROJECTS
from tests.service.scenes import MOVE


def test_what_tools_of_several_apps_say_names_tools_as_they_are_named_there() -> None:
    toolsets = [catalog.app(name).default for name in ("todoist", "crm")]
    with opened(Apps(toolsets=toolsets, world=office())) as (boxes, _):
        bundle = Bundle(boxes)
        (surface,) = bundle.toolsets.values()
        refused = anyio.run(bundle.call, "workplace", "crm_save_deal", {"deal_id": "D4", "stage": "Lead"})
        invalid = anyio.run(bundle.call, "workplace", "crm_save_deal", {"deal": 4})

    assert "`todoist_complete_tasks`" in surface.tools["todoist_update_tasks"].description
    texts = [tool.description for tool in surface.tools.values()] + [surface.instructions]
    assert not [name for part in toolsets for name in part.tools for text in texts if f"`{name}`" in text]
    assert "`crm_move_deal`" in refused.text
    assert invalid.text.startswith("Invalid arguments for crm_save_deal")
    assert (invalid.app, invalid.tool) == ("crm", "save_deal")


def test_several_apps_are_one_server_with_prefixed_tools(tmp_path: Path) -> None:
    directory = catalog.app("directory").default
    with opened(Apps(toolsets=[PROJECTS, directory], world=toy.world(), record=tmp_path / "calls")) as (boxes, _):
        bundle = Bundle(boxes)
        (surface,) = bundle.toolsets.values()
        moved = anyio.run(bundle.call, "workplace", "projects_update_task", MOVE)
        wrong = anyio.run(bundle.call, "workplace", "update_task", MOVE)

    assert list(surface.tools) == [
        *(f"projects_{name}" for name in PROJECTS.tools),
        *(f"directory_{name}" for name in directory.tools),
    ]
    assert (moved.app, moved.tool, moved.status) == ("projects", "update_task", "ok")
    assert wrong.status == "unknown"
    assert "projects_update_task" in wrong.text
    assert "projects" in surface.app.instructions
