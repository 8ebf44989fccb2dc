"""Names of well-known servers lead to tools that there are, or say why not."""

from servers.calendar import app
from servers.calendar.official import NOT_OFFERED, OFFICIAL


def test_every_name_leads_to_a_tool_or_says_why_not() -> None:
    offered = {f"{toolset.name}.{tool}" for toolset in app.toolsets.values() for tool in toolset.tools}
    led = {name: tool for names in OFFICIAL.values() for name, tool in names.items()}

    assert {tool for tool in led.values() if tool} <= offered
    assert {each for each, tool in led.items() if not tool} == NOT_OFFERED.keys()
