"""What the audit sees of a list of calls."""

from __future__ import annotations

import anyio

from harness.audit.play import Player
from harness.task import Call
from servers.kernel import Edit
from tests.audit import toys
from tests.harness import toy


def test_what_the_setup_added_is_updated_and_what_a_call_removed_is_there_no_more() -> None:
    row = {"task_name": "From the setup", **toys.LISTED}
    setup = (Edit(op="add", app="projects", table="tasks", id="00000099", values=row),)
    calls = [
        toys.update("00000099", "board", "Front end"),
        toys.update("00000000", "board", "Front end"),
        toys.create("New"),
        Call(app="projects", tool="delete_task", arguments={"task_id": "00000099"}),
        toys.update("00000099", "board", "Design"),
    ]
    player = Player(toy.suite())
    try:
        played = anyio.run(player.play, toy.task(0).model_copy(update={"setup": setup}), calls)
    finally:
        player.close()

    assert played.effects == ["update", "update", "insert", "delete", "failed"]
