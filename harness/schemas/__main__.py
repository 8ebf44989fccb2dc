"""Writes the schema files beside this module."""

from __future__ import annotations

import json
from pathlib import Path

from harness.schemas import MODELS, schema

for name in MODELS:
    text = json.dumps(schema(name), indent=2, sort_keys=True) + "\n"
    Path(__file__).with_name(f"{name}.json").write_text(text, encoding="utf-8")
