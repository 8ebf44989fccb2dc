"""Configs from YAML: what is read, and that every problem names file, line, field and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.core.config import (
    CommandConfig,
    Condition,
    ConfigProblem,
    LlmConfig,
    OracleConfig,
    ReferenceConfig,
    RunConfig,
)
from harness.core.config_file import load
from harness.core.overrides import Overrides

LEAST = "suite: demo\nagents: [{kind: oracle}]\n"
TWO_AGENTS = """
suite: demo
agents:
  - {kind: reference, explore: 0.8}
  - {kind: llm, name: local, model: stub/a, api_base: "http://127.0.0.1:9", price: {prompt: 1, completion: 2}}
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / "demo.yaml"


def problem(path: Path, text: str | bytes, **overrides: object) -> str:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ConfigProblem) as caught:
        load(path, Overrides(**overrides))  # type: ignore[arg-type]
    return str(caught.value)


def test_a_config_is_named_after_its_file_unless_it_names_itself(config: Path) -> None:
    config.write_text(LEAST)
    unnamed = load(config)
    config.write_text(LEAST + "name: mine\n")

    assert (unnamed.name, load(config).name) == ("demo", "mine")


def test_scalars_follow_yaml_1_2(config: Path) -> None:
    config.write_text(LEAST + "conditions:\n  off: {ask: off, prompt: 12:30}\n  no: {prompt: 2023-11-30}\n")

    assert load(config).conditions == {
        "off": Condition(ask="off", prompt="12:30"),
        "no": Condition(prompt="2023-11-30"),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("trails: 3", "3: trails: no such setting. Did you mean 'trials'? Known: suite, name, trials, "),
        ("seed: true", "3: seed: must be a number, not `true`"),
        ("limits:\n  seconds: 1e999", "4: limits.seconds: input should be a finite number, not inf"),
        (
            "transport: stdio\nconditions:\n  a:\n    overlays: {gmail: {hide: [x]}}",
            "6: conditions.a.overlays: over stdio each app",
        ),
        ("limits: {turn: 3}", "3: limits.turn: no such setting. Did you mean 'turns'?"),
        ("limits:\n  turns: 5\n  seconds: -1", "5: limits.seconds: input should be greater than 0, not -1"),
        (
            "conditions:\n  a: {ask: of}",
            "4: conditions.a.ask: 'of' is not allowed; write 'off', 'ask_user' or 'clarify'. Did you",
        ),
        ("conditions:\n  a:\n    user: {kid: x}", "5: conditions.a.user.kid: no such setting. Did you mean 'kind'?"),
        ("conditions: {}", "3: conditions: needs at least one"),
        ("limits: 3", "3: limits: must be a mapping, not 3"),
        ("tasks: t-1", "3: tasks: must be a list, not 't-1'"),
        ("seed: x", "3: seed: input should be a valid integer"),
        ("seed: 1\nseed: 2", "4: seed: given twice; the first is on line 3"),
        ("limits: {turns: 1, turns: 2}", "3: limits.turns: given twice"),
        ("limits: {<<: {turns: 1}}", "3: limits.<<: no such setting."),
        ("tasks: [a", "4: not valid YAML: while parsing a flow sequence"),
        ("name: \x01", "3: not valid YAML: the character 1 is not allowed"),
        ("name: &n [*n]", "3: name.0: an alias may not contain itself"),
        ("seed: !!int x", "3: seed: 'x' is not a usable number"),
        ("seed: !!python/object:os.system {}", "3: seed: "),
        ("? [a]\n: b", "3: a key is plain text, not a list or mapping"),
    ],
)
def test_a_problem_names_file_line_and_field(config: Path, text: str, expected: str) -> None:
    assert f"{config}:{expected}" in problem(config, LEAST + text + "\n")


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        ("[{kind: orcle}]", "agents.0.kind: 'orcle' is not a kind of agent. Did you mean 'oracle'? Known: idle, "),
        ("[{kind: reference, explor: 1}]", "agents.0.explor: no such setting. Did you mean 'explore'? Known: kind, "),
        ("[{kind: reference, ask: 2}]", "agents.0.ask: input should be less than or equal to 1, not 2"),
        ("[{kind: llm}]", "agents.0.model: is required and missing"),
        ("[{kind: llm, model: m, price: {prompt: 1}}]", "agents.0.price.completion: is required and missing"),
        (
            "[{kind: command, isolation: bwrp, command: [a, '{mcp_config}']}]",
            "agents.0.isolation: 'bwrp' is not allowed; write 'none', 'bwrap' or 'container'. Did you mean 'bwrap'?",
        ),
        (
            "[{kind: command, command: [a, '{mcp_config}', '--to={requst}']}]",
            "agents.0.command: argument 2 has {requst}, which stands for nothing. Did you mean {request}? Known: {",
        ),
        (
            "[{kind: command, command: [a, '{mcp_config}', '{task}']}]",
            "agents.0.command: argument 2 has {task}, which stands for nothing. Known: {mcp_config}, ",
        ),
        (
            '[{kind: command, command: [a, "{mcp_config}"], environment: {A: "x\\0"}}]',
            "agents.0.environment: there is a NUL (\\0) in it, which no program can be given",
        ),
        (
            "[{kind: command, command: [a, '{mcp_config}'], environment: {A=B: x}}]",
            "agents.0.environment: no variable can have the name 'A=B'",
        ),
        (
            "[{kind: llm, model: openai/x, api_base: 'localhost:8000'}]",
            "agents.0.api_base: write a URL, such as http://127.0.0.1:8000/v1",
        ),
        (
            "[{kind: llm, model: openai/x, api_base: 'http://:8000/v1'}]",
            "agents.0.api_base: write a URL, such as http://127.0.0.1:8000/v1",
        ),
        (
            "[{kind: llm, model: openai/x, api_base: 'http://me:a#b@host/v1'}]",
            "agents.0.api_base: write a URL with a number for its port, and `/`, `?` and `#` in a password as %2F, %3F",
        ),
        (
            "[{kind: llm, model: openai/x, api_base: 'http://me:12/34@host/v1'}]",
            "agents.0.api_base: write `/`, `?` and `#` in a password as %2F, %3F and %23, and an `@` behind the host",
        ),
        ("[{kind: llm, model: openai/x, max_tokens: true}]", "agents.0.max_tokens: must be a number, not `true`"),
        ("[{kind: command, command: [a, 3]}]", "agents.0.command.1: input should be a valid string, not 3"),
        ("[oracle]", "agents.0: an agent is a mapping with a `kind`, one of idle, oracle, reference, llm"),
        ("[{name: x}]", "agents.0: an agent is a mapping with a `kind`"),
        ("oracle", "agents: must be a list, not 'oracle'"),
        ("[]", "agents: needs at least one"),
        ("[{kind: idle}, {kind: idle}]", "agents: two agents are named 'idle'; give each its own `name`"),
    ],
)
def test_a_problem_with_an_agent_names_its_place(config: Path, agents: str, expected: str) -> None:
    assert f"{config}:2: {expected}" in problem(config, f"suite: demo\nagents: {agents}\n")


@pytest.mark.parametrize(
    "part", ["echo ${HOME} ${request_dir}", '{"query": {"text": 1}}', "print(f'{x} and {task}')", "{ request_ }", "{0}"]
)
def test_braces_that_are_no_misspelt_placeholder_are_the_programs_own(config: Path, part: str) -> None:
    config.write_text(f"suite: demo\nagents: [{{kind: command, command: [a, '{{mcp_config}}', {part!r}]}}]\n")

    (agent,) = load(config).agents
    assert isinstance(agent, CommandConfig)
    assert agent.command[2] == part


def test_what_was_played_with_a_config_that_would_be_refused_now_is_read_as_it_is() -> None:
    agents = [
        {"kind": "llm", "model": "openai/x", "api_base": "localhost:8000"},
        {"kind": "command", "command": ["a", "{mcp_config}", "{requst}"]},
    ]

    assert len(RunConfig.model_validate({"suite": "demo", "agents": agents}).agents) == 2


def test_every_problem_gets_a_line_of_its_own(config: Path) -> None:
    lines = problem(config, "trials: 0\nagents: [{kind: x}]\n").splitlines()

    assert [line.removeprefix(f"{config}:").split(": ")[:2] for line in lines] == [
        ["1", "suite"], ["1", "trials"], ["2", "agents.0.kind"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"", "holds nothing"),
        (b"- a\n", "holds a list"),
        (b"hello\n", "holds a single value"),
        (b"suite: a\nname: \xff\n", "2: not UTF-8 text"),
        (b"[" * 5000, "nested too deeply"),
        (b"suite: a\n---\nsuite: b\n", "2: not valid YAML: expected a single document"),
    ],
)
def test_a_file_that_is_no_config_says_so(config: Path, text: bytes, expected: str) -> None:
    found = problem(config, text)

    assert expected in found
    assert len(found.splitlines()) == 1


def test_a_missing_file_suggests_its_neighbour(config: Path) -> None:
    config.write_text(LEAST)
    with pytest.raises(ConfigProblem, match=r"there is no such file\. Did you mean 'demo\.yaml'\?"):
        load(config.with_name("dmo.yaml"))


def test_overrides_replace_trials_seed_and_transport(config: Path) -> None:
    config.write_text(LEAST)
    changed = load(config, Overrides(trials=4, seed=9, transport="http"))

    assert (changed.trials, changed.seed, changed.transport) == (4, 9, "http")


def test_an_override_that_does_not_fit_is_named_as_typed(config: Path) -> None:
    assert problem(config, LEAST, trials=0).startswith("--trials: ")


def test_naming_a_configured_agent_keeps_its_settings(config: Path) -> None:
    config.write_text(TWO_AGENTS)

    assert load(config, Overrides(agent="reference")).agents == (ReferenceConfig(kind="reference", explore=0.8),)


def test_naming_a_kind_replaces_the_agents_by_one_of_it(config: Path) -> None:
    config.write_text(TWO_AGENTS)

    assert load(config, Overrides(agent="oracle")).agents == (OracleConfig(kind="oracle"),)


def test_an_unknown_agent_suggests_a_known_one(config: Path) -> None:
    assert problem(config, TWO_AGENTS, agent="orcle") == (
        "--agent orcle: no agent has that name or kind. Did you mean 'oracle'? "
        "Known: reference, local, idle, oracle, llm, command, function."
    )


@pytest.mark.parametrize("agent", [None, "llm", "local"])
def test_a_model_takes_the_settings_of_the_llm_agent_but_its_price(config: Path, agent: str | None) -> None:
    config.write_text(TWO_AGENTS)

    assert load(config, Overrides(agent=agent, model="stub/b")).agents == (
        LlmConfig(kind="llm", name="stub/b", model="stub/b", api_base="http://127.0.0.1:9"),
    )


def test_a_model_alone_replaces_instruments(config: Path) -> None:
    config.write_text(LEAST)

    assert load(config, Overrides(model="stub/b")).agents == (LlmConfig(kind="llm", model="stub/b"),)


def test_an_llm_agent_needs_a_model(config: Path) -> None:
    assert "say which model, with --model" in problem(config, LEAST, agent="llm")


def test_a_model_does_not_go_with_an_instrument(config: Path) -> None:
    assert "leave one of the two out" in problem(config, LEAST, agent="oracle", model="m")


BILLION = "x: &a [l, l, l, l, l, l, l, l, l]\n" + "".join(
    f"x{n}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 9)}]\n" for n in range(8)
)


def test_aliases_that_repeat_too_much_are_refused(config: Path) -> None:
    found = problem(config, LEAST + BILLION)

    assert "more than 100,000 values, those that aliases repeat included" in found


def test_aliases_within_bounds_are_read(config: Path) -> None:
    config.write_text("suite: demo\nagents: [&o {kind: oracle}]\nconditions: {a: &c {ask: off}, b: *c}\n")

    assert load(config).conditions["b"] == Condition(ask="off")


def test_a_hundred_quintillion_trials_are_refused(config: Path) -> None:
    assert problem(config, f"{LEAST}trials: {10**20}\n") == (
        f"{config}:3: trials: input should be less than or equal to 100000, not {10**20}"
    )
    assert problem(config, LEAST, trials=10**20).startswith("--trials: trials: input should be less than or equal")


@pytest.mark.parametrize("name", ["../../evil", "/etc/evil", "..", ".", "a\\\\b", "a\\0b", "a\\nb", "a" * 201])
def test_a_name_that_cannot_be_a_folder_is_refused(config: Path, name: str) -> None:
    assert problem(config, f'{LEAST}name: "{name}"\n').startswith(f"{config}:3: name: ")


@pytest.mark.parametrize("name", ["", "a\\0b", "a\\nb", "\\e[31m", "a" * 1_000])
def test_a_name_that_no_table_could_show_is_refused(config: Path, name: str) -> None:
    agent = problem(config, f'suite: demo\nagents: [{{kind: oracle, name: "{name}"}}]\n')
    condition = problem(config, f'{LEAST}conditions: {{"{name}": {{ask: off}}}}\n')

    assert agent.startswith(f"{config}:2: agents: the name of an agent ")
    assert condition.startswith(f"{config}:3: conditions: the name of a condition ")
    assert len(agent) < 300
    assert len(condition) < 300


def test_names_may_hold_slashes_spaces_and_letters_of_any_script(config: Path) -> None:
    agent = "{kind: oracle, name: openai/gpt-5}"
    config.write_text(f'suite: demo\nname: "größe 2"\nagents: [{agent}]\nconditions: {{"质问+ask, all": {{}}}}\n')

    assert (load(config).name, list(load(config).conditions)) == ("größe 2", ["质问+ask, all"])


def test_an_empty_list_of_tasks_is_refused(config: Path) -> None:
    assert problem(config, LEAST + "tasks: []\n") == (
        f"{config}:3: tasks: an empty list; leave it out to play all tasks"
    )


def test_a_task_that_is_listed_twice_is_refused(config: Path) -> None:
    assert problem(config, LEAST + "tasks: [a, b, a]\n") == (
        f"{config}:3: tasks: 'a' is listed twice; write `trials` to play a task several times"
    )
