"""Which places no program may see, whether there is a fence on this machine or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.core.distribution import PACKAGES
from harness.isolation.files import Mount, hidden


def test_this_project_installed_a_second_time_shows_no_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "harness" / "isolation").mkdir(parents=True)
    for name in PACKAGES:
        (tmp_path / name).mkdir(exist_ok=True)
    (tmp_path / "of another project").mkdir()
    monkeypatch.syspath_prepend(tmp_path)

    covered = {place.at for place in hidden([Mount(str(tmp_path), str(tmp_path))])}

    assert covered == {str(tmp_path / name) for name in PACKAGES}
