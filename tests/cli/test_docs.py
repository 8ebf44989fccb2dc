"""What the documents say exists, and what exists is in the documents."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml
from pydantic import BaseModel

from harness.cli import app
from harness.core import config
from harness.core.config_file import load
from servers.kernel import App, Engine, World
from tests.sampling import FULL

ROOT = Path(__file__).parents[2]
ROOMS = ("servers", "harness", "benchmarks", "userssim")
CLI, CONFIG, USERS = (
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("cli.md", "config.md", "users.md")
)
MODELS = {
    **dict.fromkeys(
        (
            config.RunConfig, config.Limits, config.Condition, config.ReferenceConfig, config.LlmConfig, config.Price,
        ),
        CONFIG,
    ),
    **dict.fromkeys((config.UserConfig, config.LlmUserConfig), USERS),
}  # fmt: skip
"""Settings, and the page that has to name them."""

PAGES = sorted(
    page for room in (*ROOMS, "docs", "examples") for page in (ROOT / room).rglob("*.md") if ".venv" not in page.parts
)
PAGES += sorted(ROOT.glob("*.md"))


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def texts() -> tuple[tuple[Path, str], ...]:
    """What is written for readers: pages, and the docstrings of modules, classes, functions and names."""
    return tuple(_texts())


def _texts() -> Iterator[tuple[Path, str]]:
    for page in PAGES:
        yield page, page.read_text(encoding="utf-8")
    for path in sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield path, node.value.value


def commands(command: Any, path: tuple[str, ...] = ("harness",)) -> Iterator[tuple[str, Any]]:
    if not hasattr(command, "list_commands"):
        yield " ".join(path), command
        return
    for name in command.list_commands(None):  # as help lists them, with those of benchmarks
        yield from commands(command.get_command(None, name), (*path, name))


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
    assert [name for name in model.model_fields if f"`{name}`" not in MODELS[model]] == []


def test_the_config_in_the_documents_is_valid(tmp_path: Path) -> None:
    block = re.findall(r"```yaml\n(.*?)```", CONFIG, re.DOTALL)[0]
    (tmp_path / "example.yaml").write_text(block)

    assert load(tmp_path / "example.yaml").suite == "lhaw-workplace"


def test_every_config_is_listed_in_the_documentation() -> None:
    page = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")

    rows = "\n".join(line.split("|")[1] for line in page.split("## Configs")[1].splitlines() if line.startswith("|"))

    assert [path.name for path in sorted((ROOT / "configs").glob("*.yaml")) if f"`{path.name}`" not in rows] == []


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


@pytest.mark.parametrize("path", PAGES, ids=named)
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))

    assert [t for t in targets if "://" not in t and not (path.parent / t).exists()] == []


def test_every_page_leads_back_to_the_list_of_pages() -> None:
    home = ROOT / "docs" / "README.md"
    for page in home.parent.rglob("*.md"):
        leads = f"[docs]({'../' * (len(page.relative_to(home.parent).parts) - 1)}README.md)"
        assert page == home or leads in page.read_text(encoding="utf-8").split("\n", 3)[2], page


def test_every_path_that_a_page_or_docstring_cites_is_in_the_repository() -> None:
    rooms = "|".join(("bundle", "configs", "docs", "examples", "tests", *ROOMS))
    cited = re.compile(rf"(?<![\w/.{{<\[-])(?:(?:{rooms})/[\w./-]*\w|[\w.][\w./-]*\.md\b)")
    found = [(path, name) for path, text in texts() for name in cited.findall(text)]
    gone = {
        f"{named(path)} cites {name}"
        for path, name in found
        if not any((place / f"{name}{end}").exists() for place in (ROOT, path.parent) for end in ("", ".py"))
    }

    assert len(found) > 100
    assert [each for each in sorted(gone) if not each.endswith(("/NAME", "cites docs/plan.md"))] == []


def test_every_section_that_a_page_or_docstring_cites_is_there() -> None:
    found = [
        (path, *cited) for path, text in texts() for cited in re.findall(r"\b(docs/[\w./-]+\.md),\s([A-Z][\w ]+)", text)
    ]
    unnamed = [(path, word) for path, text in texts() for word in re.findall(r"\b([A-Z]{3,})\ssection \d", text)]
    headings = {
        (page, title)
        for _, page, _ in found
        for title in re.findall(r"^#+ (.+)$", (ROOT / page).read_text("utf-8"), re.M)
    }

    assert len(found) > 10
    assert [cited for cited in found if cited[1:] not in headings] == []
    assert {word for _, word in unnamed} == {"LHAW"}, "sections of documents that nobody can look up"


def test_the_citation_has_the_version_and_the_licence_of_the_package() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert {each: citation[each] for each in ("version", "license")} == {
        each: project[each] for each in ("version", "license")
    }
    assert citation["abstract"] == project["description"]


def output_of(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "harness", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "7"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The run of the README's first command, and what that printed."""
    folder = tmp_path_factory.mktemp("first")
    (name,) = set(re.findall(r"runs/(lhaw-[0-9a-f]{12})", (ROOT / "README.md").read_text(encoding="utf-8")))
    # `make test` begins with that command: what it played a minute ago is shown again, and not played twice.
    if (ROOT / "runs" / name).is_dir() and not FULL:
        shutil.copytree(ROOT / "runs" / name, folder / "runs" / name)
    printed = output_of(folder, "eval", str(ROOT / "configs" / "lhaw.yaml"), "--sample", "24")
    return folder / "runs" / name, printed


@pytest.mark.slow
def test_the_readme_shows_what_the_first_command_prints(first: tuple[Path, str]) -> None:
    printed = first[1].replace(", played earlier and shown again (--fresh starts over)", "").splitlines()
    (shown,) = re.findall(r"```\n(Calibration.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)

    assert [line for line in shown.splitlines() if line != "..." and line not in printed] == []


@pytest.mark.slow
def test_the_page_on_the_worth_of_questions_shows_what_that_run_has_to_be_played_for_it(
    first: tuple[Path, str], tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "voi.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```\n\$ harness eval configs/lhaw.yaml --sample 24 .*?\n\$.*?\n(.*?)\$", page, re.DOTALL)

    assert output_of(tmp_path, "voi", str(first[0])) == shown
