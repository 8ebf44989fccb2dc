"""What the documents say exists, and what exists is in the documents."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import typer.main
from pydantic import BaseModel

from harness import config
from harness.cli import app
from harness.config_file import load
from servers.kernel import App, Engine, World

ROOT = Path(__file__).parents[2]
CLI = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
MODELS = (
    config.RunConfig, config.Limits, config.Condition, config.UserConfig, config.ReferenceConfig, config.LlmConfig,
    config.Price,
)  # fmt: skip


def commands(command: Any, path: tuple[str, ...] = ("harness",)) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield " ".join(path), command
    for name, each in (inner or {}).items():
        yield from commands(each, (*path, name))


COMMANDS = dict(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name: str) -> None:
    options = [
        option
        for parameter in COMMANDS[name].params
        for option in parameter.opts
        if option.startswith("--") and not getattr(parameter, "hidden", False)
    ]

    assert re.search(rf"^{name}\b", CLI, re.MULTILINE)
    assert [option for option in options if f"`{option}" not in CLI and option != "--help"] == []
    assert COMMANDS[name].help


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_setting_is_documented(model: type[BaseModel]) -> None:
    assert [name for name in model.model_fields if f"`{name}`" not in CLI] == []


def test_the_config_in_the_documents_is_valid(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", CLI, re.DOTALL)
    (tmp_path / "example.yaml").write_text(block)

    assert load(tmp_path / "example.yaml").suite == "lhaw-workplace"


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.yaml")), ids=lambda path: path.name)
def test_every_config_loads(path: Path) -> None:
    assert load(path).name == path.stem


def test_the_app_in_the_contributors_guide_works() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {"__name__": "shopping"}
    exec(compile(block, "CONTRIBUTING.md", "exec"), names)
    shopping: App = names["app"]
    engine = Engine()
    items: list[dict[str, Any]] = [{"id": "1", "what": "milk"}, {"id": "2", "what": "tea", "bought": True}]
    world = World("home", datetime(2025, 3, 13), {"shopping": {"items": items}})
    state = engine.layer(engine.load(world)).state(shopping)
    tools = shopping.default.tools
    before = tools["find_items"].call(state, {}).data
    tools["buy_item"].call(state, {"item_id": "1"})

    assert before == {"result": [{"id": "1", "what": "milk", "bought": False}]}
    assert tools["find_items"].call(state, {}).data == {"result": []}
    engine.close()


@pytest.mark.parametrize("path", [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")], ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))

    assert [t for t in targets if "://" not in t and not (path.parent / t).exists()] == []


@pytest.mark.slow
def test_the_readme_shows_what_the_first_command_prints(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harness", "eval", str(ROOT / "configs" / "lhaw.yaml")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment)
    printed = done.stdout.splitlines()
    (shown,) = re.findall(r"```\n(Calibration.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)

    assert done.returncode == 0, done.stderr
    assert [line for line in shown.splitlines() if line != "..." and line not in printed] == []
