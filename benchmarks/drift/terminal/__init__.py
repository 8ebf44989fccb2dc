"""Drift-Bench's environment `terminal`: folders of six small organisations, and what is asked for in them."""

from benchmarks.drift.template import Template
from benchmarks.drift.terminal import edits, moves, reads
from benchmarks.drift.terminal.places import PLACES
from benchmarks.drift.terminal.speaking import settled
from benchmarks.drift.terminal.worlds import WORLDS, rows, world

__all__ = ("TEMPLATES", "WORLDS", "rows", "world")

_MAKERS = (
    reads.log_count, edits.config_set, moves.photos_move, reads.invoice_sum, edits.todo_add, moves.logs_clear,
    reads.notes_find, edits.stock_add, moves.permissions, reads.stock_low, edits.invoice_state, moves.backups_keep,
)  # fmt: skip

TEMPLATES: tuple[Template, ...] = tuple(
    settled(make(PLACES[(number + shift) % len(PLACES)])) for shift in (0, 3) for number, make in enumerate(_MAKERS)
)
"""Each way to ask stands in two organisations; a third of them look, add or edit, and move, delete or protect."""
