"""Words of ours that newcomers do not know, explained where they first stand."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Final

__all__ = ("CALIBRATION", "COLUMNS", "FLAGS", "UNEVEN", "dials", "instruments", "joined", "of", "users")

CALIBRATION: Final = "Calibration: played by instruments of known behaviour, not by a model"

UNEVEN: Final = "In means over trials, tasks that have more of them weigh more."

COLUMNS: Final = {
    "crashed": "Crashed: the agent itself failed, as a program that ends with an error does; counted as not right.",
    "void": "Void: ended by a fault that is not the agent's; counted nowhere.",
    "unscored": "Unscored: no judge has said yet (`harness judge`), or a check broke; counted nowhere.",
    "cost": "Cost: US dollars for all trials of the row; - where unknown.",
}
"""By the word, which is the name of a column or a verdict."""

FLAGS: Final[Mapping[str, str]] = {
    "vague_questions": "A question is too vague to bring out the missing fact.",
    "compound_questions": "One message asks for several things that belong in separate questions.",
    "closed_questions": "Offered a yes or no, or a list, where details were needed.",
    "missed_critical_segments": "Never asked about a missing value that decides the outcome.",
    "wrong_dimension_focus": "Asked about what matters less, and not about what matters more.",
    "inferable_information_asked": "Asked the user for what could have been found or guessed.",
    "ignoring_user_response": "Got the right answer and did not use it.",
    "incorrect_information_application": "Used a right answer in the wrong place or way.",
    "partial_information_utilization": "Used only part of what the user said.",
    "redundant_questions": "Asked again for what the user had told; reading back is fine.",
    "unnecessary_questions": "Asked about what the request states, or the user leaves open.",
    "excessive_cost": "Asked three times or more, and learned too little.",
    "premature_execution": "Changed something before asking for a critical value it depends on.",
    "insufficient_question_depth": "Asked for less than half of what was missing.",
    "false_confidence": "Went by an assumption, admitted or not, instead of asking.",
    "late_clarification": "Asked only after the point where the answer was needed.",
    "upfront_question_dump": "Asked everything at the start, before looking at anything.",
    "inefficient_question_sequence": "Asked in an order that hindered the work.",
    "literal_misunderstanding": "Took the user's plain words to mean something else.",
    "context_misapplication": "Applied an answer to something that it was not about.",
    "implicit_information_missed": "Missed what an answer implied.",
}
"""The failure flags of a trial (LHAW, arXiv 2602.10525, appendix J.1), by name, in at most twelve words each: what the
agent did where a flag is `yes`. What is behind each is in docs/benchmarks/lhaw-flags.md."""

_USERS = {
    "grounded": "a simulated user without a model, which knows what the request lacks and tells what it is asked for; "
    "behind @ its version",
}

_DIALS = "patience dials "
"""How labels of users begin that are played by numbers alone (`harness.core.user_config`)."""

_DIALS_SAY = (
    "Patience dials 3/2 one, say: a user without a model who tells a value at the third open question for it, or the "
    "second that proposes it, and one a reply."
)

_INSTRUMENTS = {
    "idle": "idle does nothing",
    "oracle": "oracle plays the known solution",
    "reference": "reference is a program with dials: how often it looks, asks and guesses",
}


def of(words: Container[str]) -> list[str]:
    """What each of these words means that is known here."""
    return [text for word, text in COLUMNS.items() if word in words]


def users(labels: Iterable[str]) -> list[str]:
    """Who answers under these labels, a line for each kind that has to be explained."""
    found: dict[str, list[str]] = {}
    every = list(labels)
    for label in every:
        found.setdefault(label.partition("@")[0], []).append(label)
    told = [f"{', '.join(dict.fromkeys(found[kind]))}: {text}." for kind, text in _USERS.items() if kind in found]
    return [*told, *dials(every)]


def dials(labels: Iterable[str]) -> list[str]:
    """What the numbers of patience dials say, where there are any."""
    return [_DIALS_SAY] if any(label.startswith(_DIALS) for label in labels) else []


def joined(labels: Iterable[str]) -> str:
    """Users in one line, patience dials under one name and first: `patience dials 1/1 all, 3/2 one and placebo`."""
    every = list(dict.fromkeys(labels))
    numbers = [label.removeprefix(_DIALS) for label in every if label.startswith(_DIALS)]
    others = [label for label in every if not label.startswith(_DIALS)]
    names = [*([_DIALS + ", ".join(numbers)] if numbers else []), *others]
    return " and ".join([*([", ".join(names[:-1])] if names[1:] else []), *names[-1:]])


def instruments(kinds: Iterable[str]) -> list[str]:
    """What instruments of these kinds are, in one line; nothing where there are none."""
    played = set(kinds)
    told = [text for kind, text in _INSTRUMENTS.items() if kind in played]
    return [f"{'; '.join(told)}."] if told else []
