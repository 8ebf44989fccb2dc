"""Words that the page explains are those of whoever coined them."""

from __future__ import annotations

import re

from benchmarks.lhaw.flags.taxonomy import FLAGS
from harness.view.files import STATIC


def test_failure_flags_are_explained_in_the_words_of_the_benchmark() -> None:
    script = (STATIC / "js" / "words.js").read_text(encoding="utf-8")
    (body,) = re.findall(r"const FAILURE_FLAGS = \{\n(.*?)\n\};", script, re.DOTALL)

    assert dict(re.findall(r'(\w+):\s+"([^"]+)",', body)) == {name: flag.flaw for name, flag in FLAGS.items()}
