"""A small app for the kernel's tests: a desk with papers on it, in two tables."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import Field

from servers.kernel import App, Base, Engine, Layer, Question, Ref, Rejected, State, Table, User, World

NOW = datetime(2024, 5, 6, 9, 30)


class Tray(Table, name="trays"):
    label: str


class Paper(Table, name="papers", ids="{:04d}"):
    tray_id: Annotated[str, Ref(Tray)]
    title: str
    pages: int = 1


app = App("desk", "Papers in trays.", tables=(Tray, Paper))

PaperId = Annotated[str, Ref(Paper), Field(description="Id of a paper.")]


@app.reads
def read_paper(state: State, paper_id: PaperId) -> Paper:
    """Read one paper."""
    return state.get(Paper, paper_id)


@app.reads
def find_papers(state: State, title: str = "", limit: int = 5) -> list[Paper]:
    """Find papers by title."""
    return state.find(Paper, "contains(title, ?)", [title], limit=limit)


@app.writes
def file_paper(state: State, tray_id: str, title: str, pages: int = 1) -> str:
    """File a new paper."""
    return state.add(Paper(tray_id=state.get(Tray, tray_id).id, title=title, pages=pages)).id


@app.writes
def file_many(state: State, titles: list[str]) -> list[str]:
    """File several papers; an empty title is refused, after those before it were written."""
    ids = []
    for title in titles:
        if not title:
            raise Rejected("A paper needs a title.")
        ids.append(state.add(Paper(tray_id="1", title=title)).id)
        state.find(Paper, "title = ?", [title])
    return ids


@app.writes
def rename_paper(state: State, paper_id: PaperId, title: str) -> Paper:
    """Give a paper another title."""
    paper = state.get(Paper, paper_id)
    paper.title = title
    return state.save(paper)


@app.writes(destructive=True)
def shred_paper(state: State, paper_id: PaperId) -> str:
    """Destroy a paper."""
    state.delete(state.get(Paper, paper_id))
    return "Shredded."


@app.asks
async def ask_title(state: State, user: User, paper_id: PaperId) -> str:
    """Ask what to call a paper, and call it that."""
    answer = await user.answer(Question(text="What is it called?"))
    with state.transaction():
        paper = state.get(Paper, paper_id)
        paper.title = answer.text
        state.save(paper)
    return answer.text


def world(papers: int = 6) -> World:
    return World(
        "desk",
        NOW,
        {
            "desk": {
                "trays": [{"id": "1", "label": "in"}, {"id": "2", "label": "out"}],
                "papers": [{"id": f"{n:04d}", "tray_id": "1", "title": f"paper {n}"} for n in range(1, papers + 1)],
            }
        },
    )


class Scene:
    """An engine in memory, its base, and the first layer with the desk's state."""

    def __init__(self, papers: int = 6) -> None:
        self.engine = Engine()
        self.base: Base = self.engine.load(world(papers))
        self.layer: Layer = self.engine.layer(self.base)
        self.state = self.layer.state(app)

    def titles(self) -> list[str]:
        return [paper.title for paper in self.state.find(Paper)]

    def ids(self) -> list[str]:
        return [paper.id for paper in self.state.find(Paper)]
