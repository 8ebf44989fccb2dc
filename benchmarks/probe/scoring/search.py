"""How well the evidence was found (section 3.1, Search; the columns P, R and F1 of tables 3 and 4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel, ConfigDict

__all__ = ("Search", "micro", "search")


class Search(BaseModel):
    """Precision, recall and F1 of one answer, in [0, 1], and the counts behind them.

    Neutral documents count as distractors, as in tables 3 and 4; `precision_without_neutral` leaves them out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    hits: int
    retrieved: int
    relevant: int
    neutral: int = 0
    precision: float
    recall: float
    f1: float
    precision_without_neutral: float


def search(retrieved: Iterable[str], relevant: Iterable[str], neutral: Iterable[str] = ()) -> Search | None:
    """The scores of one answer; None where the sample has no true positives, and nothing could be found.

    A document counts once however often it is named, an id of nothing is a false positive, and who names none has 0.
    """
    said, right, beside = set(retrieved), set(relevant), set(neutral)
    if not right:
        return None
    hits = len(said & right)
    return _scores(hits, len(said), len(right), len((said & beside) - right))


def micro(each: Sequence[Search]) -> Search | None:
    """The scores of many answers taken as one: counts are added up first. None without any."""
    if not each:
        return None
    return _scores(*(sum(getattr(one, name) for one in each) for name in ("hits", "retrieved", "relevant", "neutral")))


def _scores(hits: int, retrieved: int, relevant: int, neutral: int) -> Search:
    precision = hits / retrieved if retrieved else 0.0
    recall = hits / relevant
    return Search(
        hits=hits,
        retrieved=retrieved,
        relevant=relevant,
        neutral=neutral,
        precision=precision,
        recall=recall,
        f1=2 * precision * recall / (precision + recall) if hits else 0.0,
        precision_without_neutral=hits / (retrieved - neutral) if retrieved > neutral else 0.0,
    )
