"""The page: whole, self-contained, and readable without plots."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

from harness.report import Chart, Figure, plots
from harness.report.page import Part, page, write
from harness.suite import Table

TABLE = Table("Plain <table>", ["name", "share", "n"], [{"name": "a & b", "share": 0.5, "n": 1}], ["See `x`."])
CHART = Chart("bars", "name", ("share %",), "low", "high", "floor %", panels=("agent",))
ROWS = [
    {"agent": agent, "name": name, "share %": 40.0 + n, "low": 20.0, "high": 60.0, "floor %": 10.0}
    for agent in ("first", "second")
    for n, name in enumerate(("$one$ & two", "three"))
]
FIGURE = Figure.of("Figure: shares", list(ROWS[0]), ROWS, [], CHART)
NOTHING = [{**row, "share %": 0.0} for row in ROWS]


class Reader(HTMLParser):
    """Collects tags with attributes and checks that they nest."""

    VOID = ("meta", "br", "hr", "img", "input", "link")

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def made(*tables: Table) -> str:
    return page("A run", [Part("A run", {"suite": "made@1"}, tables or (TABLE, FIGURE))])


def styles(selector: str) -> dict[str, str]:
    """What the page's style sheet says of a selector, the last rule counting."""
    (sheet,) = re.findall(r"<style>(.*?)</style>", made(), re.DOTALL)
    said = [
        rule
        for wanted, rule in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet)
        if selector in re.split(r",\s*", wanted.strip())
    ]
    return dict(re.findall(r"([\w-]+):\s*([^;]+);", " ".join(said)))


def read(text: str) -> Reader:
    reader = Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == []
    return reader


def test_the_page_refers_to_nothing_outside_itself() -> None:
    text = made()
    tags = read(text).tags

    assert set(re.findall(r'([\w:]+)="https?://', text)) <= {"xmlns", "xmlns:xlink"}
    assert not re.search(r"https?:", re.sub(r'xmlns(:xlink)?="[^"]+"', "", text))
    assert {tag for tag, _ in tags} & {"script", "link", "img", "iframe", "object", "embed"} == set()
    assert not re.search(r"@import|url\((?!#)", text)
    assert all((value or "").startswith("#") for _, attributes in tags for key, value in attributes.items()
               if key in ("href", "xlink:href", "src"))  # fmt: skip


def test_every_id_is_its_own_and_every_reference_has_one() -> None:
    text = made(FIGURE, FIGURE)
    ids = [attributes["id"] for _, attributes in read(text).tags if "id" in attributes]
    wanted = set(re.findall(r'(?:url\(|href=")#([^)"]+)', text))

    assert len(ids) == len(set(ids))
    assert wanted
    assert wanted <= set(ids)


def test_tables_scroll_in_their_own_box_and_can_be_reached_by_keyboard() -> None:
    boxes = [attributes for _, attributes in read(made()).tags if attributes.get("class") == "scroll"]

    assert len(boxes) == 2
    assert all(box["tabindex"] == "0" and box["role"] == "region" for box in boxes)
    assert styles(".scroll")["overflow-x"] == "auto"
    assert styles(".scroll")["max-width"] == "100%"
    assert styles("td")["white-space"] == "nowrap", "which is why they are wide"
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in made()


def test_the_page_has_colours_for_light_and_dark() -> None:
    text = made()
    used = set(re.findall(r"var\((--\w+)\)", text))
    light, dark = re.findall(r":root \{(.*?)\}", text, re.DOTALL)

    assert "@media (prefers-color-scheme: dark)" in text
    assert used == set(re.findall(r"(--\w+):", light)) == set(re.findall(r"(--\w+):", dark))
    assert "#0101" not in text
    assert not re.search(r"(fill|stroke): #", text)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_and_bars_stand_out_from_the_background(scheme: int) -> None:
    """Contrast of 4.5 for text and 3 for bars (WCAG 2.1, 1.4.3 and 1.4.11)."""
    block = re.findall(r":root \{(.*?)\}", made(), re.DOTALL)[scheme]
    colours = {name: luminance(value) for name, value in re.findall(r"--(\w+): #(\w{6})", block)}

    def contrast(name: str) -> float:
        one, other = sorted((colours[name], colours["paper"]))
        return (other + 0.05) / (one + 0.05)

    assert min(contrast(name) for name in ("ink", "soft", "link")) >= 4.5
    assert min(contrast(name) for name in ("first", "second", "mark")) >= 3


def luminance(colour: str) -> float:
    shares = [int(colour[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_page_begins_with_its_sentence_and_a_list_that_leads_to_each_table() -> None:
    text = page("A run", [Part("A run", {}, (TABLE, FIGURE), "All was right.")])
    before, _, rest = text.partition("<section")
    leads = re.findall(r'<li><a href="#([^"]+)">', before)

    assert before.index("<p>All was right.</p>") < before.index("<nav")
    assert leads == re.findall(r'<section id="([^"]+)"', f"<section{rest}")


def test_the_contents_leave_out_what_their_heading_ends_with() -> None:
    ending = ", user anna"
    tables = [TABLE._replace(title=f"Results: effort{ending}"), TABLE._replace(title="Results: dials, user bob")]
    text = page("A run", [Part(f"A run{ending}", {}, tables, ending=ending)])

    assert re.findall(r'<li><a href="[^"]+">(.*?)</a>', text) == ["Results: effort", "Results: dials, user bob"]
    assert re.findall(r"<h3 [^>]+>(.*?)</h3>", text) == ["Results: effort, user anna", "Results: dials, user bob"]


def test_of_long_tables_only_the_one_that_a_sentence_sums_up_is_open() -> None:
    long = Table("Long", ["n"], [{"n": n} for n in range(30)], [])
    text = page("A run", [Part("A run", {}, (long, long), "All was right.")])

    assert re.findall(r"<details[^>]*>", text) == ["<details open>", "<details>"]


def test_a_figure_is_drawn_per_panel_and_says_in_words_what_it_shows() -> None:
    drawn = [attributes for tag, attributes in read(made()).tags if tag == "svg"]

    assert [attributes["role"] for attributes in drawn] == ["img", "img"]
    assert drawn[0]["aria-label"] == "Figure: shares. first. share % by name: $one$ & two: 40; three: 41."
    assert all("width" not in attributes and "viewbox" in attributes for attributes in drawn)


def test_labels_are_text_as_given() -> None:
    text = made()

    assert ">$one$ &amp; two</text>" in text
    assert "DejaVu" not in text


def test_the_same_figures_give_the_same_page() -> None:
    assert made() == made()


def test_a_panel_of_zeros_is_left_out_of_stacked_figures() -> None:
    stacked = Chart("bars", "name", ("share %", "floor %"), panels=("agent",))
    rows = [{**row, "floor %": 0.0, "share %": row["share %"] if row["agent"] == "first" else 0.0} for row in ROWS]

    assert list(plots.draw(Figure.of("F", list(rows[0]), rows, [], stacked))) == ["first"]
    assert list(plots.draw(Figure.of("F", list(NOTHING[0]), NOTHING, [], CHART))) == ["first", "second"]


def test_standing_columns_carry_their_values() -> None:
    rows = [{"actions": n, "tasks %": share} for n, share in enumerate((25.0, 75.0))]
    figure = Figure.of("F", ["actions", "tasks %"], rows, [], Chart("columns", "actions", ("tasks %",), folded=True))
    (drawn,) = plots.draw(figure).values()

    assert ">25</text>" in drawn
    assert ">75</text>" in drawn
    assert "<details>\n<summary>2 rows</summary>" in made(figure)


def test_without_the_plotting_library_the_page_says_so_once_and_shows_the_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plots, "available", lambda: False)
    text = made(TABLE, FIGURE, FIGURE)

    assert text.count("Plots are left out: they need Matplotlib") == 1
    assert "<svg" not in text
    assert text.count("<td") == 3 + 2 * 4 * 6
    assert "Matplotlib" not in made(TABLE)


def test_numbers_of_a_column_have_the_same_decimals() -> None:
    rows: Sequence[dict[str, float | None]] = [{"x": 1.0, "p": 0.00012}, {"x": 0.125, "p": 1.0}, {"x": None, "p": 0.5}]
    cells = re.findall(r'<td class="n">([^<]*)</td>', made(Table("T", ["x", "p"], rows)))

    assert cells == ["1.000", "0.00012", "0.125", "1.0", "-", "0.5"]


def test_text_from_outside_is_escaped() -> None:
    text = made()

    assert "Plain &lt;table&gt;" in text
    assert "a &amp; b" in text
    assert "See <code>x</code>." in text


def test_a_page_is_written_whole(tmp_path: Path) -> None:
    write(tmp_path / "report.html", made())

    assert (tmp_path / "report.html").read_text(encoding="utf-8") == made()
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
