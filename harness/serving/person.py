"""The person whose own client is served, as the user whom `asks` tools reach.

They are asked in their client where it shows questions, else at the server's terminal where there is one. Only
`harness serve`, `play` and `fork` bind one: in an evaluation the agent under test is never asked anything.
"""

from __future__ import annotations

from typing import Protocol

from servers.kernel import Answer, NoUser, Question, Rejected, whole

__all__ = ("DECLINED", "Caller", "Person", "Screen")

NOWHERE = (
    "The person cannot be asked through this tool: their client does not show questions of servers (MCP elicitation), "
    "and this server has no terminal. Ask them in your own reply."
)
"""What an agent is told where a question cannot reach anybody."""

DECLINED = "The person declined to answer. Go on without it, or say what you cannot do."
"""What an agent is told where the person said no to being asked."""


class Caller(Protocol):
    """The client that makes a call."""

    async def put(self, question: Question) -> Answer | None:
        """What its person answers; None where it cannot ask them. Raises `Rejected` where they will not answer."""


class Screen(Protocol):
    """A terminal."""

    async def put(self, question: str) -> str | None:
        """Show it, and give the line typed in reply; None where nobody can be looking."""


class Person:
    """A user who is asked through `caller` where it can ask, else on `screen`."""

    def __init__(self, screen: Screen | None = None, caller: Caller | None = None) -> None:
        self._screen, self.caller = screen, caller

    def through(self, caller: Caller) -> Person:
        """The same person, for a call that this client makes."""
        return Person(self._screen, caller)

    async def answer(self, question: Question) -> Answer:
        """Raises `Rejected` where the person does not answer, `NoUser` where they cannot be reached."""
        answer = await self.caller.put(question) if self.caller else None
        return answer or await self._on_screen(question)

    async def _on_screen(self, question: Question) -> Answer:
        said = await self._screen.put(_spoken(question)) if self._screen else None
        if said is None:
            raise NoUser(NOWHERE)
        said = said.strip()
        if not said:
            raise Rejected(DECLINED)
        if said.isdecimal() and 0 < int(said) <= len(question.candidates):
            said = question.candidates[int(said) - 1]
        return Answer(text=whole(said))


def _spoken(question: Question) -> str:
    """A question as a terminal shows it: what the agent wrote, and none of it as commands to the terminal."""
    lines = ["", f"The agent asks{f' ({question.strategy})' if question.strategy else ''}:"]
    lines += [f"  {line}" for line in (*question.text.splitlines(), *question.context.splitlines())]
    lines += [f"    {number}. {candidate}" for number, candidate in enumerate(question.candidates, start=1)]
    how = "a number, or your own words" if question.candidates else "one line"
    if question.strategy == "confirm_risk":
        how = "yes or no, or your own words"
    lines.append(f"Your answer, {how} (empty: no answer): ")
    return "\n".join("".join(c if c.isprintable() else "\ufffd" for c in line) for line in lines)
