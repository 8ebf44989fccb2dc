from __future__ import annotations

import pytest

from tests.cli.conftest import Call, running


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    return running(capsys)
