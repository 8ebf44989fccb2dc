"""An answer's scores together: overall, strict, and right for the wrong reason (section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import BaseModel, ConfigDict

from benchmarks.probe.records import Sample
from benchmarks.probe.scoring.answers import Answer, Grade, Question
from benchmarks.probe.scoring.execution import Execution, execution, execution_questions
from benchmarks.probe.scoring.identification import Identification, identification, identification_questions
from benchmarks.probe.scoring.search import Search, search

__all__ = ("Scored", "questions", "score")


class Scored(BaseModel):
    """The scores of one answer to one sample. What is None is unscored, and no zero.

    `overall` is the plain mean of F1, identification and execution; `strict` whether all three are 1;
    `wrong_reason` whether the right thing was done although the bottleneck was not made out. `would_resolve` is what
    a judge says of a right act that falls short: yes, partially, no, or `silent` where judges were asked and agree on
    nothing; "" where none was. `touched` scores what an agent opened, where
    that is known, beside what it declares.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    agent: str
    sample: str
    persona: str
    difficulty: str
    search: Search | None
    touched: Search | None = None
    identification: Identification
    execution: Execution
    would_resolve: str = ""
    overall: float | None
    strict: bool | None
    wrong_reason: bool | None


def score(
    sample: Sample,
    answer: Answer | None,
    verdicts: Mapping[str, Grade],
    *,
    agent: str = "",
    touched: Iterable[str] | None = None,
    would_resolve: str = "",
    paper: bool = False,
) -> Scored:
    """The scores of an answer, with a judge's verdicts by what they are about.

    `answer` None, because there was none or it could not be read, scores 0: the published code leaves such samples out.
    `paper` scores the execution of samples whose parameters nobody could have read.
    """
    found = search(answer.retrieved if answer else (), sample.gold.true_positives, sample.gold.neutral)
    made_out = identification(sample, answer, verdicts)
    done = execution(sample, answer, verdicts, paper=paper)
    three = (found.f1 if found else None, made_out.score, done.score)
    all_three = [each for each in three if each is not None]
    whole = len(all_three) == len(three)
    known = made_out.score is not None and done.score is not None
    return Scored(
        agent=agent,
        sample=sample.id,
        persona=sample.persona_id,
        difficulty=sample.difficulty,
        search=found,
        touched=None if touched is None else search(touched, sample.gold.true_positives, sample.gold.neutral),
        identification=made_out,
        execution=done,
        would_resolve=would_resolve,
        overall=sum(all_three) / len(three) if whole else None,
        strict=all(each == 1 for each in three) if whole else None,
        wrong_reason=(done.score == 1 and made_out.score == 0) if known else None,
    )


def questions(sample: Sample, answer: Answer | None, *, paper: bool = False) -> list[Question]:
    """Everything that a judge is to say of an answer before it can be scored; nothing where programs decide it all."""
    return [*identification_questions(sample, answer), *execution_questions(sample, answer, paper=paper)]
