"""What is asked of a language model: an answer from excerpts, a rating of it, and the range that holds an answer.

GENERATE and RATE are those of "Question answering on any spreadsheet", appendix F.1 and F.2, whose wording defines the
measure; the ratings of people there follow the same rubric. Line breaks are ours where the published text runs on.
LOCATE is ours: it asks for the first stage of SpreadsheetLLM's Chain-of-Spreadsheet (Dong et al. 2024, arXiv
2407.09025, section 4), which finds the table that a question needs, over the maps of several sheets.
"""

from __future__ import annotations

from collections.abc import Iterable

SEPARATOR = "\n---\n"

GENERATE = """You are answering questions about data in spreadsheets.
Given the following spreadsheet excerpts, answer the question.
Include the specific values and numbers from the data that support your answer.
If you cannot find the answer in the provided excerpts, say "NOT FOUND".

Spreadsheet excerpts:
{chunks}

Question: {question}

Answer:"""

RATE = """You are evaluating whether a generated answer correctly answers the same question as an expected answer.
Both answers refer to data extracted from a spreadsheet.

Expected answer: {expected}

Generated answer: {generated}

Rate the generated answer on a scale of 1-5:
1 = Completely wrong, contradicts the expected answer, or unrelated
2 = Partially related but key facts are wrong or misleading
3 = Answers a different aspect of the question, or gives only tangentially related information
4 = Correctly answers the core question but with less detail or supporting data than the expected answer
5 = Correctly answers the question with equivalent or sufficient detail

Important: if the question is yes/no or asks "which one", and the generated answer gives the correct yes/no/choice, \
that is at least a 4 even if it omits supporting numbers. The core answer matters most.

Respond with ONLY a single integer (1-5)."""

LOCATE = """Below are maps of spreadsheets, each opened by its number. An entry (text|B3,D5:D9) says which cells hold a
text; marks such as IntNum, FloatNum or PercentageNum say where numbers stand, without the numbers. Rows and columns may
be left out.

Find the range whose cells must be read to answer the question. Take the header rows and row labels that explain them
into the range.

{maps}

Question: {question}

Respond with ONLY the number of the map, an exclamation mark and the range, such as 2!A3:F20."""


def generate_prompt(question: str, chunks: Iterable[str]) -> str:
    """Asks for an answer from excerpts."""
    return GENERATE.format(chunks=SEPARATOR.join(chunks), question=question)


def rate_prompt(expected: str, generated: str) -> str:
    """Asks how good an answer is."""
    return RATE.format(expected=expected, generated=generated)


def locate_prompt(question: str, maps: Iterable[str]) -> str:
    """Asks where the answer stands."""
    return LOCATE.format(maps=SEPARATOR.join(maps), question=question)
