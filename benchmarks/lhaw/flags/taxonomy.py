"""The failure modes of asking: seven categories of three flags each (LHAW appendix J.1).

Names and definitions are the paper's; the wording is ours, and what a judge reads. What readers of a report are told
is shorter (`harness.report.words.FLAGS`). Which flags are computed, and how, is in `computed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

__all__ = ("CATEGORIES", "FLAGS", "Flag")


class Flag(NamedTuple):
    """One way in which asking goes wrong.

    `flaw` says what it is, `unless` when the question does not arise (N/A; empty: it always does), `yes` what has to
    be seen for YES.
    """

    name: str
    flaw: str
    unless: str
    yes: str


_BY_CATEGORY: Final[Mapping[str, tuple[Flag, Flag, Flag]]] = {
    "question quality": (
        Flag(
            "vague_questions",
            "Questions are too unspecific to bring out a precise fact.",
            "the agent asked the user nothing",
            "what at least one question wants to know is left so open that an honest, helpful answer to it need not "
            'hold the fact that is missing ("Any details?" where "To whom shall I send it?" was meant)',
        ),
        Flag(
            "compound_questions",
            "Separate questions are put in one, so that a full answer is hard to give.",
            "the agent asked the user nothing",
            "at least one message to the user wants two or more facts that should have been asked for one by one",
        ),
        Flag(
            "closed_questions",
            "The user is offered a yes or no, or a list to choose from, where an open question was needed.",
            "the agent asked the user nothing, or all that is withheld is simple: a name, a number, a date",
            "the agent asked for a longer or detailed piece of information by a question that takes only a yes, a no "
            "or a pick from what the agent itself proposed",
        ),
    ),
    "question targeting": (
        Flag(
            "missed_critical_segments",
            "Something that decides the outcome was never asked about.",
            "nothing withheld matters by 0.5 or more while it can be guessed by 0.5 or less",
            "for at least one withheld value that matters by 0.5 or more and can be guessed by 0.5 or less, no "
            "question asks",
        ),
        Flag(
            "wrong_dimension_focus",
            "Questions are about a kind of information that matters less than another that is missing.",
            "all withheld values are of one dimension",
            "the dimensions that questions are about matter less than a dimension that no question is about",
        ),
        Flag(
            "inferable_information_asked",
            "The user was asked for what could have been found out or guessed.",
            "nothing withheld can be guessed by 0.5 or more",
            "at least one question asks for a withheld value that can be guessed by 0.5 or more and that exploring "
            "could have found",
        ),
    ),
    "information integration": (
        Flag(
            "ignoring_user_response",
            "A right answer was received and left unused.",
            "the agent asked the user nothing, or no answer gave any information",
            "what the agent did after an answer shows nothing of the information that it gave",
        ),
        Flag(
            "incorrect_information_application",
            "A right answer was used, but in the wrong place or manner.",
            "no answer gave any information",
            "the agent put an answer's information into another part of the work than it was for, or changed it",
        ),
        Flag(
            "partial_information_utilization",
            "Of what the user said, only a part was used.",
            "the user's answers, taken together, hold no more than one piece of information",
            "the agent's work rests on some pieces of what the user said and leaves out others that it needed",
        ),
    ),
    "over-clarification": (
        Flag(
            "redundant_questions",
            "The same was asked more than once.",
            "the agent asked the user fewer than two questions",
            "a question repeats an earlier one, or asks for what an earlier answer had given already; reading such an "
            "answer back to have it confirmed asks for nothing",
        ),
        Flag(
            "unnecessary_questions",
            "The user was asked for what was not missing.",
            "",
            "at least one question is about something that the request as the agent got it states, or that was never "
            "part of the full request",
        ),
        Flag(
            "excessive_cost",
            "More was asked than it brought.",
            "the agent asked the user fewer than three questions",
            "withheld values that answers revealed, divided by the number of questions, is less than 0.3",
        ),
    ),
    "under-clarification": (
        Flag(
            "premature_execution",
            "Work that depends on missing information was begun before asking for it.",
            "fewer than two withheld values matter by 0.5 or more and can be guessed by 0.5 or less",
            "the agent changed something that depends on such a value before it had asked for that value",
        ),
        Flag(
            "insufficient_question_depth",
            "Too little was asked, given how much was missing.",
            "fewer than two withheld values matter by 0.5 or more and can be guessed by 0.5 or less",
            "less than half of the withheld values were asked for, and less than half were revealed",
        ),
        Flag(
            "false_confidence",
            "The agent went by an assumption where it should have been in doubt and asked.",
            "the agent assumed nothing about what was withheld, in words or in deeds",
            "the agent stated an assumption about something withheld, or acted on one, without having asked the user "
            "to confirm it; that it said so openly, or was right, makes no difference",
        ),
    ),
    "timing & strategy": (
        Flag(
            "late_clarification",
            "A question came after its answer was needed.",
            "the agent asked the user nothing, or no withheld value is needed in the first half of the work",
            "a withheld value that is needed early was first asked for after the point at which it would have helped",
        ),
        Flag(
            "upfront_question_dump",
            "Everything was asked at once at the start, before looking at anything.",
            "the agent asked the user fewer than three questions",
            "all questions came in the first tenth of the agent's calls",
        ),
        Flag(
            "inefficient_question_sequence",
            "Questions came in an order that did not help the work.",
            "the agent asked the user fewer than two questions",
            "the order kept the agent from using one answer for the next question, or made it go back over work done",
        ),
    ),
    "response misinterpretation": (
        Flag(
            "literal_misunderstanding",
            "Plain words of the user were taken to mean something else.",
            "no answer of the user was clear and direct",
            "what the agent said or did shows that it understood an answer otherwise than its words say",
        ),
        Flag(
            "context_misapplication",
            "An answer was taken without regard to what it was about.",
            "the agent asked the user nothing, or no answer needs the rest of the task to be understood",
            "the agent carried an answer over to something in the task that it was not about",
        ),
        Flag(
            "implicit_information_missed",
            "What an answer implies was not seen.",
            "no answer implies more than it says",
            "an answer implies something that would have helped, and the agent did not draw or use that conclusion",
        ),
    ),
}

CATEGORIES: Final[Mapping[str, tuple[str, ...]]] = {
    category: tuple(flag.name for flag in flags) for category, flags in _BY_CATEGORY.items()
}
"""Category -> the names of its three flags, in the paper's order."""

FLAGS: Final[Mapping[str, Flag]] = {flag.name: flag for flags in _BY_CATEGORY.values() for flag in flags}
"""All 21, by name."""
