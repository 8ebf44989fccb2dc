"""What is told of documents, on a few of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.probe.gates.features import FEATURES, features
from benchmarks.probe.gates.learned import CHOICES, choices, grams, ranked
from benchmarks.probe.records import Document, Sample
from tests.probe.gates.small import ADA, BEN, EVA, action, document, mail, sample

SAMPLE = sample(
    mail("d10", "We ask Eva Fox about AB-1234.\n\nShe knows: is it N16?", cc=[EVA]),
    mail("d2", "- one\n- two\nAda Berg has AB-1234 by 12 March.", **{"from": ADA, "to": [BEN]}, date="2026-03-02"),
    document("d3", "AB-1234 is with Ben Dal and Ada Berg, on 2026-03-09. Words of no sense."),
)


def column(of: Sample, name: str) -> list[float]:
    found: list[float] = features(of)[:, FEATURES.index(name)].tolist()
    return found


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("place", [0, 1, 2]),
        ("id", [2, 0, 1]),  # d2, d3, d10
        ("characters", [52, 45, 71]),
        ("title length", [6, 6, 3]),
        ("day", [739677, 739677, 739679]),
        ("day off the middle", [0, 0, 2]),
        ("hour", [9.5, 0, 0]),
        ("weekday", [0, 0, 2]),
        ("that day's documents", [2, 2, 1]),
        ("days in text", [0, 1, 1]),
        ("email", [1, 1, 0]),
        ("document", [0, 0, 1]),
        ("event", [0, 0, 0]),
        ("people in header", [2, 1, 0]),
        ("from persona", [0, 1, 0]),
        ("to persona", [1, 0, 0]),
        ("documents by sender", [1, 1, 1]),
        ("its people's documents", [2, 2, 2]),
        ("paragraphs", [2, 1, 1]),
        ("list lines", [0, 2, 0]),
        ("question marks", [1, 0, 0]),
        ("codes", [2, 1, 1]),
        ("shared codes", [1, 1, 1]),
        ("documents per code", [2, 3, 3]),
        ("its codes' documents", [2, 2, 2]),
        ("names", [1, 1, 2]),
        ("documents per name", [1, 2, 1.5]),
        ("rarest name", [1, 2, 1]),
        ("names of world model", [1, 1, 1]),
        ("persona in text", [0, 1, 1]),
    ],
)
def test_a_feature_says_what_its_name_says(name: str, values: list[float]) -> None:
    assert column(SAMPLE, name) == values


def test_every_feature_has_a_number_for_every_document() -> None:
    found = features(SAMPLE)

    assert found.shape == (3, len(FEATURES))
    assert np.isfinite(found).all()


def test_what_is_not_known_is_as_in_the_middle_one_of_the_others() -> None:
    there = [mail(f"d{day}", date=f"2026-03-{day:02d}") for day in (1, 5, 20)]

    assert column(sample(*there, mail("d9", date="some day")), "day")[-1] == column(sample(*there), "day")[1]


def test_a_document_is_like_the_world_model_that_has_its_words() -> None:
    likeness = column(sample(mail("d1", "Eva helps Ada."), mail("d2", "Snow fell.")), "like world model")

    assert likeness[0] > 0.3 > likeness[1]


def test_a_document_is_like_the_action_that_has_its_words() -> None:
    likeness = column(sample(mail("d1", "Write to the owner."), mail("d2", "Snow fell.")), "like one action")

    assert likeness[0] > 0.3 > likeness[1]


def test_a_copy_is_as_like_another_document_as_can_be() -> None:
    likeness = column(
        sample(mail("d1", "Snow fell."), mail("d2", "Snow fell."), mail("d3", "Rain.")), "like one document"
    )

    assert likeness[:2] == pytest.approx([1, 1])
    assert likeness[2] < 1


def test_swapped_letters_make_words_that_stand_nowhere_else() -> None:
    plain = "the report goes to the office on the hill"
    words = column(sample(mail("d1", plain), mail("d2", plain.replace("office", "offcie"))), "words nowhere else")

    assert words[1] == pytest.approx(1 / 9)


@pytest.mark.parametrize(("word", "misses"), [("offcie", 1), ("offace", 1), ("ofice", 1), ("offfice", 1),
                                              ("offices", 0), ("garden", 0), ("offciee", 0)])  # fmt: skip
def test_a_word_one_letter_off_is_a_near_miss_but_where_it_only_goes_on(word: str, misses: int) -> None:
    plain = [mail(f"d{number}", "the office on the hill") for number in range(2)]

    assert column(sample(*plain, mail("d9", f"the {word} on the hill")), "near misses of words") == [0, 0, misses]


def test_fields_of_the_published_code_are_read_too() -> None:
    theirs: dict[str, Any] = {"sender": BEN, "recipients": [{"name": "Ada Berg", "email": "ada@firm.example"}],
              "subject": "Points", "timestamp": "2026-03-02T09:30:00Z", "body": "Nothing new."}  # fmt: skip
    both = sample(mail("d1"), Document(id="d2", type="email", payload=theirs))

    for name in ("day", "hour", "people in header", "to persona", "documents by sender", "title length"):
        ours, published = column(both, name)
        assert ours == published, name


def test_ranks_make_columns_comparable() -> None:
    assert ranked(np.array([[5.0, 1], [900, 1], [7, 1], [6, 2]])).T.tolist() == [
        [0.125, 0.875, 0.625, 0.375],
        [0.375, 0.375, 0.375, 0.875],
    ]


def test_words_and_characters_are_counted_in_columns_of_their_own() -> None:
    words, characters = grams(["snow fell snow"], "word"), grams(["abcd"], "char")

    assert sorted(words.data.tolist()) == [1, 1, 1, 2]  # snow twice; fell, snow fell, fell snow
    assert characters.sum() == 4 + 3  # " ab" to "cd ", " abc" to "bcd "


def test_an_action_is_told_by_its_place_and_words() -> None:
    acts = (action("b", "Write to Ada."), action("a", "Write to Eva now."), action("c", "Wait."))
    found = dict(zip(CHOICES, choices(sample(mail("d1"), actions=acts)).T.tolist(), strict=True))

    assert found["place"] == [0, 1, 2]
    assert found["id"] == [1, 0, 2]
    assert found["description length"] == [13, 17, 5]
    assert found["words nowhere else"] == [1, 2, 1]
    assert found["of its type"] == [3, 3, 3]
    assert found["like other actions"][2] == 0
