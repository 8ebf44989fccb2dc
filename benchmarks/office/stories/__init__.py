"""Story lines: what happens in an office, each a function that tells it on a stage."""

from __future__ import annotations

from benchmarks.office.stories.telling import STORIES, Size, told

__all__ = ("STORIES", "Size", "told")
