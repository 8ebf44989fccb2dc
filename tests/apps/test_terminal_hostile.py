"""Scripts that attack: refused or harmless, with nothing outside touched and nothing of this machine in the answer."""

from __future__ import annotations

import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

import pytest

from servers.kernel import Failure
from tests.apps.terminal_desk import terminal

ATTACKS = json.loads(Path(__file__).with_name("terminal_attacks.json").read_text(encoding="utf-8"))["attacks"]
CANARY = "a canary that only this machine knows"

OURS = tuple(
    text
    for text in (str(Path(__file__).parents[2]), sys.prefix, sys.base_prefix, platform.node(), os.environ.get("PATH"))
    if text and len(text) > 4
)
"""What would give this machine away."""


def test_there_are_at_least_sixty_attacks() -> None:
    assert len({attack["script"] for attack in ATTACKS}) >= 60


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"{attack['kind']}: {attack['why']}")
def test_an_attack_ends_as_the_list_says(
    attack: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_THE_HOST", CANARY)
    (tmp_path / "canary.txt").write_text(CANARY, encoding="utf-8")
    script = attack["script"].replace("{outside}", str(tmp_path))
    with terminal() as shell:
        before = shell.layer.digest()
        try:
            said, ended = shell(script), "harmless" if shell.layer.digest() == before else "inside"
        except Failure as failure:
            said, ended = str(failure), "refused"

        # A fork bomb ends at its depth or at five seconds, and jq at its own limit or then: whichever comes first.
        expected = ("harmless", "refused") if attack["expect"] == "either" else (attack["expect"],)
        assert any(word in said for word in attack["says"].split("|")), said[:500]
        assert ended in expected, said[:500]
        assert all(path.startswith("/workspace/") for path in shell.changes())
        assert ended == "inside" or shell.layer.digest() == before

    assert CANARY not in said
    assert [text for text in OURS if text in said.replace(str(tmp_path), "")] == []
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"canary.txt": CANARY}


def test_after_every_attack_the_shell_still_works() -> None:
    with terminal() as shell:
        for attack in ATTACKS:
            if attack["kind"] in ("memory", "depth", "signal", "link", "node"):
                try:
                    shell(attack["script"])
                except Failure:
                    continue
        assert shell("echo $((6 * 7))") == "42"
