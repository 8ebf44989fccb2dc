"""Writes the schema files beside this module, or prints the one that is named."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from harness.schemas import MODELS, schema

wanted = sys.argv[1:]
if unknown := [name for name in wanted if name not in MODELS]:
    sys.exit(f"harness.schemas: there is no schema {unknown[0]!r}; there are {', '.join(MODELS)}")
for name in wanted or MODELS:
    text = json.dumps(schema(name), indent=2, sort_keys=name != "task") + "\n"  # of a task in the order of writing
    if wanted:
        sys.stdout.write(text)
    else:
        Path(__file__).with_name(f"{name}.json").write_text(text, encoding="utf-8")
