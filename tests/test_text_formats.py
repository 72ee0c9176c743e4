"""Delimited text, HTML tables and OpenDocument: what their cells say, how they are divided, what stays text."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from cellroles import read_workbook
from cellroles.errors import NotASpreadsheet, TooLarge
from cellroles.limits import Limits
from cellroles.reader.delimited import decoded, delimiter_of
from cellroles.reader.literals import Locale, typed
from cellroles.sheet import Kind, Sheet
from tests.twins import write_ods_table

POINT, COMMA = Locale(), Locale(decimal=",")
LITERALS: list[tuple[str, Locale, object]] = [
    ("0", POINT, 0.0),
    ("-12.50", POINT, -12.5),
    ("−3", POINT, -3.0),
    (".5", POINT, 0.5),
    ("1,234,567", POINT, 1234567.0),
    ("12,34", POINT, "12,34"),
    ("1'234.5", POINT, 1234.5),
    ("1 234,5", COMMA, 1234.5),
    ("1\u202f234", POINT, 1234.0),
    ("(1,200)", POINT, -1200.0),
    ("(1,200", POINT, "(1,200"),
    ("$1,234.50", POINT, 1234.5),
    ("-€5", POINT, -5.0),
    ("12,5 %", COMMA, 0.125),
    ("+5.2%", POINT, 0.052),
    ("1.5e3", POINT, 1500.0),
    ("2E+05", POINT, 200000.0),
    ("1E5", POINT, "1E5"),
    ("007", POINT, "007"),
    ("00", POINT, "00"),
    ("+4912345", POINT, "+4912345"),
    ("1234567890123456", POINT, "1234567890123456"),
    ("1.2.3", POINT, "1.2.3"),
    ("192.168.0.1", POINT, "192.168.0.1"),
    ("5-3", POINT, "5-3"),
    ("--5", POINT, "--5"),
    ("nan", POINT, "nan"),
    ("inf", POINT, "inf"),
    ("-", POINT, "-"),
    ("1_000", POINT, "1_000"),
    ("٣", POINT, "٣"),
    ("2024-03-01", POINT, dt.date(2024, 3, 1)),
    ("2024-03-01T09:30", POINT, dt.datetime(2024, 3, 1, 9, 30)),
    ("2024-13-01", POINT, "2024-13-01"),
    ("31.12.2024", POINT, dt.date(2024, 12, 31)),
    ("1-Mar-24", POINT, dt.date(2024, 3, 1)),
    ("March 5, 2024", POINT, dt.date(2024, 3, 5)),
    ("Mar-24", POINT, dt.date(2024, 3, 1)),
    ("May", POINT, "May"),
    ("3/4/2024", POINT, "3/4/2024"),
    ("3/4/2024", Locale(day_first=False), dt.date(2024, 3, 4)),
    ("09:30", POINT, dt.time(9, 30)),
    ("25:00", POINT, "25:00"),
    ("TRUE", POINT, True),
    ("#n/a", POINT, "#n/a"),
    ("=SUM(A1:A9)", POINT, "=SUM(A1:A9)"),
    ('=HYPERLINK("http://x")', POINT, '=HYPERLINK("http://x")'),
    ("@cmd", POINT, "@cmd"),
]


@pytest.mark.parametrize(("text", "locale", "value"), LITERALS)
def test_text_becomes_a_value_only_where_nothing_else_is_meant(text: str, locale: Locale, value: object) -> None:
    found, _ = typed(text, locale)
    assert (found, type(found)) == (value, type(value))


def read_text(tmp_path: Path, content: str | bytes, name: str = "a.csv") -> Sheet:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    (sheet,) = read_workbook(path)
    return sheet


def cells(sheet: Sheet) -> dict[str, object]:
    return {sheet.ref(i): sheet.value[i] for i in range(len(sheet))}


def test_a_csv_shows_what_it_says_and_keeps_formulas_as_text(tmp_path: Path) -> None:
    sheet = read_text(tmp_path, 'Id,Share,Note\n007,12.50%,"two\r\nlines, one"\n,=1+1,  \n')
    assert cells(sheet) == {
        "A1": "Id", "B1": "Share", "C1": "Note", "A2": "007", "B2": 0.125, "C2": "two\nlines, one", "B3": "=1+1",
    }  # fmt: skip
    assert sheet.text.tolist() == ["Id", "Share", "Note", "007", "12.50%", "two\nlines, one", "=1+1"]
    assert sheet.formula.tolist() == [None] * 7 and sheet.kind[-1] == Kind.TEXT
    assert (sheet.name, sheet.source, sheet.warnings) == ("a", "csv", ())


def test_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    sheet = read_text(tmp_path, "Sales, all regions\n\nRegion;2021;2022\nNord;12,5;1.250,75\nSüd;7,25;8\n", "b.xlsx")
    assert sheet.value.tolist() == ["Sales, all regions", "Region", 2021, 2022, "Nord", 12.5, 1250.75, "Süd", 7.25, 8]
    assert sheet.source == "csv"


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1,2\n", ","),
        ("a;1,5;2,5\nb;1,5;2,5\n", ";"),
        ("a|b\nc|d\n", "|"),
        ("x, y\tz\n1\t2\n", "\t"),
        ('"a;b",c\n"d;e",f\n', ","),
        ("one line of text\nand another\n", None),
    ],
)
def test_the_delimiter_is_the_one_that_divides_rows_alike(text: str, delimiter: str | None) -> None:
    assert delimiter_of(text) == delimiter


def test_the_delimiter_that_the_file_declares_is_taken(tmp_path: Path) -> None:
    assert cells(read_text(tmp_path, "sep=^\r\na,b^c\r\n")) == {"A1": "a,b", "B1": "c"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_encodings(encoding: str) -> None:
    assert decoded("Größe\t€\n1\t2\n".encode(encoding))[0] == "Größe\t€\n1\t2\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Straße;Müller;Größe;Köln\nÄpfel;Öl;Übung;süß\n", "cp1252"),
        ("Товар;Количество;Цена\nХлеб белый;Молоко;Сметана\n", "cp1251"),
        ("商品名,数量,価格\n東京都,大阪府,北海道\nりんご,みかん,ぶどう\n", "cp932"),
        ("产品名称,数量,价格\n北京市,上海市,广东省\n苹果,香蕉,橘子\n", "gb18030"),
    ],
)
def test_older_encodings_are_found_by_their_letters(text: str, encoding: str) -> None:
    assert decoded(text.encode(encoding))[0] == text


def test_a_guessed_encoding_is_said(tmp_path: Path) -> None:
    sheet = read_text(tmp_path, "Größe,Köln\n".encode("cp1252"))
    assert sheet.warnings[0].startswith("the encoding is not declared; read as ")


def test_an_open_quotation_mark_does_not_swallow_the_file(tmp_path: Path) -> None:
    sheet = read_text(tmp_path, 'a,"b\n1,2\n3,4\n')
    assert cells(sheet) == {"A1": "a", "B1": '"b', "A2": 1, "B2": 2, "A3": 3, "B3": 4}
    assert sheet.warnings == ("a quotation mark is never closed; quotation marks are read as text",)


def test_one_column_is_a_table_only_by_name(tmp_path: Path) -> None:
    assert read_text(tmp_path, "Name\nAnn\n").text.tolist() == ["Name", "Ann"]
    with pytest.raises(NotASpreadsheet, match=r"a\.xlsx: text without columns"):
        read_text(tmp_path, "Some prose.\nMore of it.\n", "a.xlsx")


def test_text_over_the_limit_of_cells_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1,2\n" * 10)
    with pytest.raises(TooLarge, match=r"a\.csv.*at most 9 "):
        read_workbook(tmp_path / "a.csv", limits=Limits(cells=9))


def test_html_tables_are_sheets_with_what_stands_around_them(tmp_path: Path) -> None:
    page = """<html><head><title>No</title><style>p {}</style></head><body><h1>Sales</h1><p>in <b>EUR</b></p>
    <table><caption>By region</caption><tr><th rowspan=2>Region</th><th colspan="2">Year</th></tr>
    <tr><td><b>2021</b></td><td align=right bgcolor="#ffcc00"> 2022 </td></tr>
    <tr style="display:none"><td>secret</td></tr>
    <tr><td>North<br>West</td><td>1,234.5</td><td>007<!-- no --></td></tr></table>
    <p>Note</p><table><tr><td>x<table><tr><td>inner</td></tr></table></td></tr></table><p>The end</p></body></html>"""
    path = tmp_path / "report.xls"
    path.write_text(page, encoding="utf-8")
    first, second, inner = read_workbook(path)
    assert cells(first) == {
        "A1": "Sales", "A2": "in EUR", "A4": "By region", "A5": "Region", "B5": "Year", "B6": 2021, "C6": 2022,
        "A8": "North\nWest", "B8": 1234.5, "C8": "007",
    }  # fmt: skip
    assert first.merges.tolist() == [[4, 0, 6, 1], [4, 1, 5, 3]]
    assert [first.styles[i].bold for i in first.style] == [
        False,
        False,
        False,
        True,
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    assert first.styles[first.style[6]].fill == "FFCC00" and first.styles[first.style[6]].align == "right"
    assert [(cell.text, cell.reason) for cell in first.excluded] == [("secret", "hidden row")]
    assert (cells(second), cells(inner)) == ({"A1": "Note", "A3": "x"}, {"A1": "inner", "A3": "The end"})
    assert [sheet.name for sheet in (first, second, inner)] == ["Table 1", "Table 2", "Table 3"]


def test_an_excel_page_names_its_sheets_and_says_its_numbers(tmp_path: Path) -> None:
    page = (
        "<html xmlns:x='urn:schemas-microsoft-com:office:excel'><!--[if gte mso 9]><xml><x:ExcelWorksheet><x:Name>Q1"
        "</x:Name></x:ExcelWorksheet></xml><![endif]--><table><tr><td x:num='0.0213'>2.1%</td>"
        "<td style=\"mso-number-format:'\\@'\">12</td></tr></table></html>"
    )
    sheet = read_text(tmp_path, page, "a.xls")
    assert (sheet.name, cells(sheet), sheet.text.tolist()) == ("Q1", {"A1": 0.0213, "B1": "12"}, ["2.1%", "12"])


def test_a_web_archive_is_unpacked(tmp_path: Path) -> None:
    part = "--b\r\nContent-Type: text/html\r\n\r\n<table><tr><td>{}</td></tr></table>\r\n"
    head = 'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n'
    archive = f"{head}{part.format(1)}{part.format(2)}--b--"
    (tmp_path / "a.xls").write_text(archive)
    assert [sheet.value.tolist() for sheet in read_workbook(tmp_path / "a.xls")] == [[1], [2]]


def test_open_document_cells(tmp_path: Path) -> None:
    table = (
        '<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>'
        '<table:table-row><table:table-cell office:value-type="string"><office:annotation><text:p>why</text:p>'
        '</office:annotation><text:p>a<text:s text:c="2"/>b</text:p><text:p>c</text:p></table:table-cell>'
        '<table:table-cell table:formula="of:=SUM([.A2:.A3];1)" office:value-type="float" office:value="7">'
        "<text:p>7.00</text:p></table:table-cell>"
        '<table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>TRUE</text:p>'
        "</table:table-cell></table:table-row>"
        '<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="9"/>'
        "</table:table-row>"
        '<table:table-row table:number-rows-repeated="2" table:visibility="collapse"><table:table-cell '
        'table:number-columns-repeated="2" office:value-type="time" office:time-value="PT09H30M00S"><text:p>09:30'
        "</text:p></table:table-cell></table:table-row>"
    )
    (sheet,) = read_workbook(write_ods_table(tmp_path / "a.ods", "T", table), include_hidden=True)
    assert [sheet.ref(i) for i in range(len(sheet))] == [
        "A1",
        "B1",
        "C1",
        "A1048572",
        "B1048572",
        "A1048573",
        "B1048573",
    ]
    assert sheet.value.tolist() == ["a  b\nc", 7, True, *[dt.timedelta(hours=9.5)] * 4]
    assert sheet.text.tolist() == ["a  b\nc", "7.00", "TRUE", *["09:30"] * 4]
    assert sheet.formula.tolist() == [None, "=SUM(A2:A3,1)", None, None, None, None, None]
    assert (sheet.comments, sheet.hidden_cols, sheet.hidden_rows) == ({(0, 0): "why"}, {2}, {1048571, 1048572})
