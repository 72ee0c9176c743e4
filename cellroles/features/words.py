"""Words that betray a total, a note or a unit, in the languages that sheets are commonly written in."""

from __future__ import annotations

import re

_TOTALS = (
    "total|totals|subtotal|sub-total|grand total|sum|overall|average|mean|median|all|altogether|balance|net|combined|"
    "gesamt|insgesamt|summe|zusammen|mittelwert|durchschnitt|totaux|ensemble|somme|moyenne|suma|promedio|media|soma|"
    "totale|somma|totaal|gemiddelde|itogo|итого|всего|сумма|среднее|toplam|ortalama|ogółem|razem|celkem|yhteensä|i alt|"
    'samtals|összesen|إجمالي|المجموع|مجموع|סה"כ|סהכ|סך הכל'
)
_CJK_TOTALS = "合计|合計|总计|總計|小计|小計|总额|总数|共计|平均|汇总|計$|全国|総数|全体"
TOTAL = re.compile(rf"(?<!\w)(?:{_TOTALS})(?!\w)|{_CJK_TOTALS}", re.IGNORECASE)
NOTE = re.compile(
    r"\s*(?:[*†‡§#]+\s*\S|[\[(]?\d{1,2}[\])]\s*\S|note|notes|source|sources|remark|footnote|see |updated?|last |"
    r"release|copyright|©|http|www|contact|published|prepared|quelle|anmerkung|hinweis|stand|fuente|nota|notas|fonte|bron|"
    r"источник|примечан|kaynak|注|资料来源|来源|资料|出典|備考|说明|說明|المصدر|ملاحظ|מקור|הערה|r\s*=|p\s*=|\.\.\s*=)",
    re.IGNORECASE,
)
UNIT = re.compile(
    r"(?<!\w)(?:in\s+)?(?:thousands?|millions?|billions?|mio\.?|mrd\.?|mn|bn|percent|per cent|prozent|usd|eur|gbp|nok|"
    r"sek|dkk|chf|tonnes?|tons?|kg|km2?|kwh|mwh|gwh|twh|mw|number|persons?|units?)(?!\w)|[%€$£¥‰]|"
    r"单位|單位|単位|万元|亿元|千円|百万円|人$",
    re.IGNORECASE,
)

_UNITS = (
    r"per ?cent|percentages?|pct|numbers?|no\.|dollars?|euros?|pounds?|u\.?s\.?|usd|eur|gbp|hundreds?|thousands?|"
    r"millions?|billions?|mill?\.?|mio\.?|mrd\.?|mln|mn|bn|metric|short|long|tons?|tonnes?|kilograms?|kg|g|mg|lbs?|bushels?|acres?|"
    r"hectares?|ha|square|cubic|m|km|miles?|feet|hours?|days?|years?|persons?|points?|index|kwh|mwh|gwh|twh|btu|"
    r"quadrillion|prozent|tsd\.?|anzahl|personen|pour ?cent|nombre|milliers|万元|亿元|千円|百万円|万人|人"
)
_JOINTS = r"(?:in|of|per|and|en|de)(?!\w)|[\d\s,.;:/()\[\]^²³]"
UNIT_ALONE = re.compile(
    rf"(?:{_JOINTS})*(?:(?:{_UNITS})(?!\w)|[%$€£¥‰])(?:(?:{_UNITS})(?!\w)|{_JOINTS}|[%$€£¥‰])*", re.IGNORECASE
)
"""A text that is a unit and nothing else: `£(000)`, `Million dollars`, `(1,000 metric tons)`."""
