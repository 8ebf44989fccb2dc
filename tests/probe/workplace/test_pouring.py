"""A sample as rows of mail, calendar and files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchmarks.probe import pins, worlds
from benchmarks.probe.grammar.documents import TEXT
from benchmarks.probe.grammar.proofs import facts_of
from benchmarks.probe.workplace import pins as poured
from benchmarks.probe.workplace import pouring
from benchmarks.probe.workplace.acts import FINDINGS
from benchmarks.probe.workplace.suite import APPS, load
from harness.suite import SuiteError
from servers import catalog
from servers.kernel import World

FIRST = pins.chosen(total=3)


@pytest.fixture(scope="module")
def world() -> World:
    return pouring.world(FIRST[0])


def test_every_document_has_one_home_and_stands_there_word_for_word(world: World) -> None:
    sample = worlds.sample(FIRST[0])
    texts = {row["id"]: row["body"] for row in world.rows["gmail"]["emails"]}
    texts |= {row["id"]: row["description"] for row in world.rows["calendar"]["events"]}
    texts |= {row["id"]: row["text"] for row in world.rows["filesystem"]["entries"]}

    homes = pouring.homes(sample)

    assert sorted(homes.values()) == sorted(each.id for each in sample.documents)
    documents = {each.id: each for each in sample.documents}
    for home, id in homes.items():
        assert str(documents[id].payload[TEXT[documents[id].type]]) in texts[home]


def test_a_mail_keeps_who_wrote_it_to_whom(world: World) -> None:
    sample, mine = worlds.sample(FIRST[0]), world.owner.address if world.owner else ""
    documents: dict[str, dict[str, Any]] = {each.id: each.payload for each in sample.documents}
    emails = {row["id"]: row for row in world.rows["gmail"]["emails"]}
    envelopes = {row["id"]: row for row in world.rows["gmail"]["envelopes"]}
    homes = [(home, id) for home, id in pouring.homes(sample).items() if home in emails]

    for home, id in homes:
        row, given = emails[home], documents[id]
        sender = mine if row["folder"] == "outbox" else row["address"]
        alone = [row["address"] if row["folder"] == "outbox" else mine]
        to = envelopes.get(home, {}).get("to") or alone
        assert sender in str(given["from"])
        assert [address in said for address, said in zip(to, given["to"], strict=True)] == [True] * len(to)
        assert [address in said for address, said in zip(row["cc"], given["cc"], strict=True)] == [True] * len(
            row["cc"]
        )
    assert {row["folder"] for row in emails.values()} == {"inbox", "outbox"}


def test_every_row_fits_its_table(world: World) -> None:
    for app in APPS:
        for table in catalog.apps()[app].tables:
            for row in world.rows[app].get(table.table_name, []):
                assert table.model_validate(row).id == row["id"]


def test_ids_tell_mails_events_and_files_apart(world: World) -> None:
    ids = [row["id"] for app in APPS for table, rows in world.rows[app].items() if table != "envelopes" for row in rows]

    assert len(set(ids)) == len(ids)


def test_a_world_has_nothing_of_the_answer_key(world: World) -> None:
    sample = worlds.sample(FIRST[0])
    known = json.dumps(world.rows)

    assert sample.gold.description not in known
    form = next(row["text"] for row in world.rows["filesystem"]["entries"] if row["id"] == FINDINGS)
    assert not any(json.loads(form).values())
    assert not any(f'"{each.id}"' in known for each in sample.documents)


def test_whoever_may_decide_has_an_address() -> None:
    sample = worlds.sample(FIRST[0])
    known = {each.name for each in pouring.staff(sample)}

    deciders = {fact["decider"] for facts in facts_of(sample).values() for fact in facts if fact.kind == "lever"}

    assert deciders
    assert deciders <= known


def test_a_sample_of_another_make_is_refused_by_name() -> None:
    strange = worlds.sample(FIRST[0]).model_copy(update={"id": "imported-7"})

    with pytest.raises(SuiteError, match="imported-7: only samples of the grammar"):
        pouring.poured(strange)


@pytest.mark.parametrize("name", FIRST)
def test_a_world_is_as_pinned(name: str) -> None:
    assert poured.digest(name) == poured.read()[name]


def test_every_sample_of_the_set_is_pinned() -> None:
    assert list(poured.read()) == pins.chosen()


def test_the_suite_is_at_hand_without_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "generate", None)  # whoever makes one fails
    worlds.sample.cache_clear()

    suite = load()

    assert [task.id for task in suite.tasks] == pins.chosen()
    assert len(suite.digest) == 64


def test_a_suite_of_another_seed_makes_its_samples() -> None:
    suite = load(seed=2, total=1)

    assert suite.load_world(suite.tasks[0].world).digest == suite.worlds[suite.tasks[0].world]
