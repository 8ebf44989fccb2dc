"""Templates of prompts that come with a stranger's config: they render, and do not do so for long."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import Environment
from pydantic import ValidationError

from harness.agents.talking import rendered
from harness.core.agent_config import Prompts
from harness.core.templates import TooMuch

TOO_MUCH = "this is more than a prompt can take"
WIDE = "a width in a format is a number of at most four digits"
TEN = "{% set x = 'xxxxxxxxxx' %}\n"
"""Ten letters, which whatever follows often enough makes very many."""


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("One.\n{{ 'x' * 1000000000 }}", f"line 2 of the template: {TOO_MUCH}"),
        ("{{ [1] * 1000000000 }}", f"line 1 of the template: {TOO_MUCH}"),
        ("\n\n{{ 10 ** (10 ** 7) }}", "line 3 of the template: a template cannot raise to a power"),
        ("{{ day ** 2 }}", "line 1 of the template: a template cannot raise to a power"),
        ("{{ '%1000000000d' % 1 }}", f"line 1 of the template: {WIDE}"),
        ("{{ lipsum(100000) }}", "the template uses 'lipsum'; it may use day, now, system"),
    ],
)
def test_what_constants_tell_is_refused_before_the_run(template: str, problem: str) -> None:
    with pytest.raises(ValidationError, match=problem.replace("(", r"\(")):
        Prompts(system=template)


def test_a_file_that_is_refused_is_named(tmp_path: Path) -> None:
    (tmp_path / "mine.j2").write_text("One.\n{{ 2 ** 64 }}")

    with pytest.raises(ValidationError, match=r"line 2 of the template 'mine\.j2': a template cannot raise to a power"):
        Prompts.model_validate({"system": "mine.j2"}, context={"folder": tmp_path})


@pytest.mark.parametrize(
    "template",
    [
        "{{ 'x' | center(1000000000) }}",
        "{{ 'x'.center(1000000000) }}",
        "{{ ['x'] | map('center', 1000000000) | list }}",
        "{{ (1).to_bytes(1000000000) }}",
        "{{ [1] | tojson(indent=1000000000) }}",
        "{{ range(100000) | map('string') | join('x' * 100000) }}",
        TEN + "{% set x = x ~ x %}" * 40,
        TEN + "{% set x = x + x %}" * 40,
        TEN + "{% set x %}{{ x }}{{ x }}{% endset %}" * 40,
        TEN + '{% set x = "%s%s" % (x, x) %}' * 40,
        TEN + '{% set x = "{0}{0}".format(x) %}' * 40,
        TEN + '{% set x = x | replace("x", x) %}' * 40,
        "{% set x = [1] %}" + "{% set _ = x.extend(x) %}" * 40,
        "{% set n = namespace(x=9) %}{% for _ in range(1000) %}{% set n.x = n.x * n.x %}{% endfor %}",
        "{% for _ in range(100000) %}{% for _ in range(100000) %}{% endfor %}{% endfor %}",
        "{% for _ in range(100000) %}{% for _ in range(100000) if 0 %}{% endfor %}{% endfor %}",
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}",
    ],
)
def test_a_template_without_end_is_read_at_once_and_refused_when_it_is_rendered(template: str) -> None:
    assert Prompts(summary=f"One.\n{template}").summary == f"One.\n{template}"

    with pytest.raises(TooMuch, match=rf"line \d of the template: {TOO_MUCH}"):
        rendered("summary.j2", f"One.\n{template}")


@pytest.mark.parametrize("template", ["{{ '{:1000000000}'.format(1) }}", "{{ '{:{}}'.format(1, 1000000000) }}"])
def test_a_width_in_a_format_is_bounded(template: str) -> None:
    with pytest.raises(TooMuch, match=WIDE):
        rendered("summary.j2", template)


def test_what_prompts_take_is_rendered_as_ever() -> None:
    template = (
        "{{ '-' * 8 }}\n{{ '%02d, %s' % (5, 'a') }} {{ '{:>3}|{}'.format('b', 20000) }} {{ 2 * 3 + 4 % 3 }}\n"
        "{% for n in [1, 2, 3] if n > 1 %}{{ loop.index }}/{{ loop.length }} {{ 'n' ~ n }}{{ ',' if not loop.last }} "
        "{% else %}none{% endfor %}\n"
        "{% set kept = [] %}{% for n in range(3) %}{% set _ = kept.append(n) %}{% endfor %}{{ kept | join('+') }}\n"
        "{% macro twice(text) %}{{ text }}{{ text }}{% endmacro %}{{ twice('ab') | upper | indent(2, first=True) }}"
        "{{ missing | default('!') }}"
    )

    plain = Environment(trim_blocks=True, lstrip_blocks=True, autoescape=False).from_string(template).render()

    assert rendered("summary.j2", template) == plain
    assert plain == "--------\n05, a   b|20000 7\n1/2 n2, 2/2 n3 0+1+2\n  ABAB!"


def test_long_prompts_over_many_tools_are_within_bounds() -> None:
    tools = [
        {"name": f"tool_{n}", "description": "Does it.\n" * 200, "arguments": [{"name": f"a{m}"} for m in range(20)]}
        for n in range(500)
    ]
    template = (
        "{{ system | replace('a', 'b') }}{% for tool in tools %}{{ tool.name }}: {{ tool.description | indent(2) }}\n"
        "{% for argument in tool.arguments %}- {{ argument.name | upper }}{{ '' if loop.last else ', ' }}\n"
        "{% endfor %}{% endfor %}"
    )

    text = rendered("plan.j2", template, system="a long text " * 10_000, tools=tools)

    assert text.count("- A19") == 500
