"""Skills: which there are, what their files say, and what is no skill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from servers.kernel import RESULT
from servers.skills import File, app, front
from tests.apps.desk import Desk, desk
from tests.contracts.rows_skills import SKILLS


class Reader(Desk):
    """Calls the tools of `default`."""

    toolset = "default"


@pytest.fixture
def reader() -> Iterator[Reader]:
    with desk(app, SKILLS, kind=Reader) as calls:
        yield calls


def main(name: str = "knots", description: str = "Picks a knot.", rest: str = "") -> str:
    return f"---\nname: {name}\ndescription: {description}\n---\n{rest}"


def file(number: int, skill: str, text: str, path: str = "SKILL.md") -> dict[str, Any]:
    return {"id": f"F{number}", "skill": skill, "path": path, "text": text}


def test_skills_are_listed_by_name_with_what_they_are_for(reader: Reader) -> None:
    assert reader("list_skills") == {
        "shown": "1 to 2 of 2",
        "items": [
            {"name": "knots", "description": "Picks the knot for a rope and a load."},
            {"name": "tea-tasting", "description": "Tastes teas side by side (très finely)."},
        ],
    }


def test_where_there_are_no_skills_nothing_is_listed_and_none_is_named() -> None:
    with desk(app, {}, kind=Reader) as reader:
        assert reader("list_skills") == {"shown": "nothing found", "items": []}
        assert reader.refusal("read_skill", name="knots") == "There is no skill 'knots'; there are none."


def test_many_skills_are_listed_twenty_at_a_time() -> None:
    names = [f"skill-{number:02d}" for number in range(21)]
    with desk(app, {"files": [file(n, name, main(name)) for n, name in enumerate(names, 1)]}, kind=Reader) as reader:
        assert reader("list_skills")["next"] == "skip=20"
        assert [each["name"] for each in reader("list_skills", skip=20)["items"]] == ["skill-20"]


def test_a_skill_is_read_as_it_was_written(reader: Reader) -> None:
    assert reader("read_skill", name="knots") == SKILLS["files"][2]["text"]


def test_another_file_of_a_skill_is_read_by_its_path(reader: Reader) -> None:
    assert reader("read_skill", name="tea-tasting", path="references/scales.md") == "From 0% to 100%.\n"


@pytest.mark.parametrize("name", ["knot", "Knots", "unfinished", "", "../knots"])
def test_a_skill_that_is_not_there_is_refused_with_those_there_are(reader: Reader, name: str) -> None:
    assert reader.refusal("read_skill", name=name) == f"There is no skill {name!r}; there are: knots, tea-tasting."


@pytest.mark.parametrize("path", ["skill.md", "references", "../knots/SKILL.md", ""])
def test_a_file_that_is_not_there_is_refused_with_those_of_the_skill(reader: Reader, path: str) -> None:
    assert reader.refusal("read_skill", name="tea-tasting", path=path) == (
        f"The skill 'tea-tasting' has no file {path!r}; there are: SKILL.md, references/scales.md."
    )


def test_a_long_file_is_read_in_parts_that_say_how_to_go_on() -> None:
    text = main(rest="".join(f"Line {number} of a long file.\n" for number in range(2_000)))
    with desk(app, {"files": [file(1, "knots", text)]}, kind=Reader) as reader:
        read, skip = "", 0
        while True:
            got = reader("read_skill", name="knots", skip=skip)
            assert len(got) <= RESULT
            if not got.endswith("]"):
                break
            begun, _, rest = got.rpartition("\n\n[")
            read, skip = read + begun, int(rest.rpartition("=")[2].removesuffix("]"))

    assert read + got == text


def test_reading_changes_nothing(reader: Reader) -> None:
    reader("list_skills")
    reader("read_skill", name="knots")

    assert not reader.layer.changes()


def test_a_skill_that_arrives_is_listed(reader: Reader) -> None:
    state = reader.layer.state(app)
    reader("list_skills")

    with state.transaction():
        state.add(File(skill="bread", path="SKILL.md", text=main("bread", "Bakes.")))

    assert [each["name"] for each in reader("list_skills")["items"]] == ["bread", "knots", "tea-tasting"]


def test_front_matter_may_be_any_yaml() -> None:
    found = front('---\ndescription: "Ties: knots."\nname: >-\n  knots\n---\n---\nname: other\n---\n')

    assert (found.name, found.description) == ("knots", "Ties: knots.")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("# Knots\n", "does not begin with front matter"),
        (f"\n{main()}", "does not begin with front matter"),
        ("---\nname: knots\n", "does not begin with front matter"),
        ("---\nname: [\n---\n", "is no YAML"),
        ("---\n- name\n---\n", "front matter: Input should be"),
        ("---\nname: knots\n---\n", "description: Field required"),
        (main(description="Picks a knot"), "description: String should match"),
        (main(description=""), "description: Input should be a valid string"),
        (main(description=f"{'x' * 300}."), "description: String should have at most 300"),
        (main(name="Knots"), "name: String should match"),
        ("---\nname: knots\ndescription: Ties.\nauthor: x\n---\n", "author: Extra inputs"),
        (main(name="bread"), "its name is 'bread'; name it as its folder, 'knots'"),
    ],
)
def test_a_skill_whose_front_matter_is_wrong_is_no_row(text: str, problem: str) -> None:
    with pytest.raises(ValidationError) as caught:
        File.from_json(file(1, "knots", text))

    assert "knots/SKILL.md: " in str(caught.value)
    assert problem in str(caught.value)


@pytest.mark.parametrize("path", ["/SKILL.md", "../SKILL.md", "a//b.md", "a/", "", ".hidden", "a b.md", "a/../b.md"])
def test_a_path_that_leads_elsewhere_is_no_row(path: str) -> None:
    with pytest.raises(ValidationError, match="path"):
        File.from_json(file(1, "knots", "x", path))
