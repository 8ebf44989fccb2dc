"""The description says what is served, and nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import anyio
import pytest
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import validator_for

from harness.service.openapi import describe
from harness.service.routes import ROUTES
from tests.harness import toy
from tests.service.scenes import service

DOCUMENT = describe(ROUTES)
OPERATIONS = [
    (method, path, operation) for path, item in DOCUMENT["paths"].items() for method, operation in item.items()
]


def refs(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        if isinstance(node.get("$ref"), str):
            yield node["$ref"]
        for value in node.values():
            yield from refs(value)
    elif isinstance(node, list):
        for value in node:
            yield from refs(value)


def valid(model: str, value: Any) -> None:
    schema = {"$ref": f"#/components/schemas/{model}", "components": DOCUMENT["components"]}
    Draft202012Validator(schema).validate(value)


def test_the_document_has_the_shape_that_openapi_3_1_asks_for() -> None:
    names = [operation["operationId"] for _, _, operation in OPERATIONS]

    assert re.fullmatch(r"3\.1\.\d+", DOCUMENT["openapi"])
    assert {"title", "version"} <= DOCUMENT["info"].keys()
    assert len(set(names)) == len(names) == len(ROUTES)
    for method, path, operation in OPERATIONS:
        assert method in {"get", "post", "delete"}
        assert all(re.fullmatch(r"[1-5]\d\d|default", status) for status in operation["responses"])
        assert all(answer["description"] for answer in operation["responses"].values())
        declared = [each["name"] for each in operation["parameters"] if each["in"] == "path" and each["required"]]
        assert declared == re.findall(r"\{(\w+)\}", path)
        for requirement in operation["security"]:
            assert requirement.keys() <= DOCUMENT["components"]["securitySchemes"].keys()


def test_every_schema_is_valid_and_every_reference_leads_somewhere() -> None:
    schemas = DOCUMENT["components"]["schemas"]

    assert {*refs(DOCUMENT)} <= {f"#/components/schemas/{name}" for name in schemas}
    for schema in schemas.values():
        assert validator_for(schema, Draft202012Validator) is Draft202012Validator
        Draft202012Validator.check_schema(schema)


def test_what_is_served_is_what_is_described() -> None:
    async def main() -> None:
        async with service([toy.task(0, sessions=2)]) as scene:
            root = f"{scene.host.address}/v1"
            served = (await scene.http.get(f"{root}/openapi.json")).json()
            made = await scene.http.post(f"{root}/sandboxes", json={"suite": "toy", "task": "toy-0"})
            id, control = made.json()["id"], {"Control-Token": made.json()["control_token"]}
            url = f"{root}/sandboxes/{id}"
            await scene.move(made.json()["urls"]["projects"])
            answers = {
                "create": made,
                "list": await scene.http.get(f"{root}/sandboxes"),
                "show": await scene.http.get(url, headers=control),
                "snapshot": await scene.http.post(f"{url}/snapshots", headers=control),
                "restore": await scene.http.post(f"{url}/restore", headers=control, json={"snapshot": "1"}),
                "advance": await scene.http.post(f"{url}/advance", headers=control),
                "fork": await scene.http.post(f"{url}/fork", headers=control),
                "diff": await scene.http.get(f"{url}/diff?since=start", headers=control),
                "calls": await scene.http.get(f"{url}/calls", headers=control),
                "score": await scene.http.get(f"{url}/score", headers=control),
                "delete": await scene.http.delete(url, headers=control),
            }

            assert served == json.loads(json.dumps(DOCUMENT))
            assert answers.keys() == {route.name for route in ROUTES}
            for route in ROUTES:
                answer = answers[route.name]
                assert answer.status_code == route.status, (route.name, answer.text)
                if route.answer:
                    valid(route.answer.__name__, answer.json())
            valid("Problem", (await scene.http.get(url, headers=control)).json())

    anyio.run(main)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"suite": "s", "task": "t", "user": {"policy": "segments"}},
        {"suite": "s", "task": "t", "ask": "clarify", "user": {"kind": "persona", "persona": "avoidant"}},
        {"suite": "s", "task": "t", "ask": "clarify", "user": {"kind": "placebo"}, "rounds": 1},
        {"apps": ["a"]},
    ],
)
def test_bodies_that_the_service_takes_fit_their_schema(body: dict[str, Any]) -> None:
    valid("NewSandbox", body)


def test_a_list_of_no_apps_does_not_fit_the_schema() -> None:
    with pytest.raises(ValidationError, match=r"non-empty|too short"):
        valid("NewSandbox", {"apps": []})
