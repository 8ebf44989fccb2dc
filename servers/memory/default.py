"""The surface of memory: find, remember, forget."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from servers.kernel import Page, Ref, Rejected, Skip, State, bounded, containing, paged, required, words_of
from servers.memory.tables import Memory, app

__all__ = ("default",)

_TEXT = 2_000

default = app.toolset(
    "default",
    "Notes to yourself, which last from one session to the next; nobody else reads them. Look with `find_memories` "
    "before you begin, and `remember` what a later session will need: preferences, decisions, where things are. "
    "Anything meant for {owner} belongs elsewhere.",
    structured=False,
)

MemoryId = Annotated[str, Ref(Memory), Field(description="Id of a memory, such as M12, from `find_memories`.")]


class Remembered(BaseModel):
    """A memory, and the day on which it was last changed."""

    id: str
    text: str
    changed: str


@default.reads
def find_memories(
    state: State,
    query: Annotated[str, Field(description="Words; finds memories with any of them. Empty for all.")] = "",
    skip: Skip = 0,
) -> Page[Remembered]:
    """Find what you remembered: most matching words first, then newest; twenty at a time."""
    words = words_of(query)
    hits = " + ".join([f"CAST({containing('text')} AS INTEGER)"] * len(words)) or "1"
    rows = state.query(
        f"SELECT id FROM (SELECT id, changed, _ord, {hits} AS hits FROM memories) "
        "WHERE hits > 0 ORDER BY hits DESC, changed DESC, _ord DESC",
        words,
    )
    return paged([id for (id,) in rows], skip, lambda id: _shown(state.get(Memory, id)))


@default.writes(destructive=True, idempotent=True)
def remember(
    state: State,
    text: Annotated[str, Field(description=f"One fact, understandable on its own; at most {_TEXT:,} characters.")],
    memory_id: Annotated[
        str | None,
        Ref(Memory),
        Field(description="Id of a memory to replace, from `find_memories`; leave out for a new one."),
    ] = None,
) -> Remembered:
    """Save something for later sessions, or correct what you saved. Nothing is saved twice."""
    text = text.strip()
    required(text=text)
    bounded(_TEXT, text=text)
    before = None if memory_id is None else state.get(Memory, memory_id)
    same = state.find(Memory, "nfc_normalize(text) = nfc_normalize(?)", [text], limit=1)
    if before and same and same[0].id != before.id:
        raise Rejected(f"{same[0].id} says that already; `forget` {before.id} if it is no longer so.")
    if before and before.text != text:
        return _shown(state.save(before.model_copy(update={"text": text, "changed": state.now})))
    return _shown(before or (same[0] if same else state.add(Memory(text=text, kept=state.now))))


@default.writes(destructive=True)
def forget(state: State, memory_id: MemoryId) -> str:
    """Forget something for good, such as something no longer true."""
    memory = state.get(Memory, memory_id)
    state.delete(memory)
    return f"Forgot {memory.id}."


def _shown(memory: Memory) -> Remembered:
    return Remembered(id=memory.id, text=memory.text, changed=memory.changed.date().isoformat())
