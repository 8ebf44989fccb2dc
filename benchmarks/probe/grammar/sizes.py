"""How many tokens a text has: by `cl100k` where litellm is installed, which brings its vocabulary, else by length."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.probe.records import Document, Sample

__all__ = ("MEAN", "RANGE", "SPREAD", "counted", "estimated", "rendered", "tokens")

MEAN, SPREAD, RANGE = 107_640, 4_677, (96_294, 122_098)
"""Tokens of a sample (table 1)."""
_VOCABULARY = "litellm_core_utils/tokenizers/9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|"
    r"\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
_CHARACTERS = 3.9


def tokens(text: str) -> int:
    """Tokens of a text."""
    path = _vocabulary()
    return round(len(text) / _CHARACTERS) if path is None else len(_encoder(path)(text))


def estimated() -> bool:
    """Whether tokens are told from the number of characters, for want of a vocabulary."""
    return _vocabulary() is None


def rendered(document: Document) -> str:
    """A document as it stands in the sample's indented JSON."""
    lines = json.dumps(document.model_dump(), indent=2, ensure_ascii=False).splitlines()
    return "".join(f"    {line}\n" for line in lines)


def counted(sample: Sample) -> int:
    """Tokens of the indented JSON of a sample's world model and documents, all at once."""
    shown = {"world_model": sample.world_model, "documents": [each.model_dump() for each in sample.documents]}
    return tokens(json.dumps(shown, indent=2, ensure_ascii=False))


@cache
def _vocabulary() -> Path | None:
    """The vocabulary lies where litellm does, whose import takes seconds; None where nothing can read it either."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or importlib.util.find_spec("tiktoken") is None:
        return None
    path = Path((spec.submodule_search_locations or [""])[0], _VOCABULARY)
    return path if path.is_file() else None


@cache
def _encoder(path: Path) -> Callable[[str], list[int]]:
    tiktoken: Any = importlib.import_module("tiktoken")
    ranks = importlib.import_module("tiktoken.load").load_tiktoken_bpe(str(path))
    encoding = tiktoken.Encoding("cl100k", pat_str=_PATTERN, mergeable_ranks=ranks, special_tokens={})
    encode: Callable[[str], list[int]] = encoding.encode_ordinary
    return encode
