"""Display text: known Excel texts, and the fast paths against xlfmt on seeded values."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from cellroles.reader.dates import date_texts
from cellroles.reader.display import display_text, display_texts, numbers_shown, rendered
from cellroles.reader.numbers import number_texts
from cellroles.sheet import Kind

ACCOUNTING = '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)'
EURO = '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-'
FAST = ["General", "0", "0.00", "#,##0", "#,##0.00", "0%", "0.0%", "0.00%", "0.000", "$#,##0.00", "#,##0;(#,##0)"]
FAST += ["#,##0_);(#,##0)", "#,##0.00_);[Red](#,##0.00)", ACCOUNTING, EURO, "[$-409]0.00", "[$€-407] #,##0.00"]
FAST += [
    '#,##0.0,,"M"',
    '0.0,"K"',
    '#,##0.0;-#,##0.0;"-"',
    "+0.0;-0.0;0",
    '"Q"0',
    '#,##0 "kg"',
    "0.00%;-0.00%;;@",
    "(0)",
]
FAST += ["000", "00.0", "####0", "#,###,##0.00", "##,##0"]
DATES = ["m/d/yyyy", "yyyy-mm-dd", "d-mmm-yy", "mmm-yy", "mm-dd-yy", "h:mm:ss", "h:mm:ss AM/PM", "[h]:mm:ss", "mm:ss"]
DATES += ["[$-409]d\\-mmm\\-yyyy;@", "dddd, mmmm dd, yyyy", "[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy", "mmmmm", "d/m/y"]
DATES += ["dd/mm/yyyy hh:mm:ss.000", "yyyy-mm-dd\\Thh:mm:ss", 'yyyy"年"m"月"d"日"']

SHOWN = [
    (0.0213, "0.0%", "2.1%"),
    (0.1 + 0.2, "General", "0.3"),
    (1e20, "General", "1E+20"),
    (123456789012, "General", "1.23457E+11"),
    (12345678901, "General", "12345678901"),
    (1 / 3, "General", "0.333333333"),
    (-1234.56789012, "General", "-1234.56789"),
    (9999999999.96, "General", "10000000000"),
    (5.0, "General", "5"),
    (2.675, "0.00", "2.68"),
    (1.005, "0.00", "1.01"),
    (-2.5, "0", "-3"),
    (1234567, '#,##0.0,,"M"', "1.2M"),
    (-1234.5, ACCOUNTING, "(1,234.50)"),
    (0, ACCOUNTING, "-"),
    (-1234.5, EURO, "-1,234.50 €"),
    (1234.5, "[$-409]#,##0.00", "1,234.50"),
    (1234.5, "[$£-809]#,##0.00", "£1,234.50"),
    (2.5, "# ?/?", "2 1/2"),
    (12345.678, "0.00E+00", "1.23E+04"),
    (5, ";;;", ""),
    (5, "@", "5"),
    (45352, "d-mmm-yy", "1-Mar-24"),
    (45352.5313, "m/d/yyyy h:mm", "3/1/2024 12:45"),
    (45352, "dd.mm.yyyy", "01.03.2024"),
    (0.99, "h:mm AM/PM", "11:45 PM"),
    (0.99, "h:mm", "23:45"),
    (1.5, "[h]:mm", "36:00"),
    (60, "d-mmm-yy", "29-Feb-00"),
    (-1, "d-mmm-yy", "-1"),
    (2958466, "yyyy-mm-dd", "2958466"),
    (dt.datetime(2024, 3, 1), "d-mmm-yy", "1-Mar-24"),
    (dt.date(2024, 3, 1), "yyyy", "2024"),
    (dt.time(6, 30), "h:mm", "6:30"),
    (dt.timedelta(hours=30), "[h]:mm", "30:00"),
    (True, "0.00", "TRUE"),
    ("#REF!", "0.00", "#REF!"),
    ("abc", ACCOUNTING, "abc"),
    ("abc", '"<"@">"', "<abc>"),
    (None, "0", ""),
]


@pytest.mark.parametrize(("value", "number_format", "text"), SHOWN)
def test_display_text_is_what_excel_shows(value: object, number_format: str, text: str) -> None:
    assert display_text(value, number_format) == text


def numbers() -> np.ndarray:
    rng = np.random.default_rng(0)
    cents, tenths = np.round(rng.uniform(-1000, 1000, 150), 2), np.round(rng.uniform(-10, 10, 100), 1)
    ties = np.arange(-5, 5) + 0.5
    odd = [0.0, 0.1 + 0.2, 1e20, 1e-7, 2.675, 1.005, -0.001, -0.005, 1 / 3, 12345678901, 123456789012, 1e15, 1e16, 1e-5]
    return np.unique(np.concatenate([rng.uniform(-1e6, 1e6, 150), cents, tenths, ties, odd, rng.uniform(-1, 1, 150)]))


@pytest.mark.parametrize("number_format", FAST)
def test_fast_numbers_equal_xlfmt(number_format: str) -> None:
    slow = []

    def counted(value: float, form: str) -> str:
        slow.append(value)
        return rendered(value, form)

    values = numbers()
    assert number_texts(values, number_format, counted) == [rendered(v, number_format) for v in values.tolist()]
    assert len(slow) < 10


@pytest.mark.parametrize("date1904", [False, True])
@pytest.mark.parametrize("number_format", DATES)
def test_fast_dates_equal_xlfmt(number_format: str, date1904: bool) -> None:
    rng = np.random.default_rng(1)
    serials = np.concatenate([np.floor(rng.uniform(61, 60000 * 86400, 100)) / 86400 + 61, np.arange(61, 800, 7.0)])
    want = [rendered(serial, number_format, date1904) for serial in serials.tolist()]
    assert date_texts(serials, number_format, date1904) == want


def test_times_are_cut_to_minutes_not_rounded() -> None:
    almost = dt.timedelta(hours=12, minutes=45, seconds=50) / dt.timedelta(days=1)
    assert [display_text(almost, form) for form in ("h:mm", "h", "h:mm:ss")] == ["12:45", "12", "12:45:50"]


def test_1904_dates_start_four_years_later() -> None:
    assert display_text(0, "yyyy-mm-dd", date1904=True) == "1904-01-01"
    assert display_text(dt.datetime(2024, 3, 1), "yyyy-mm-dd", date1904=True) == "2024-03-01"


def test_numbers_that_a_format_cannot_show_are_raw_and_flagged() -> None:
    shown = numbers_shown(np.array([-1.5, 61.0, 3e6]), "yyyy-mm-dd")
    assert shown.texts == ["-1.5", "1900-03-01", "3000000"]
    assert shown.raw.tolist() == [True, False, True]


def test_display_texts_of_mixed_cells() -> None:
    value = np.array(["note", 0.5, False, "#N/A", 45352, 0.25], object)
    kind = np.array([Kind.TEXT, Kind.NUMBER, Kind.BOOL, Kind.ERROR, Kind.DATE, Kind.NUMBER], np.uint8)
    number = np.array([np.nan, 0.5, 0, np.nan, 45352, 0.25])
    style = np.array([1, 1, 1, 1, 0, 1], np.int32)
    text, raw = display_texts(value, kind, number, style, ["d-mmm-yy", "0%"])
    assert text.tolist() == ["note", "50%", "FALSE", "#N/A", "1-Mar-24", "25%"]
    assert not raw.any()


def test_weekdays_by_their_east_asian_letters() -> None:
    assert display_text(dt.datetime(2024, 3, 1), "aaa d") == "Fri 1"
    assert display_text(dt.datetime(2024, 3, 1), "aaaa d") == "Friday 1"
