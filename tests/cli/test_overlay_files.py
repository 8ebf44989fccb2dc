"""Overlays in files of their own: read as if they stood in the config, and every problem names the file at fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.core.config import ConfigProblem, RunConfig
from harness.core.config_file import load
from harness.core.overrides import Overrides
from harness.record.store import identity
from tests.cli.conftest import Call, call

__all__ = ("call",)

OVERLAY = """\
rename: {update_task: move}
describe:
  update_task: Move a job.
hide: [delete_task]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "surfaces").mkdir()
    (tmp_path / "surfaces" / "brief.yaml").write_text(OVERLAY)
    return tmp_path


def written(folder: Path, overlays: str = "{projects: surfaces/brief.yaml}", more: str = "") -> Path:
    path = folder / "run.yaml"
    path.write_text(f"suite: toy\nagents: [{{kind: oracle}}]\nconditions:\n  brief:\n    overlays: {overlays}\n{more}")
    return path


def problem(path: Path) -> str:
    with pytest.raises(ConfigProblem) as caught:
        load(path)
    return str(caught.value).removeprefix(f"{path.parent}/")


def id_of(config: RunConfig) -> str:
    return identity(config, "tasks", "package")


def test_a_file_s_content_takes_the_place_of_its_path(folder: Path) -> None:
    named = load(written(folder))
    in_place = load(
        written(folder, "\n      projects:\n" + "".join(f"        {line}\n" for line in OVERLAY.splitlines()))
    )

    assert named.conditions["brief"].overlays["projects"].rename == {"update_task": "move"}
    assert named == in_place
    assert id_of(named) == id_of(in_place)


def test_a_changed_file_is_another_run(folder: Path) -> None:
    before = load(written(folder))
    (folder / "surfaces" / "brief.yaml").write_text(OVERLAY.replace("Move a job.", "Move one."))

    assert id_of(load(written(folder))) != id_of(before)


def test_a_comment_in_the_file_is_not(folder: Path) -> None:
    before = load(written(folder))
    (folder / "surfaces" / "brief.yaml").write_text(f"# In few words.\n{OVERLAY}")

    assert id_of(load(written(folder))) == id_of(before)


def test_the_path_is_relative_to_the_config_and_stays_so_wherever_it_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(folder)
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)

    assert "projects" in load(path).conditions["brief"].overlays


def test_what_the_command_line_changes_leaves_overlays_as_the_file_has_them(folder: Path) -> None:
    path = written(folder)

    assert load(path, Overrides(trials=2)).conditions == load(path).conditions


def test_several_conditions_may_name_one_file(folder: Path) -> None:
    found = load(written(folder, more="  again:\n    overlays: {projects: surfaces/brief.yaml}\n"))

    assert found.conditions["again"] == found.conditions["brief"]


@pytest.mark.parametrize(
    ("overlays", "expected"),
    [
        (
            "{projects: surfaces/breif.yaml}",
            "run.yaml:5: conditions.brief.overlays.projects: FOLDER/surfaces/breif.yaml: there is no such file. "
            "Did you mean 'brief.yaml'?",
        ),
        (
            "{projects: surfaces}",
            "run.yaml:5: conditions.brief.overlays.projects: FOLDER/surfaces: cannot be read: Is a directory",
        ),
        (
            '{projects: "a\\0b"}',
            "run.yaml:5: conditions.brief.overlays.projects: 'FOLDER/a\\x00b': no file can have such a name",
        ),
        (
            "surfaces/brief.yaml",
            "run.yaml:5: conditions.brief.overlays: maps apps to overlays, or to their files; "
            "write `{APP: surfaces/brief.yaml}`",
        ),
        ("[projects]", "run.yaml:5: conditions.brief.overlays: must be a mapping, not ['projects']"),
        ("{projects: 3}", "run.yaml:5: conditions.brief.overlays.projects: must be a mapping, not 3"),
    ],
)
def test_a_path_that_leads_nowhere_is_named_with_its_place(folder: Path, overlays: str, expected: str) -> None:
    assert problem(written(folder, overlays)) == expected.replace("FOLDER", str(folder))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", ": an overlay is a mapping with any of rename, describe, hide; this file holds nothing"),
        (b"- hide\n", ": an overlay is a mapping with any of rename, describe, hide; this file holds a list"),
        (b"hide: []\nrenam: {}\n", ":2: renam: no such setting. Did you mean 'rename'? Known: rename, describe, hide."),
        (b"projects: {}\n", ":1: projects: no such setting. Known: rename, describe, hide."),
        (b"hide: []\nrename: [a]\n", ":2: rename: must be a mapping, not ['a']"),
        (b"hide: a\n", ":1: hide: must be a list, not 'a'"),
        (b"describe:\n  a: 3\n", ":2: describe.a: input should be a valid string, not 3"),
        (b"describe: {a: b\n", ":2: not valid YAML: while parsing a flow mapping, expected ',' or '}', but got '<str"),
        (b"hide: []\nhide: []\n", ":2: hide: given twice; the first is on line 1"),
        (b"describe:\n  a: &a [*a]\n", ":2: describe.a.0: an alias may not contain itself"),
        (b"describe: &a {a: *a}\n", ":1: describe.a: an alias may not contain itself"),
        (b"describe: {a: &a [b], c: *d}\n", ":1: not valid YAML: found undefined alias"),
        (b"[" * 5000, ": nested too deeply to be a config"),
    ],
)
def test_a_problem_in_the_file_names_it_with_line_and_field(folder: Path, content: bytes, expected: str) -> None:
    (folder / "surfaces" / "brief.yaml").write_bytes(content)
    found = problem(written(folder))

    assert found.startswith(f"surfaces/brief.yaml{expected}")
    assert len(found.splitlines()) == 1


def test_text_in_no_encoding_of_ours_is_named_with_both_places(folder: Path) -> None:
    (folder / "surfaces" / "brief.yaml").write_bytes(b"hide: []\n# \xff\n")

    assert problem(written(folder)).startswith(
        f"run.yaml:5: conditions.brief.overlays.projects: {folder}/surfaces/brief.yaml:2: not UTF-8 text"
    )


BILLION = "x: &a [l, l, l, l, l, l, l, l, l]\n" + "".join(
    f"x{n}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(8)
)


def test_aliases_that_repeat_too_much_are_refused_there_too(folder: Path) -> None:
    (folder / "surfaces" / "brief.yaml").write_text(BILLION)

    assert "more than 100,000 values, those that aliases repeat included" in problem(written(folder))


def test_files_named_so_often_that_they_repeat_too_much_are_refused(folder: Path) -> None:
    (folder / "surfaces" / "brief.yaml").write_text("describe:\n" + "".join(f"  t{n}: x\n" for n in range(2_000)))
    more = "".join(f"  c{n}: {{overlays: {{projects: surfaces/brief.yaml}}}}\n" for n in range(60))

    assert problem(written(folder, more=more)).endswith(
        "more than 100,000 values, those of surfaces/brief.yaml included"
    )


@pytest.mark.parametrize(
    ("overlays", "content", "expected"),
    [
        (
            "{gmial: surfaces/brief.yaml}",
            OVERLAY,
            "harness: run.yaml:5: conditions.brief.overlays.gmial: no task of toy has an app 'gmial'; there",
        ),
        (
            "{projects: surfaces/brief.yaml}",
            "describe: {updat: x}\n",
            "harness: run.yaml:5: conditions.brief.overlays.projects.describe.updat: projects/workbench has no tool",
        ),
        ("{projects: surfaces/none.yaml}", OVERLAY, "harness: run.yaml:5: conditions.brief.overlays.projects: "),
    ],
)
def test_nothing_is_played_under_an_overlay_that_does_not_fit(
    call: Call, folder: Path, overlays: str, content: str, expected: str
) -> None:
    (folder / "surfaces" / "brief.yaml").write_text(content)
    written(folder, overlays)
    outcome = call("eval", "run.yaml", "--output", "there")

    assert outcome.status == 2
    assert outcome.err.startswith(expected)
    assert len(outcome.err.splitlines()) == 1
    assert not (folder / "there").exists()
