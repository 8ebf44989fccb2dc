"""Where code that others wrote broke, as records name it: the same wherever it is installed."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from harness.core.raised import place, raised


@pytest.mark.parametrize(
    ("file", "others", "named"),
    [
        ("src/own/tools/mail.py", ["pyproject.toml", "src/own/__init__.py", "src/own/tools/__init__.py"], "own/tools/"),
        ("agents/mail.py", ["pyproject.toml"], "agents/"),
        ("agents/mail.py", [".git"], "agents/"),
        (".venv/lib/site-packages/mail.py", ["pyproject.toml"], ""),
        (".venv/lib/site-packages/own/tools/mail.py", ["pyproject.toml"], "own/tools/"),
    ],
    ids=["a package", "a project", "a repository", "a module installed", "a namespace installed"],
)
def test_a_file_on_record_is_named_from_its_package_or_project_on(
    tmp_path: Path, file: str, others: list[str], named: str
) -> None:
    for name in (file, *others):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / file).write_text("def send():\n    raise ValueError('no mail')\n", encoding="utf-8")
    spec = spec_from_file_location("mail", tmp_path / file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(ValueError, match="no mail") as broke:
        module.send()

    assert place(module.send, kept=True) == f" ({named}mail.py:1)"
    assert raised(broke.value, module.send, kept=True) == f"ValueError: no mail ({named}mail.py:2)"
    assert raised(broke.value, module.send) == f"ValueError: no mail ({tmp_path / file}:2)", "on a terminal it is whole"
