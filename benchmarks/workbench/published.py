"""Accuracies that the paper prints, to stand beside models on `workbench-official@v1` and nowhere else."""

from __future__ import annotations

from harness.suite import Table

__all__ = ("published",)

_MODELS = ("GPT-4", "GPT-3.5", "Claude-2", "Llama2-70B", "Mixtral-8x7B")
_ACCURACY = {
    "table 5, required tools": (49, 14, 23, 3, 20),
    "table 5, all tools": (43, 0, 26, 0, 16),
    "table 7, all tasks": (43, 0, 24, 0, 16),
    "table 7, 0 actions": (75, None, 71, None, 77),
    "table 7, 1+ actions": (36, 0, 14, 0, 2),
    "table 7, 2+ actions": (18, 0, 1, 0, 1),
}
_DOMAINS = ("Analytics", "Calendar", "CRM", "Email", "Project management", "Multi-domain")
_GPT_4 = {"accuracy %": (39, 65, 23, 48, 39, 40), "side effects %": (54, 22, 6, None, 4, 29)}


def published() -> list[Table]:
    """The paper's tables 5 and 7 (accuracy) and 6 (GPT-4 per domain), in percent as printed."""
    models = [{"model": m, **{row: cells[n] for row, cells in _ACCURACY.items()}} for n, m in enumerate(_MODELS)]
    domains = [{"domain": d, **{row: cells[n] for row, cells in _GPT_4.items()}} for n, d in enumerate(_DOMAINS)]
    return [
        Table(
            "WorkBench as published (2024): accuracy %",
            list(models[0]),
            models,
            [
                "Claude-2 with all tools is 26 in table 5 and 24 in table 7. 0: the prompt with all tools did not fit.",
            ],
        ),
        Table(
            "WorkBench as published (2024): GPT-4 with all tools, per domain",
            list(domains[0]),
            domains,
            ["Table 6. The side effects of e-mail tasks cannot be read in the copy these figures were taken from."],
        ),
    ]
