"""What agents of strategy `reflexion` score their own work by: the paper's three parts, without the answer key."""

from harness.score import Aspect

__all__ = ("RUBRIC",)

RUBRIC = (
    Aspect(
        name="documents",
        weight=0.3,
        about="Are the documents given as evidence all those that the bottleneck rests on, and no others?",
    ),
    Aspect(
        name="bottleneck",
        weight=0.4,
        about="Does every part of the bottleneck stand in these documents, and does nothing in any other speak against "
        "it: settled since, handed to somebody else, another period, none of this person's business?",
    ),
    Aspect(
        name="action",
        weight=0.3,
        about="Does the action end just this bottleneck, with the right people, things and references as parameters?",
    ),
)
