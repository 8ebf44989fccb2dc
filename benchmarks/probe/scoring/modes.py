"""How answers fail (section 4, table 5). Modes overlap: an answer may fail in several ways at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pydantic import BaseModel, ConfigDict

from benchmarks.probe.scoring.answers import DetailName, Grade
from benchmarks.probe.scoring.scored import Scored

__all__ = ("Modes", "Share", "modes")


class Share(BaseModel):
    """How many of how many; `value` is None of none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    count: int
    of: int

    @property
    def value(self) -> float | None:
        return self.count / self.of if self.of else None


class Modes(BaseModel):
    """The rows of table 5 for one agent, and those that stand apart here.

    Of answers with identification below 1: `root_cause` (told wrongly or not at all, as the paper's footnote 5 has it),
    `person` (either one told wrongly), `deadline` (told wrongly or not at all), and apart `cause_missing`, which of the
    causes were not told at all, and `person_missing`.

    Of answers with identification of at least 0.5: `wrong_function` (another action). The published code compares no
    actions there: `would_not_resolve` is what it counts, a judge of parameters who says neither yes nor partially, of
    those among them with execution below 1.

    Of answers with identification of at least 0.5, the right action and execution below 1: `missing`, `wrong`, and
    `unexplained` where neither is so. The published code takes those that would resolve at least partially for the
    right action, and what is unexplained for wrong: `paper_missing`, `paper_wrong`. These, and `would_not_resolve`,
    are of none while a right act that falls short waits for its judge: of those that need none, all would not resolve.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    root_cause: Share
    person: Share
    deadline: Share
    cause_missing: Share
    person_missing: Share
    wrong_function: Share
    would_not_resolve: Share
    missing: Share
    wrong: Share
    unexplained: Share
    paper_missing: Share
    paper_wrong: Share


def modes(answers: Iterable[Scored]) -> Modes:
    """The failure modes of one agent's answers; those whose identification is unscored count nowhere."""
    known = [each for each in answers if each.identification.score is not None]
    failed = [each for each in known if (each.identification.score or 0) < 1]
    made_out = [each for each in known if (each.identification.score or 0) >= 0.5]
    short = [each for each in made_out if each.execution.score is not None and each.execution.score < 1]
    chosen = [each for each in short if each.execution.right_action]
    told = [] if any(not each.would_resolve for each in chosen) else short
    resolving = [each for each in told if _resolves(each)]
    return Modes(
        root_cause=_share(
            failed, lambda each: _has(each, "incorrect", "why_root_cause") or _has(each, "missing", "why_root_cause")
        ),
        person=_share(failed, lambda each: _has(each, "incorrect", "who_blocked", "who_blocker")),
        deadline=_share(
            failed, lambda each: _has(each, "incorrect", "when_deadline") or _has(each, "missing", "when_deadline")
        ),
        cause_missing=_share(failed, lambda each: _has(each, "missing", "why_root_cause")),
        person_missing=_share(failed, lambda each: _has(each, "missing", "who_blocked", "who_blocker")),
        wrong_function=_share(made_out, lambda each: not each.execution.right_action),
        would_not_resolve=_share(told, lambda each: not _resolves(each)),
        missing=_share(chosen, lambda each: _fails(each, "missing")),
        wrong=_share(chosen, lambda each: _fails(each, "incorrect")),
        unexplained=_share(chosen, _unexplained),
        paper_missing=_share(resolving, lambda each: _fails(each, "missing")),
        paper_wrong=_share(resolving, lambda each: _fails(each, "incorrect") or _unexplained(each)),
    )


def _share(answers: Sequence[Scored], fails: Callable[[Scored], bool]) -> Share:
    return Share(count=sum(map(fails, answers)), of=len(answers))


def _has(each: Scored, verdict: Grade, *details: DetailName) -> bool:
    return any(each.identification.verdicts[detail] == verdict for detail in details)


def _fails(each: Scored, verdict: Grade) -> bool:
    return verdict in each.execution.verdicts.values()


def _unexplained(each: Scored) -> bool:
    return not _fails(each, "missing") and not _fails(each, "incorrect")


def _resolves(each: Scored) -> bool:
    return each.would_resolve in ("yes", "partially")
