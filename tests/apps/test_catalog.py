import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from harness.cli import listing
from harness.cli.problems import CallProblem
from servers import catalog

Plugin = Callable[[str, str], None]


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plugin]:
    """Install a module as a plugin: name of the entry point, source of the module."""
    points: list[EntryPoint] = []
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(catalog, "entry_points", lambda group: [point for point in points if point.group == group])

    def install(name: str, source: str) -> None:
        module = f"plugin_{len(points)}_{name}"
        (tmp_path / f"{module}.py").write_text(source, encoding="utf-8")
        points.append(EntryPoint(name, module, "workplace_harness.apps"))

    yield install
    for point in points:
        sys.modules.pop(point.value, None)


def test_the_apps_are_the_folders_sorted_by_name() -> None:
    found = catalog.apps()

    assert {"analytics", "ask_user", "calendar", "clarify", "crm", "directory", "gmail", "projects"} <= set(found)
    assert list(found) == sorted(catalog.folders())
    assert all(app.name == name for name, app in found.items())


def test_the_workbench_toolsets_have_the_papers_27_tools() -> None:
    sets = [app.toolsets["workbench"].tools for app in catalog.apps().values() if "workbench" in app.toolsets]

    assert sum(map(len, sets)) == 27


def test_an_unknown_app_is_refused_with_a_close_match_and_what_there_is() -> None:
    with pytest.raises(catalog.UnknownApp, match=r"'gmial'.*Did you mean 'gmail'\?.*analytics, .*ask_user") as caught:
        catalog.app("gmial")
    assert isinstance(caught.value, LookupError)


@pytest.mark.parametrize("name", ["kernel", "catalog", "__pycache__", "../harness", ""])
def test_only_app_folders_are_apps(name: str) -> None:
    with pytest.raises(catalog.UnknownApp):
        catalog.app(name)


def test_whoever_asks_for_one_app_looks_into_no_folder_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    exists = os.path.exists

    def look(path: str) -> bool:
        looked.append(path)
        return exists(path)

    monkeypatch.setattr(os.path, "exists", look)
    catalog.app("gmail")

    assert [path for path in looked if path.startswith(os.path.dirname(catalog.__file__))] == [
        f"{os.path.dirname(catalog.__file__)}/gmail/__init__.py"
    ]


def test_listing_names_imports_no_app() -> None:
    program = "import sys; from servers import catalog; catalog.names(); sys.exit('servers.gmail' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_plugin_is_an_app_like_any_other(plugin: Plugin) -> None:
    plugin("todo", "from servers.kernel import App\napp = App('todo', 'Keep lists.')")

    assert catalog.app("todo").instructions == "Keep lists."
    assert "todo" in catalog.apps()
    assert "todo" not in catalog.folders()


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("import no_such_module", "cannot be imported: ModuleNotFoundError.*no_such_module"),
        ("1 / 0", "cannot be imported: ZeroDivisionError"),
        ("app = 'todo'", "does not expose `app`"),
        ("from servers.kernel import App\napp = App('other', 'x')", "'other'.*must be 'todo'"),
    ],
)
def test_a_broken_app_is_named_never_dropped(plugin: Plugin, source: str, problem: str) -> None:
    plugin("todo", source)

    with pytest.raises(catalog.BrokenApp, match=rf"(?s)'todo'.*{problem}"):
        catalog.apps()


def test_a_broken_app_is_named_with_the_line_of_its_own_code(plugin: Plugin) -> None:
    plugin("todo", "from servers.kernel import Table\n\nclass Item(Table, name='Not a name'): ...\n")

    with pytest.raises(catalog.BrokenApp, match=r"'todo'.*TypeError: .*\(.*plugin_0_todo\.py:3\)"):
        catalog.app("todo")


def test_a_broken_folder_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise SyntaxError("half a file")

    monkeypatch.setattr(catalog, "import_module", broken)

    with pytest.raises(catalog.BrokenApp, match="servers/crm cannot be imported: SyntaxError: half a file"):
        catalog.app("crm")


def test_a_plugin_with_the_name_of_a_folder_hides_neither_it_nor_others(plugin: Plugin) -> None:
    plugin("crm", "1 / 0")
    plugin("todo", "from servers.kernel import App\napp = App('todo', 'Keep lists.')")

    assert catalog.app("crm").name == "crm"
    assert catalog.app("todo").name == "todo"
    assert catalog.clashes() == ("plugin 'crm' (plugin_0_crm) has the name of another app; rename it",)
    with pytest.raises(catalog.BrokenApp, match=r"'crm'.*rename it"):
        catalog.apps()


def test_two_plugins_of_one_name_are_refused_where_one_is_asked_for(plugin: Plugin) -> None:
    for _ in range(2):
        plugin("todo", "from servers.kernel import App\napp = App('todo', 'Keep lists.')")

    assert "todo" in catalog.names()
    with pytest.raises(catalog.BrokenApp, match=r"'todo' \(plugin_1_todo\) has the name of another app; rename it"):
        catalog.app("todo")


def test_an_app_that_cannot_be_listed_hides_no_other(plugin: Plugin, capsys: pytest.CaptureFixture[str]) -> None:
    source = """
        from collections.abc import Callable
        from servers.kernel import App, State
        app = App('todo', 'Keep lists.')
        @app.reads
        def odd(state: State) -> Callable[[int], int]:
            'Give a function.'
        """
    plugin("todo", textwrap.dedent(source))
    plugin("crm", "")

    with pytest.raises(CallProblem) as told:
        listing.list_(listing.What.apps)

    clash, odd = str(told.value).splitlines()
    assert clash == "plugin 'crm' (plugin_1_crm) has the name of another app; rename it"
    assert odd.startswith("todo.odd: its result has no JSON Schema")
    assert {"analytics", "crm", "todoist"} <= {line.partition(" ")[0] for line in capsys.readouterr().out.splitlines()}
