"""A person's answer to a question that the suite asks of a trial, kept beside what judges said."""

from __future__ import annotations

from harness.core.suite import Suite
from harness.record.files import RunError
from harness.record.judgements import FOLDER as JUDGEMENTS
from harness.record.judgements import Judgement, keep
from harness.record.store import Run
from harness.view.annotations import AnnotationProblem, Said
from harness.view.trials import Trial

__all__ = ("answer",)


def answer(run: Run, suite: Suite | None, trial: Trial, said: Said) -> None:
    """Keep an answer as a person's verdict, whom tables tell apart from one who answered by a form, blind.

    `suite` is None where it has changed since. Raises `AnnotationProblem` for a question or an answer that there is
    not, `RunError` where it cannot be written.
    """
    asked = suite.queries(trial.task, trial.t) if suite and trial.task else ()
    query = next((each for each in asked if each.id == said.query), None)
    if query is None:
        known = f", but {', '.join(each.id for each in asked)}" if asked else ""
        raise AnnotationProblem(f"query: the suite asks no question {said.query!r:.60} of this trial{known}")
    found = next((each for each in query.answers if str(each) == said.value), None)
    if found is None:
        raise AnnotationProblem(f"value: this question takes {', '.join(map(str, query.answers))}")
    judge = {"person": said.author, "where": "view"}
    try:
        (run.folder / JUDGEMENTS).mkdir(exist_ok=True)
    except OSError as error:
        raise RunError(f"{run.folder / JUDGEMENTS} cannot be made: {error.strerror}") from None
    made = Judgement(judge=judge, prompt="", about=query.key, vote=0, query=query, answer=found, reason=said.text)
    keep(run.folder, made)
