"""The page of a comparison: its tables and charts, what it holds of every question, and what it does in a browser."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from bs4 import BeautifulSoup, Tag
from typer.testing import CliRunner

from chunkers.cli import app
from chunkers.compare.answers.generate import Answer
from chunkers.compare.files import summary_rows
from chunkers.compare.judge import SCORES, Judged, Verdict
from chunkers.compare.questions import Question
from chunkers.compare.report import write_report
from chunkers.compare.report.charts import charts
from chunkers.compare.report.page import left_out, report_html
from chunkers.compare.report.shown import EXTENTS, Extent, report_data, report_json
from chunkers.compare.report.standing import Standing, standing
from chunkers.compare.report.tables import OF_STRUCTURE
from chunkers.compare.results import ALL, COMPARED, ChunkStatistics, FoundChunk, MethodResult, Results, results
from tests.test_page import ATTACK, Page, chromium  # noqa: F401

TAGS = (("nested",), ("nested", "form"), ("form",), ())
SETTINGS = {"corpus": "books", "index": "bm25", "only": {"tier": "core"}, "embedder": None, "include_hidden": True}


def question(i: int, **fields: Any) -> Question:
    made = Question(f"q{i}", f"How much of {i}?", f"{i}7", f"{i // 2}.xlsx", "Data", (f"B{i + 2}",), tags=TAGS[i])
    paths = {"col_path": ("2024",), "row_path": ("Cod",), "col_path_cells": ("B1",), "row_path_cells": (f"A{i + 2}",)}
    return replace(made, **{**paths, **fields})


def method(
    name: str, ranks: tuple[int | None, ...], *, baseline: bool = False, judged: Judged = "cells", **fields: Any
) -> MethodResult:
    """A method whose verdicts have these ranks, and which attaches all headers where it finds anything first."""
    verdicts = tuple(
        Verdict(f"q{i}", r, r and r * 300, r, r == 1, r == 1, r == 1, r == 1, r == 1, 1500, (0, 1))
        for i, r in enumerate(ranks)
    )
    found = tuple(
        (
            FoundChunk(f"{name}-{i}", f"books/{i // 2}.xlsx", "Data", f"A{i + 2}:B{i + 2}", 300, f"Cod: {i}7", r == 1),
            FoundChunk("shared", "books/other.xlsx", "Notes", None, 40, "the same text for all", False),
        )
        for i, r in enumerate(ranks)
    )
    statistics = ChunkStatistics(1234, 150.25, 5, 512, 0.2934, 27.8)
    made = MethodResult(name, baseline, judged, "bm25", statistics, verdicts, found)
    return replace(made, **fields)


def compared(*methods: MethodResult, **fields: Any) -> Results:
    return results(SETTINGS, [question(i, **fields) for i in range(4)], methods)


@pytest.fixture
def four() -> Results:
    return compared(
        method("row", (1, 1, 7, None)),
        method("stc", (1, None, 3, None), baseline=True),
        method("sheetcompressor", (1, 1, 1, 1), baseline=True, judged="sheet"),
        method("row@gold", (1, 1, 1, 2)),
    )


def page_of(found: Results) -> BeautifulSoup:
    return BeautifulSoup(report_html(found), "html.parser")


def cells_of(table: Tag, name: str) -> list[Tag]:
    row = table.find("tr", attrs={"data-method": name})
    assert isinstance(row, Tag), name
    return row.find_all("td")


def numbers_of(table: Tag, name: str) -> list[str]:
    return [str(next(cell.stripped_strings)) for cell in cells_of(table, name)]


def main_table(page: BeautifulSoup) -> Tag:
    table = page.find("table", class_="scores")
    assert isinstance(table, Tag)
    return table


def test_the_numbers_are_those_of_the_summary(four: Results) -> None:
    head, *rows = summary_rows(four)
    page = page_of(four)
    tables = {
        ALL: (main_table(page), list(SCORES)),
        **{
            str(part.summary.contents[0]).strip(): (part.table, list(OF_STRUCTURE))
            for part in page.select(".structures details")
        },
    }
    assert set(tables) == {ALL, "nested", "form"}
    for row in rows:
        told = dict(zip(map(str, head), row, strict=True))
        table, names = tables[str(told["structure"])]
        shown = numbers_of(table, str(told["method"]))[: len(names)]
        assert shown == [f"{told[name]:.3f}" for name in names]
    assert numbers_of(tables[ALL][0], "row")[-1] == "1,500"
    assert [part.small.text for part in page.select(".structures summary")] == ["n = 2", "n = 2"]


def test_intervals_stand_below_the_means(four: Results) -> None:
    estimate = next(row for row in four.rows if (row.method, row.tag) == ("stc", ALL)).scores["recall@1"]
    assert estimate
    cell = cells_of(main_table(page_of(four)), "stc")[0]
    assert cell.small.text == f"{estimate.low:.3f} to {estimate.high:.3f}"
    assert cell["title"].endswith("n = 4")


def test_the_best_is_bold_and_neither_the_ceiling_nor_a_map_is_its_rival(four: Results) -> None:
    table = main_table(page_of(four))
    recall5 = list(SCORES).index("recall@5")
    bold = {name: bool(cells_of(table, name)[recall5].b) for name in ("row", "stc", "sheetcompressor", "row@gold")}
    assert bold == {"row": True, "stc": True, "sheetcompressor": False, "row@gold": False}
    assert not cells_of(table, "stc")[0].b
    nothing = main_table(page_of(compared(method("row", (None,) * 4), method("stc", (None,) * 4, baseline=True))))
    assert not cells_of(nothing, "row")[recall5].b and not cells_of(nothing, "stc")[recall5].b


def test_an_assembly_tells_how_much_of_the_gap_it_closes(four: Results) -> None:
    table = main_table(page_of(four))
    gaps = {name: [gap.text for gap in cells_of(table, name)[0].select(".gap")] for name in ("row", "stc", "row@gold")}
    assert gaps == {"row": ["50 % of the gap"], "stc": [], "row@gold": []}  # 0.25 to 0.75, and 0.5
    assert not page_of(compared(*four.methods[:3])).select(".gap")


def test_parts_of_the_table() -> None:
    names = {"row": Standing.ASSEMBLY, "row@gold": Standing.CEILING, "row@gold-header": Standing.ABLATION}
    found = {name: standing(method(name, (1, 1, 1, 1))) for name in (*names, "stc")}
    assert found == {**names, "stc": Standing.ASSEMBLY}
    assert standing(method("stc@gold", (1,), baseline=True)) is Standing.BASELINE


def test_differences_of_the_first_method(four: Results) -> None:
    table = page_of(four).find("table", class_="differences")
    for other, found in four.differences.items():
        shown = [cell.next.strip().replace("−", "-") for cell in cells_of(table, other)]
        assert shown == [f"{found[name].mean:+.3f}" for name in COMPARED if name in found]
    assert f"p = {four.differences['stc']['recall@1'].p:.3f}" in cells_of(table, "stc")[0].text
    assert not page_of(compared(method("row", (1, 1, 1, 1)))).find("table", class_="differences")


def test_chunk_statistics(four: Results) -> None:
    table = page_of(four).find("table", class_="chunks")
    assert numbers_of(table, "stc") == ["1,234", "150.2", "5", "512", "29.3 %", "27.8"]


def test_the_head_says_what_was_compared_how_it_was_judged_and_what_failed(four: Results) -> None:
    first, *others = four.methods
    failed = replace(first, errors=tuple(f"books/{i}.xlsx: broken" for i in range(60)))
    page = page_of(replace(four, methods=(failed, *others), left_out={"docling": "docling is not installed"}))
    settings = {part.dt.text: part.dd.text for part in page.select(".settings div")}
    assert settings == {"corpus": "books", "index": "bm25", "only": "tier = core", "include hidden": "yes"}
    assert [row.find_all("td")[2].text for row in page.select("#methods tbody tr")] == [
        "cells",
        "cells",
        "sheet",
        "cells",
    ]
    assert "a map without the values" in page.text
    assert "60 errors" in page.text and "books/0.xlsx: broken" in page.text and "and 10 more" in page.text
    assert "docling is left out, it has no chunks: docling is not installed" in page.text


def test_errors_that_methods_share_are_told_once(four: Results) -> None:
    one, two, three, four_ = four.methods
    broken, hurt = "books/1.xlsx: broken", "books/2.xlsx: stc: too flat"
    failed = (replace(one, errors=(broken,)), replace(two, errors=(hurt, broken)), replace(three, errors=(broken,)))
    told = page_of(replace(four, methods=(*failed, four_))).select("details.errors")
    assert [part.summary.text for part in told] == ["row, sheetcompressor: 1 error", "stc: 2 errors"]
    assert [[item.text for item in part.select("li")] for part in told] == [[broken], [broken, hurt]]


def test_questions_that_no_method_can_find_are_named_with_the_reason(four: Results) -> None:
    lost = replace(four, unfindable={f"q{i}": f"no chunks of {i}.xlsx" for i in (1, 3)})
    told = page_of(lost).select_one("details.errors")
    assert told and "2 questions whose answer\nis in no chunk" in told.summary.text
    assert [item.text.strip() for item in told.select("li")] == ["q1: no chunks of 1.xlsx", "q3: no chunks of 3.xlsx"]
    assert [asked["lost"] for asked in report_data(lost, EXTENTS[0])["questions"]] == [
        "", "no chunks of 1.xlsx", "", "no chunks of 3.xlsx",
    ]  # fmt: skip
    assert not page_of(four).select("details.errors")


def test_scores_that_only_some_questions_tell_say_so() -> None:
    made = method("row", (1, 1, None, None))
    first, *others = made.verdicts
    page = page_of(compared(replace(made, verdicts=(replace(first, attached=None, exact=None), *others))))
    notes = [note.text for note in page.select("section .notes")]
    assert "recall@5 and association, exact paths: over the 3 of 4 questions with header cells." in notes


def test_generated_answers_are_scored_in_the_tables_and_shown(four: Results) -> None:
    first, *others = four.methods
    answers = (Answer("q0", "It is 07.", 5, False), Answer("q1", "No idea", 2, False, read="B3"))
    found = compared(replace(first, answers=answers), *others)
    page = page_of(found)
    assert numbers_of(main_table(page), "row")[-2] == "3.500"
    data = report_data(found, EXTENTS[0])
    assert [told["found"][0].get("answer") for told in data["questions"]] == ["It is 07.", "No idea", None, None]
    assert data["questions"][1]["found"][0]["scores"][data["scores"].index("judge (1-5)")] == 2
    assert "judge (1-5)" not in report_html(four).partition('id="data"')[0]


def test_every_question_holds_what_every_method_found(four: Results) -> None:
    data = json.loads(report_json(four)[0])
    assert [told["id"] for told in data["questions"]] == ["q0", "q1", "q2", "q3"]
    assert [told["name"] for told in data["methods"]] == ["row", "stc", "sheetcompressor", "row@gold"]
    assert [told["rank"] for told in data["questions"][2]["found"]] == [7, 3, 1, 1]
    place, hit = data["questions"][1]["found"][0]["chunks"][0]
    sheet, chunk_id, box, tokens, text = data["chunks"][place]
    assert (data["sheets"][sheet], chunk_id, box, tokens, data["texts"][text], hit) == (
        ["0.xlsx", "Data"], "row-1", "A3:B3", 300, "Cod: 17", 1,
    )  # fmt: skip
    assert data["texts"].count("the same text for all") == 1
    assert data["questions"][0]["found"][0]["scores"][list(SCORES).index("recall@5 and association")] == 1


def test_what_does_not_fit_is_left_out_and_said(four: Results) -> None:
    (chunk, *_), *others = four.methods[0].found
    long = [replace(chunk, text=f"{i}{'x' * 3999}") for i in range(5)]
    found = replace(four, methods=(replace(four.methods[0], found=(tuple(long), *others)), *four.methods[1:]))
    text, extent = report_json(found)
    assert extent == Extent(5, 2400)
    assert "x" * 2399 + "…" in text and "x" * 2400 not in text
    assert report_json(found, len(text) - 5_000)[1] == Extent(5, 1200)
    assert report_json(found, len(text) - 7_000)[1] == Extent(3, 1200)
    nothing, extent = report_json(found, 10)
    assert (extent, json.loads(nothing)["texts"]) == (Extent(0, 0), [])
    assert "first 1,200 characters" in left_out(found, Extent(3, 1200))
    assert "of the first 5 chunks of each method 3" in left_out(found, Extent(3, 1200))
    assert "No chunks are shown" in left_out(found, Extent(0, 0))


def hostile() -> Results:
    text = FoundChunk(ATTACK, f"books/{ATTACK}", ATTACK, ATTACK, 9, ATTACK, True)
    first = method(f"row@{ATTACK}", (1, 1, 2, None), errors=(ATTACK,), answers=(Answer("q0", ATTACK, 1, False),))
    first = replace(first, found=((text,),) * 4)
    asked = [
        question(i, question=ATTACK, answer=ATTACK, sheet=ATTACK, tags=(ATTACK,), col_path=(ATTACK,)) for i in range(4)
    ]
    settings = {ATTACK: ATTACK, "only": {ATTACK: ATTACK}}
    return results(settings, asked, [first, method("stc", (1, 1, 1, 1), baseline=True)], {ATTACK: ATTACK})


def test_nothing_in_questions_or_chunks_becomes_an_element() -> None:
    html = report_html(hostile())
    assert html.count("</script>") == 2
    page = BeautifulSoup(html, "html.parser")
    assert len(page.find_all("script")) == 2
    assert {str(image["src"])[:26] for image in page.find_all("img")} == {"data:image/svg+xml;base64,"}
    assert not page.find_all(attrs={"onerror": True})
    data = page.find("script", id="data")
    assert "<" not in data.text and json.loads(data.text)["questions"][0]["question"] == ATTACK


def test_the_page_names_no_address(four: Results) -> None:
    html = report_html(four)
    assert "http:" not in html and "https:" not in html
    policy = BeautifulSoup(html, "html.parser").find("meta", attrs={"http-equiv": "Content-Security-Policy"})
    assert str(policy["content"]).startswith("default-src 'none'; script-src 'sha256-")


@pytest.mark.filterwarnings("error")
def test_charts_survive_any_name(four: Results) -> None:
    names = ("$\\frac{", "a\0\ud800b", "層<&", "x" * 300)
    asked = [question(i, tags=(name,)) for i, name in enumerate(names)]
    found = charts(results(SETTINGS, asked, four.methods))
    assert len(found) == 4
    for chart in found:
        for image in (chart.light, chart.dark):
            ElementTree.fromstring(base64.b64decode(image.partition(",")[2]))
    assert "row: recall@1 0.500" in found[0].told


def test_questions_without_paths_and_tags_have_a_page_too() -> None:
    bare = method("row", (1, 2, None, 1))
    bare = replace(
        bare,
        verdicts=tuple(replace(v, attached=None, association=None, exact=None, complete=None) for v in bare.verdicts),
    )
    fields = {"tags": (), "col_path": None, "row_path": None, "col_path_cells": None, "row_path_cells": None}
    found = compared(bare, **fields)
    page = page_of(found)
    assert numbers_of(main_table(page), "row")[list(SCORES).index("exact paths")] == "–"
    assert not page.select(".structures") and len(page.find_all("figure")) == 3


def test_a_page_is_written_whole(four: Results, tmp_path: Path) -> None:
    page = write_report(four, tmp_path / "out")
    assert (page, list(page.parent.iterdir())) == (tmp_path / "out" / "report.html", [page])
    assert write_report(four, tmp_path / "again").read_bytes() == page.read_bytes()


def test_a_missing_package_is_told_before_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkers.compare.report.write.find_spec", lambda name: None if name == "jinja2" else object())
    monkeypatch.setattr("chunkers.compare.run.compare", lambda *_: pytest.fail("the run began"))
    arguments = ["compare", "--corpus", str(tmp_path), "--questions", "q.jsonl", "-o", str(tmp_path / "out")]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 2
    assert "the report needs jinja2: pip install 'cellroles[compare]'" in done.output


@pytest.fixture
def browse(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """A function from results to their page; afterwards, nothing has been said on the console."""
    driver = request.getfixturevalue("chromium")

    def browse(found: Results) -> Page:
        return Page(driver, write_report(found, tmp_path))

    yield browse
    assert [entry["message"] for entry in driver.get_log("browser")] == []


def choose(page: Page, select: str, text: str) -> None:
    from selenium.webdriver.support.ui import Select

    Select(page.find(select)).select_by_visible_text(text)


def listed(page: Page) -> list[int]:
    return list(map(int, page.run("return [...document.querySelectorAll('.item')].map(i => i.dataset.question)")))


@pytest.mark.browser
def test_questions_are_searched_and_filtered(browse: Any, four: Results) -> None:
    page = browse(four)
    assert listed(page) == [0, 1, 2, 3]
    choose(page, "#relation", "row loses to stc")
    assert (listed(page), page.text("#count")) == ([2], "1 of 4 questions")
    choose(page, "#relation", "not found by row")
    assert listed(page) == [2, 3]
    choose(page, "#score", "recall@1")
    choose(page, "#relation", "row beats stc")
    assert listed(page) == [1]
    choose(page, "#relation", "all questions")
    choose(page, "#tag", "form")
    assert listed(page) == [1, 2]
    page.find("#search").send_keys("q2 HOW")
    assert listed(page) == [2]


@pytest.mark.browser
def test_a_question_shows_what_every_method_found(browse: Any, four: Results) -> None:
    page = browse(four)
    page.find('.item[data-question="1"]').click()
    assert page.text("#question h3") == "How much of 1?"
    assert "2024 (B1)" in page.text("#question dl") and "Cod (A3)" in page.text("#question dl")
    assert page.text('#question tr[data-method="stc"]').startswith("stcnot found")
    assert page.count(".column") == 4
    assert page.text('.column[data-method="row"] .found.hit .facts') == "✓ hit · #1 · A3:B3 · 300 tokens · right sheet"
    assert page.text('.column[data-method="row"] .found.hit mark') == "17"
    assert page.count('.column[data-method="stc"] .hit') == 0
    assert "other.xlsx › Notes" in page.text('.column[data-method="stc"] .found:last-child .facts')
    page.find("#toggles input").click()
    assert (page.count(".column"), page.count('.column[data-method="row"]')) == (3, 0)
    assert page.run("return location.hash") == "#q1"


@pytest.mark.browser
def test_keys_move_in_the_list(browse: Any, four: Results) -> None:
    from selenium.webdriver import Keys

    page = browse(four)
    page.run("document.getElementById('list').focus()")
    page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert page.text("#question h3") == "How much of 2?"
    assert page.find('.item[aria-selected="true"]').get_attribute("data-question") == "2"


@pytest.mark.browser
def test_nothing_from_a_workbook_runs(browse: Any) -> None:
    page = browse(hostile())
    assert ATTACK in page.text(".found pre")
    assert page.run("return [typeof window.hacked, document.images.length]") == ["undefined", 4]
    assert page.run("return [...document.images].every(image => image.naturalWidth > 0)")
