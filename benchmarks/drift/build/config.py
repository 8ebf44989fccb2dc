"""What is to be built, as a YAML file holds it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator, model_validator

from benchmarks.drift.environments import NAMES
from benchmarks.drift.tasks import COUNTS
from benchmarks.drift.template import Environment
from benchmarks.probe.pipeline.work import matters
from harness.core.agent_config import LlmConfig, Settings

__all__ = ("BuildConfig",)


class BuildConfig(Settings):
    """A set of tasks with faulty requests.

    `route`: requests are worded from slots, without a model, or by `llm`, and then `reader`, another model, lists what
    each lets its reader take. `counts` are clean tasks to be released, by environment; the pool has `pool` times as
    many. `hand`: those written by hand take the places that they are for, whatever the route.
    """

    route: Literal["slots", "model"] = "slots"
    seed: int = Field(default=1, ge=0, le=999_999_999)
    counts: Mapping[Environment, int] = Field(
        default_factory=lambda: {name: COUNTS[name] for name in NAMES}, min_length=1
    )
    pool: float = Field(default=1.5, ge=1)
    hand: bool = True
    llm: LlmConfig | None = None
    reader: LlmConfig | None = None
    width: int = Field(default=8, ge=1)
    max_cost: float | None = Field(default=None, gt=0)
    record: Path | None = None
    replay: Path | None = None

    @field_validator("llm", "reader", mode="before")
    @classmethod
    def _a_model(cls, value: Any) -> Any:
        return {"kind": "llm", **value} if isinstance(value, dict) else value

    @field_validator("counts")
    @classmethod
    def _some(cls, counts: Mapping[Any, int]) -> Mapping[Any, int]:
        if few := next((name for name, count in counts.items() if count < 1), ""):
            raise ValueError(f"{few}: {counts[few]} tasks; give 1 or more, or leave the environment out")
        return counts

    @field_validator("replay")
    @classmethod
    def _one_of_both(cls, replay: Path | None, given: ValidationInfo) -> Path | None:
        if replay and given.data.get("record"):
            raise ValueError("record and replay: a build does one or the other")
        return replay

    @model_validator(mode="after")
    def _two_models(self) -> BuildConfig:
        if self.route == "slots":
            return self
        if self.llm is None or self.reader is None:
            raise ValueError("route: model needs `llm`, which words requests, and `reader`, which says how they read")
        if self.asked["llm"] == self.asked["reader"]:
            raise ValueError("reader: it is `llm` once more, and whoever wrote a text agrees with it; name another one")
        return self

    @property
    def asked(self) -> dict[str, Any]:
        """The models, by what their replies depend on; None without one."""
        models = {"llm": self.llm, "reader": self.reader}
        return {name: model and matters(model) for name, model in models.items()}
