import ast
import json
from pathlib import Path

import pytest

from tests.mutants.sites import Mutant, again, applied, chosen, mutants

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("list.json")

SOURCE = '''"""What it is: 1 == 1."""

def grown(value: int = 3) -> bool:
    """Not 5."""
    if value <= 2 and not value:
        raise ValueError("é" if value else "")
    return value + 1 == 4
'''


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "grown.py").write_text(SOURCE, encoding="utf-8")
    return tmp_path


def test_each_mistake_is_made_where_code_runs_and_nowhere_else(checkout: Path) -> None:
    made = {(mutant.old, mutant.new) for mutant in mutants(checkout, "code")}

    assert made == {
        ("3", "4"),
        ("value <= 2", "value < 2"),
        ("value <= 2 and not value", "(value <= 2 or not value)"),
        ("2", "3"),
        ("not value", "(value)"),
        ('raise ValueError("é" if value else "")', "pass"),
        ('"é" if value else ""', "('' if value else 'é')"),
        ("return value + 1 == 4", "return None"),
        ("value + 1 == 4", "value + 1 != 4"),
        ("value + 1", "(value - 1)"),
        ("1", "2"),
        ("4", "5"),
    }


def test_a_mistake_changes_one_place_and_leaves_source_that_compiles(checkout: Path) -> None:
    for mutant in mutants(checkout, "code"):
        changed = applied(SOURCE, mutant)

        assert changed != SOURCE
        assert changed.replace(mutant.new, mutant.old, 1) == SOURCE or changed.count(mutant.new) > 1
        ast.parse(changed)


def test_a_seed_draws_the_same_mistakes_each_time_and_another_seed_others() -> None:
    first = chosen(ROOT, "harness", 60, 8)

    assert len(set(first)) == 60
    assert first == chosen(ROOT, "harness", 60, 8)
    assert first != chosen(ROOT, "harness", 60, 9)


def test_a_listed_mistake_is_found_again_in_code_that_moved(checkout: Path) -> None:
    listed = mutants(checkout, "code")
    (checkout / "code" / "grown.py").unlink()
    (checkout / "code" / "moved.py").write_text(f"# It was elsewhere.\n{SOURCE}", encoding="utf-8")

    found = again(checkout, "code", listed)

    assert [each._replace(path="code/grown.py", line=each.line - 1) for each in found] == listed


def test_a_listed_mistake_that_is_gone_is_named(checkout: Path) -> None:
    gone = Mutant("code/grown.py", "grown", 3, 0, "value < 7", "value <= 7")

    with pytest.raises(LookupError, match=r"code/grown.py:3: grown holds no 'value < 7' any more"):
        again(checkout, "code", [gone])


def test_source_that_reads_otherwise_is_left_alone() -> None:
    with pytest.raises(ValueError, match="does not read 'value < 7' any more"):
        applied(SOURCE, Mutant("code/grown.py", "grown", 3, 0, "value < 7", "value <= 7"))


def test_the_list_that_is_kept_can_be_tried_again_and_says_why_some_survive() -> None:
    listed = json.loads(LIST.read_text(encoding="utf-8"))
    found = again(ROOT, "harness", list(map(Mutant.of, listed)))
    survived = [each for each in listed if each["verdict"] == "survived"]

    assert len(found) == 60
    assert len(survived) <= 6
    assert all(each["reason"].endswith(".") for each in survived)
