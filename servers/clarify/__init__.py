"""Clarifying: a question of one of five kinds, put to whoever is bound to the sandbox, and the answer as text.

The kinds are the clarification strategies of Drift-Bench (section 3.2): asking for a value, choosing between readings,
proposing another way, confirming a risk, reporting what is in the way. Like `ask_user` it keeps no rows, and each
question is part of the trajectory, with its strategy and candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from servers.kernel import App, Question, Rejected, State, User, bounded

__all__ = ("CHARACTERS", "FEWEST", "LEFT", "MOST", "Strategy", "app")

CHARACTERS = 500
"""Of what is said, and of all candidates together: more is not one matter."""

FEWEST, MOST = 2, 6
"""Candidates: one is no choice, and of more than six nobody keeps track. The paper gives no number."""

LEFT = "\n\nQuestions left: "
"""What stands between the user's words and the number of questions that will still be answered."""

Strategy = Literal["ask_parameter", "disambiguate", "propose_solution", "confirm_risk", "report_blocker"]

app = App("clarify", "Clear up with the user what a request leaves open, before you act on a guess.")


@app.asks
async def clarify(
    state: State,
    user: User,
    strategy: Annotated[Strategy, Field(description="What kind of question it is.")],
    content: Annotated[
        str,
        Field(description="What you say to the user: one matter, in one or two sentences (at most 500 characters)."),
    ],
    candidates: Annotated[
        list[str] | None,
        Field(
            description="With `disambiguate` only, and needed there: the readings to choose from, two to six, "
            "of at most 500 characters together."
        ),
    ] = None,
) -> str:
    """Put a question to the user who gave you the task, and wait for the answer.

    Strategies:
    - `ask_parameter`: a value is missing that no other tool can tell you. Ask for it.
    - `disambiguate`: the request can be read in several ways. Give the readings as `candidates`.
    - `propose_solution`: it cannot be done as requested. Say why, and suggest another way.
    - `confirm_risk`: the next step is hard to undo. Ask for a yes or a no.
    - `report_blocker`: something is in the way and you have nothing to suggest. State it.

    Users may answer only a few questions: ask first what matters most. Returns what the user says and, where the number
    of questions is limited, how many more will be answered.
    """
    if not content.strip():
        raise Rejected("content must not be empty.")
    bounded(CHARACTERS, content=content, candidates="".join(candidates or ()))
    offered = tuple(candidate.strip() for candidate in candidates or ())
    if strategy == "disambiguate":
        _check(offered)
    elif offered:
        raise Rejected(f"candidates go with disambiguate only, not with {strategy}.")
    answer = await user.answer(Question(text=content, strategy=strategy, candidates=offered))
    return answer.text if answer.rounds_left is None else f"{answer.text}{LEFT}{answer.rounds_left}"


def _check(candidates: Sequence[str]) -> None:
    """Raises `Rejected` for candidates that nobody could choose from."""
    if len(candidates) > MOST:
        raise Rejected(
            f"disambiguate takes at most {MOST} candidates, since nobody keeps track of more, and {len(candidates)} "
            f"were given. Offer the {MOST} likeliest, or ask with ask_parameter for what tells them apart."
        )
    if len(candidates) < FEWEST:
        raise Rejected(
            f"disambiguate needs {FEWEST} to {MOST} candidates to choose from, and {len(candidates) or 'none'} "
            f"{'was' if len(candidates) == 1 else 'were'} given. To have a single reading confirmed, use "
            "propose_solution."
        )
    if len({"", *candidates}) <= len(candidates):
        raise Rejected("candidates must all be different, and none of them empty.")
