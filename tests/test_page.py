"""The page of a workbook: its data, and what it does in a browser."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from cellroles.annotate import unannotated
from cellroles.headers import header_paths
from cellroles.sheet import AnnotatedSheet, Exclusion, Region, Role, Sheet, Style, Table
from chunkers.cli import app
from chunkers.page import page_data, page_html
from chunkers.page.looks import style_data
from chunkers.page.page import data_json
from chunkers.workbook import Settings
from tests.annotated import annotated
from tests.builders import sheet_from_rows, write_xlsx

NESTED = """
h Sales  |         |         |         |
c1 Place | c2 2023 |         | c2 2024 |
         | c1 Cod  | c1 Eel  | c1 Cod  | c1 Eel
r1 North | v 1.5   | v 2     | v 3     | v 4
r1 South | v 5     | v 6     | v 7     | v 8
"""
MERGES = "A2:A3 B2:C2 D2:E2"
ATTACK = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>"


def data_of(*sheets: AnnotatedSheet, file: str = "book.xlsx", **options: int) -> dict[str, Any]:
    return page_data(file, sheets, Settings(), **options)


def changed(sheet: AnnotatedSheet, **fields: object) -> AnnotatedSheet:
    return replace(sheet, sheet=replace(sheet.sheet, **fields))


@pytest.fixture
def nested() -> AnnotatedSheet:
    return annotated(NESTED, MERGES)


def large(rows: int = 5000, cols: int = 20) -> AnnotatedSheet:
    """A table of numbers below one row of headers."""
    grid = np.arange(rows * cols).reshape(rows, cols).tolist()
    sheet = sheet_from_rows([[f"H{c}" for c in range(cols)], *grid])
    roles = np.where(sheet.row == 0, Role.COL_HEADER_1, Role.VALUE).astype(np.uint8)
    tables, table_of = (Table(Region(0, 0, rows + 1, cols)),), np.zeros(len(sheet), np.int32)
    paths, col_path, row_path = header_paths(sheet, roles, tables, table_of)
    return AnnotatedSheet(
        sheet, roles, np.ones(len(sheet), np.float32), tables, table_of, paths, col_path, row_path, "test"
    )


def test_a_cell_knows_its_paths_and_its_chunk(nested: AnnotatedSheet) -> None:
    (sheet,) = data_of(nested)["sheets"]
    cells = sheet["cells"]
    i = cells["text"].index("7")
    path = [[cells["text"][k] for k in sheet["paths"][cells[way][i]]] for way in ("col_path", "row_path")]
    assert path == [["2024", "Cod"], ["South"]]
    assert sheet["chunks"][cells["chunk"][i]]["range"] == "A5:E5"
    assert sheet["tables"][0]["box"] == (1, 0, 5, 5)


def test_excluded_cells_are_shown_with_their_reason(nested: AnnotatedSheet) -> None:
    sheet = changed(nested, excluded=(Exclusion(3, 9, "secret", "hidden column"),), hidden_cols=frozenset({9}))
    (data,) = data_of(sheet)["sheets"]
    i = data["cells"]["text"].index("secret")
    assert (data["cells"]["row"][i], data["cells"]["col"][i], data["excluded"]) == (3, 9, {i: "hidden column"})
    assert data["hidden_cols"] == [(9, 1)]


def test_junk_is_excluded() -> None:
    (data,) = data_of(annotated("c1 Item | c1 2020 | j zzz\nr1 Cod | v 1"))["sheets"]
    assert data["excluded"] == {2: "junk"}


def test_stored_values_are_there_where_they_differ() -> None:
    sheet = sheet_from_rows([[0.5, "a"]], styles={(0, 0): Style(number_format="0%")})
    (data,) = data_of(unannotated(sheet, "no model"))["sheets"]
    assert (data["cells"]["text"], data["raw"]) == (["50%", "a"], {0: "0.5"})


def test_long_empty_stretches_take_no_room() -> None:
    sheet = sheet_from_rows([["a"]])
    far = replace(sheet, row=np.array([1048575], np.int32), col=np.array([16383], np.int32))
    (data,) = data_of(unannotated(far, "no model"))["sheets"]
    assert data["rows"] == [(0, 3), (1048573, 5)]
    assert data["cols"] == [(0, 3), (16381, 5)]


def test_what_is_left_out_of_a_page_is_said(nested: AnnotatedSheet) -> None:
    data = data_of(nested, changed(nested, name="Second"), most_cells=10)
    assert [len(sheet["cells"]["row"]) for sheet in data["sheets"]] == [10]
    assert data["left_out"] == ["Sheet1: 8 of 18 cells, from row 4 on", "Second: 18 of 18 cells, from row 1 on"]
    assert data["sheets"][0]["unseen_chunks"] == 1


def test_colours_that_are_none_are_dropped() -> None:
    style = Style(color="red;}", fill="00FF00", bold=True, align="url(x)", indent=99)
    assert style_data(style) == {"bold": True, "fill": "00FF00", "indent": 15}


def test_data_cannot_end_its_element(nested: AnnotatedSheet) -> None:
    data = data_of(changed(nested, name=ATTACK), file=f"{ATTACK}.xlsx")
    assert "<" not in data_json(data)
    assert json.loads(data_json(data))["sheets"][0]["name"] == ATTACK
    assert page_html(data).count("</script>") == 2


def test_the_page_names_no_address(nested: AnnotatedSheet) -> None:
    assert "http:" not in (page := page_html(data_of(nested)))
    assert "https:" not in page
    assert "default-src 'none'" in page


def test_the_command_writes_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Values:
        def probabilities(self, sheet: Sheet) -> np.ndarray:
            return np.eye(len(Role), dtype=np.float32)[np.zeros(len(sheet), int)]

    monkeypatch.setattr("chunkers.workbook._predictor", lambda _: Values())
    book, page = write_xlsx(tmp_path / "book.xlsx", [["a", 1]]), tmp_path / "out" / "page.html"
    assert CliRunner().invoke(app, ["view", str(book), "-o", str(page)]).exit_code == 0
    assert '"text":["a","1"]' in page.read_text("utf-8")
    assert [file.name for file in page.parent.iterdir()] == ["page.html"]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["view", str(tmp_path / "none.xlsx"), "-o", str(tmp_path / "page.html")])
    assert (result.exit_code, list(tmp_path.iterdir())) == (1, [])
    assert "none.xlsx" in result.output


class Page:
    """A page in Chromium; colours and places are looked at through its elements."""

    def __init__(self, driver: Any, file: Path) -> None:
        self.driver = driver
        driver.get(file.as_uri())

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def refs(self, selector: str) -> list[str]:
        return sorted(self.run("return [...document.querySelectorAll(arguments[0])].map(c => c.dataset.ref)", selector))

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def count(self, selector: str) -> int:
        return int(self.run("return document.querySelectorAll(arguments[0]).length", selector))

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def cell(self, ref: str) -> Any:
        return self.find(f'#grid [data-ref="{ref}"]')

    def hover(self, ref: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).move_to_element(self.cell(ref)).perform()

    def press(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def wait(self, script: str) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, 30).until(lambda driver: driver.execute_script(f"return {script}"))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    binary, driver_binary = shutil.which("chromium"), shutil.which("chromedriver")
    if not binary or not driver_binary:
        pytest.skip("needs chromium and chromedriver on the path")
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1300,800"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver_binary))
    yield driver
    driver.quit()


@pytest.fixture
def browse(chromium: Any, tmp_path: Path) -> Iterator[Any]:
    """A function from sheets to their page; afterwards, nothing has been said on the console."""

    def browse(*sheets: AnnotatedSheet, **options: Any) -> Page:
        file = tmp_path / "page.html"
        file.write_text(page_html(data_of(*sheets, **options)), "utf-8")
        return Page(chromium, file)

    yield browse
    assert [entry["message"] for entry in chromium.get_log("browser")] == []


@pytest.mark.browser
def test_pointing_at_a_value_lights_its_paths_and_its_chunk(browse: Any, nested: AnnotatedSheet) -> None:
    page = browse(nested)
    page.hover("D5")
    assert (page.refs(".lit-col"), page.refs(".lit-row")) == (["D2", "D3"], ["A5"])
    assert page.refs(".cell.lit-chunk") == ["A5", "B5", "C5", "D5", "E5"]
    assert "A5:E5" in page.text("#chunks .lit-chunk")
    assert "2024 D2 › Cod D3" in page.text("#detail")
    page.hover("B4")
    assert (page.refs(".lit-col"), page.refs(".lit-row")) == (["B2", "B3"], ["A4"])


@pytest.mark.browser
def test_the_grid_shows_merges_and_numbers(browse: Any, nested: AnnotatedSheet) -> None:
    page = browse(nested)
    assert page.count('#grid [data-ref="C2"]') == 0
    boxes = {ref: page.cell(ref).rect for ref in ("B2", "B3", "C3")}
    assert boxes["B2"]["width"] == boxes["B3"]["width"] + boxes["C3"]["width"]
    assert page.cell("B4").text == "1.5"


@pytest.mark.browser
def test_what_a_merge_covers_is_told_with_it(browse: Any, nested: AnnotatedSheet) -> None:
    page = browse(changed(nested, excluded=(Exclusion(1, 2, "secret", "covered by a merge"),)))
    page.cell("B2").click()
    assert "C2 secret" in page.text("#detail")


@pytest.mark.browser
def test_keys_move_over_merges_and_between_grid_and_chunks(browse: Any, nested: AnnotatedSheet) -> None:
    from selenium.webdriver import Keys

    page = browse(nested)
    page.cell("B2").click()
    page.press(Keys.ARROW_RIGHT)
    assert page.refs(".active") == ["D2"]
    page.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert page.refs(".active") == ["D4"]
    active = page.run("return document.getElementById('grid').getAttribute('aria-activedescendant')")
    assert page.find(f"#{active}").get_attribute("data-ref") == "D4"
    page.press(Keys.ENTER)
    assert page.run("return document.activeElement.id") == "chunks"
    page.press(Keys.ARROW_DOWN)
    assert page.refs(".cell.lit-chunk") == ["A5", "B5", "C5", "D5", "E5"]
    page.press(Keys.ENTER)
    assert (page.run("return document.activeElement.id"), page.refs(".active")) == ("grid", ["A5"])
    page.press(Keys.ESCAPE)
    assert page.refs(".cell.lit-chunk") == []


@pytest.mark.browser
def test_a_chunk_lights_its_cells_and_a_cell_its_chunk(browse: Any, nested: AnnotatedSheet) -> None:
    page = browse(nested)
    page.find('[data-chunk="2"]').click()
    assert page.refs(".cell.lit-chunk") == ["A5", "B5", "C5", "D5", "E5"]
    assert "South" in page.text("#reader pre")
    page.cell("C4").click()
    assert page.find('.chunk[aria-selected="true"]').get_attribute("data-chunk") == "1"


@pytest.mark.browser
def test_nothing_in_a_workbook_runs(browse: Any) -> None:
    sheet = annotated(f"h {ATTACK.replace('|', '')}\nc1 Item | c1 2020\nr1 {ATTACK} | v 1")
    page = browse(
        changed(sheet, name=ATTACK, comments={(2, 1): ATTACK}, hyperlinks={(2, 1): "javascript:window.hacked=1"}),
        file=f"{ATTACK.replace('/', '')}.xlsx",
    )
    page.cell("B3").click()
    assert "window.hacked" in page.text("#detail")
    assert page.text("#tabs button") == ATTACK
    assert page.run("return [typeof window.hacked, document.images.length]") == ["undefined", 0]


@pytest.mark.browser
def test_right_to_left_sheets_begin_at_the_right(browse: Any, nested: AnnotatedSheet) -> None:
    page = browse(changed(nested, right_to_left=True))
    assert page.cell("A4").rect["x"] > page.cell("B4").rect["x"] > page.cell("C4").rect["x"]


@pytest.mark.browser
def test_a_large_sheet_has_few_elements_wherever_it_is_scrolled(browse: Any) -> None:
    page = browse(large())
    assert 0 < page.count(".cell") < 2000
    page.run("document.getElementById('grid').scrollTo(1e9, 1e9)")
    page.wait("document.querySelector('[data-ref=\"T5001\"]')?.textContent === '99999'")
    assert page.count(".cell") < 2000
    assert page.count(".chunk") < 40
    page.cell("R5001").click()
    page.run("document.getElementById('grid').scrollTo(1e9, 0)")
    page.wait("document.querySelector('[data-ref=\"R1\"]')")
    assert page.refs(".lit-col") == ["R1"]


@pytest.mark.browser
def test_roles_can_give_way_to_the_colours_of_the_workbook(browse: Any) -> None:
    sheet = sheet_from_rows([["a", 1]], styles={(0, 0): Style(fill="1F4E79", color="FFFFFF", bold=True)})
    page = browse(unannotated(sheet, "no model"))
    page.find('input[value="own"]').click()
    look = "const s = getComputedStyle(document.querySelector('[data-ref=A1]')); return [s.backgroundColor, s.color]"
    assert page.run(look) == ["rgb(31, 78, 121)", "rgb(255, 255, 255)"]
    assert page.cell("A1").value_of_css_property("font-weight") == "700"
