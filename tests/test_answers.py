"""Answers of a language model in `cellroles compare`, against an endpoint of our own."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from chunkers.cli import app
from chunkers.compare.answers import endpoint as endpoint_module
from chunkers.compare.answers.answering import Answerer, open_answerer
from chunkers.compare.answers.cache import ReplyCache
from chunkers.compare.answers.chain import pointed, read_pointed, read_sheet
from chunkers.compare.answers.cost import Prices, Usage
from chunkers.compare.answers.endpoint import (
    Endpoint,
    EndpointError,
    RefusedRequest,
    Reply,
    endpoint_from_environment,
)
from chunkers.compare.answers.generate import Answer, score_of
from chunkers.compare.answers.model import LanguageModel
from chunkers.compare.answers.options import AnswerOptions, answer_options
from chunkers.compare.questions import Question
from chunkers.compare.stored import StoredChunk
from tests.books import Tab, book
from tests.chat_server import Chat, chat_server

KEY = "sk-of-the-tests-0123456789"
USER = [{"role": "user", "content": "Hello"}]


def says(prompt: str) -> str:
    """The judge finds 51.5 right, the generator says the first number that it reads, and stage 1 points at B2."""
    if "Rate the generated answer" in prompt:
        return "5" if "Generated answer: 51.5" in prompt else "one"
    if prompt.startswith("Below are maps"):
        return "1!A1:B2"
    return str(re.findall(r"\d+\.\d+", prompt + " 0.0")[0])


@pytest.fixture
def chat() -> Iterator[Chat]:
    with chat_server(says) as server:
        yield server


def question(number: int = 1, answer: str = "51.5") -> Question:
    return Question(f"q{number}", f"What is long {number}?", answer, "book.xlsx", "Data", ("B2",))


def chunk(text: str, workbook: str = "book.xlsx", sheet: str = "Data") -> StoredChunk:
    return StoredChunk("id", text, text, workbook, sheet, "A1:B2", 5, {})


def answerer(chat: Chat, folder: Path, **options: object) -> Answerer:
    jobs = int(str(options.pop("jobs", 2)))
    given = AnswerOptions(chat.url, "small", **options)  # type: ignore[arg-type]
    return Answerer(given, ReplyCache(folder / "answers.sqlite"), Noted(), maps=["sheetcompressor"], jobs=jobs)


class Noted:
    """Progress that notes what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.done = 0

    def start(self, what: str, total: int) -> None:
        self.lines.append(f"{what}: {total}")

    def advance(self, count: int = 1) -> None:
        self.done += count

    def say(self, line: str) -> None:
        self.lines.append(line)


def patient(chat: Chat, key: str = "") -> tuple[Endpoint, list[float]]:
    """An endpoint that notes its pauses instead of waiting."""
    pauses: list[float] = []
    return Endpoint(chat.url, key, pause=pauses.append), pauses


# The endpoint


def test_a_request_is_a_chat_completion_at_temperature_0(chat: Chat) -> None:
    reply = Endpoint(chat.url, KEY).chat("small", USER)
    assert reply == Reply("0.0", 100, 10)
    assert chat.asked == [{"model": "small", "messages": USER, "temperature": 0}]
    assert chat.keys == [f"Bearer {KEY}"]


def test_without_a_key_none_is_sent(chat: Chat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    endpoint_from_environment(chat.url + "/").chat("small", USER)
    assert chat.keys == [None]


def test_the_key_is_in_the_variable_that_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_KEY", f" {KEY}\n")
    assert endpoint_from_environment("http://host/v1", "OTHER_KEY").key == KEY
    with pytest.raises(ValueError, match="the environment variable NO_SUCH_KEY holds no API key"):
        endpoint_from_environment("http://host/v1", "NO_SUCH_KEY")


@pytest.mark.parametrize(
    "base", ["host/v1", "ftp://host", "https://", "https://me:word@host/v1", "https://h/?key=word"]
)
def test_an_address_without_secrets_is_needed(base: str) -> None:
    with pytest.raises(ValueError, match="an endpoint") as caught:
        Endpoint(base)
    assert "word" not in str(caught.value)


def test_a_key_that_no_header_can_hold_is_not_shown() -> None:
    with pytest.raises(ValueError, match="API key holds characters") as caught:
        Endpoint("http://host", "sk-secret\nX: y")
    assert "secret" not in str(caught.value)
    assert KEY not in repr(Endpoint("http://host", KEY))


def test_overload_is_waited_for(chat: Chat) -> None:
    chat.failures = [(429, {"Retry-After": "7"}, "slow"), (503, {}, ""), (500, {"Retry-After": "soon"}, "")]
    waiting, pauses = patient(chat)
    assert waiting.chat("small", USER).text == "0.0"
    assert pauses == [7.0, 4.0, 15.0]


def test_no_endpoint_makes_us_wait_for_ever(chat: Chat) -> None:
    chat.failures = [(429, {"Retry-After": "86400"}, "")]
    waiting, pauses = patient(chat)
    waiting.chat("small", USER)
    assert pauses == [endpoint_module.LONGEST_PAUSE_SECONDS]


def test_the_last_failure_names_address_and_status_in_one_line(chat: Chat) -> None:
    chat.failures = [(429, {}, '{"error": {"message": "slow\\n down"}}')] * 4
    waiting, pauses = patient(chat)
    with pytest.raises(EndpointError) as caught:
        waiting.chat("small", USER)
    assert str(caught.value) == f"POST {chat.url}/chat/completions: 429 Too Many Requests: slow down"
    assert len(pauses) == 3


@pytest.mark.parametrize(
    ("status", "kind"), [(401, EndpointError), (404, EndpointError), (307, EndpointError), (400, RefusedRequest)]
)
def test_what_no_retry_can_mend_is_tried_once(chat: Chat, status: int, kind: type[EndpointError]) -> None:
    chat.failures = [(status, {"Location": "/v1/chat/completions"}, f"the key {KEY} is wrong")]
    waiting, pauses = patient(chat, KEY)
    with pytest.raises(EndpointError, match=f"/chat/completions: {status} .*the key \\*\\*\\* is wrong") as caught:
        waiting.chat("small", USER)
    assert type(caught.value) is kind
    assert not pauses
    assert not chat.asked


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("<html>", "200, but no JSON: <html>"),
        ('{"error": "no model"}', "200, but no completion: no model"),
        ("[]", "200, but no completion: \\[\\]"),
    ],
)
def test_a_reply_that_is_none_is_an_error(chat: Chat, text: str, error: str) -> None:
    chat.failures = [(200, {}, text)]
    with pytest.raises(EndpointError, match=error):
        Endpoint(chat.url).chat("small", USER)


def test_where_nothing_listens_the_line_says_so() -> None:
    with chat_server(says) as gone:
        pass
    waiting, pauses = patient(gone)
    with pytest.raises(EndpointError, match=rf"POST {gone.url}/chat/completions: .*refused"):
        waiting.chat("small", USER)
    assert len(pauses) == 3


def test_thinking_aloud_is_no_answer() -> None:
    with chat_server(lambda _: "<think>\n2, or 3?\n</think>\n\n4") as chat:
        assert Endpoint(chat.url).chat("small", USER).text == "4"


# Replies on disk


def test_a_reply_is_kept_by_model_and_messages(chat: Chat, tmp_path: Path) -> None:
    cache = ReplyCache(tmp_path / "a" / "answers.sqlite")
    model = LanguageModel("small", Endpoint(chat.url), cache)
    assert [model.tell("Say 1.5").cached, model.tell("Say 1.5").cached, model.tell("Say 2.5").cached] == [0, 1, 0]
    assert not LanguageModel("big", Endpoint(chat.url), cache).tell("Say 1.5").cached
    cache.close()
    again = LanguageModel("small", Endpoint("http://127.0.0.1:9"), ReplyCache(tmp_path / "a" / "answers.sqlite"))
    assert again.tell("Say 2.5") == ("2.5", True)
    assert again.usage == Usage(cached=1)
    assert len(chat.asked) == 3


# Answers and ratings


def test_an_answer_is_generated_from_the_chunks_and_rated(chat: Chat, tmp_path: Path) -> None:
    found = [[chunk("Long 51.5"), chunk("Short {48.2}")]]
    answers, failures = answerer(chat, tmp_path).answers("row", [question()], found)
    assert answers == (Answer("q1", "51.5", 5, False, "5"),)
    assert failures == ()
    generated, rated = chat.prompts
    assert "Spreadsheet excerpts:\nLong 51.5\n---\nShort {48.2}\n\nQuestion: What is long 1?\n\nAnswer:" in generated
    assert 'say "NOT FOUND"' in generated
    assert "Expected answer: 51.5\n\nGenerated answer: 51.5\n" in rated
    assert rated.endswith("Respond with ONLY a single integer (1-5).")


def test_a_rating_that_is_no_integer_is_none_and_counted(chat: Chat, tmp_path: Path) -> None:
    asking = answerer(chat, tmp_path)
    answers, failures = asking.answers("row", [question()], [[chunk("7.5")]])
    assert answers == (Answer("q1", "7.5", None, False, "one"),)
    assert failures == ()
    assert asking.described()["ratings that are no integer"] == 1
    assert list(asking.lines())[-1] == "1 ratings are no integer from 1 to 5 and left out"


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("3", 3),
        (" 4\n", 4),
        ("**5**", 5),
        ("2.", 2),
        ("6", None),
        ("0", None),
        ("3.5", None),
        ("4/5", None),
        ("", None),
    ],
)
def test_ratings_are_read_strictly(reply: str, score: int | None) -> None:
    assert score_of(reply) == score


def test_a_question_without_an_expected_answer_is_answered_but_not_rated(chat: Chat, tmp_path: Path) -> None:
    answers, _ = answerer(chat, tmp_path).answers("row", [question(answer="")], [[chunk("7.5")]])
    assert answers == (Answer("q1", "7.5", None, False),)
    assert len(chat.asked) == 1


def test_another_judge_rates(chat: Chat, tmp_path: Path) -> None:
    asking = answerer(chat, tmp_path, judge_model="big", prices=Prices(1.0, 10.0))
    asking.answers("row", [question()], [[chunk("51.5")]])
    assert [request["model"] for request in chat.asked] == ["small", "big"]
    said = "1 requests, 0 replies from the cache, 100 input and 10 output tokens, cost 0.0002"
    assert list(asking.lines()) == [f"small: {said}", f"big: {said}"]
    assert asking.described()["cost"] == pytest.approx(0.0004)


def test_a_refused_request_costs_one_answer(chat: Chat, tmp_path: Path) -> None:
    chat.failures = [(400, {}, "too long")]
    asking = answerer(chat, tmp_path, jobs=1)
    answers, failures = asking.answers("row", [question(1), question(2)], [[chunk("51.5")]] * 2)
    assert [answer.score for answer in answers] == [None, 5]
    assert failures == (f"row: 1 of 2 answers failed: POST {chat.url}/chat/completions: 400 Bad Request: too long",)


def test_an_endpoint_that_fails_is_asked_no_more_and_a_later_run_goes_on(chat: Chat, tmp_path: Path) -> None:
    asked, found = [question(k, f"51.5, number {k}") for k in range(6)], [[chunk("51.5")]] * 6

    def runs_out(prompt: str) -> str:
        if len(chat.asked) == 5:
            chat.failures = [(401, {}, "no credit")] * 99
        return says(prompt)

    chat.say = runs_out
    first = answerer(chat, tmp_path, jobs=1)
    answers, failures = first.answers("row", asked, found)
    assert [answer.question for answer in answers] == ["q0", "q1"]
    assert "row: 4 of 6 answers failed" in failures[0]
    chat.failures = [(401, {}, "asked again")]
    assert first.answers("stc", asked, found) == ((), (failures[0].replace("row: 4", "stc: 6"),))
    assert chat.failures.pop()[2] == "asked again"
    first.model.cache.close()

    chat.say = says
    second = answerer(chat, tmp_path)
    answers, failures = second.answers("row", asked, found)
    assert [(answer.score, answer.cached) for answer in answers] == [(5, True)] * 2 + [(5, False)] * 4
    assert failures == ()
    assert (second.model.usage.requests, second.model.usage.cached) == (7, 5)
    assert len(chat.asked) == 12


def test_a_limit_draws_some_questions_and_a_higher_one_the_same_and_more(chat: Chat, tmp_path: Path) -> None:
    asked, found = [question(k) for k in range(20)], [[chunk("51.5")]] * 20
    few, _ = answerer(chat, tmp_path, limit=4).answers("row", asked, found)
    more, _ = answerer(chat, tmp_path, limit=8).answers("row", asked, found)
    assert len(few) == 4
    assert {answer.question for answer in few} < {answer.question for answer in more}
    assert [answer.question for answer in few] != ["q0", "q1", "q2", "q3"]


def test_replies_without_counts_are_said(chat: Chat, tmp_path: Path) -> None:
    chat.usage = None
    asking = answerer(chat, tmp_path)
    asking.answers("row", [question()], [[chunk("51.5")]])
    assert "0 output tokens (2 replies told no tokens), no prices given" in next(asking.lines())


def test_what_it_cost_is_said_even_after_an_interruption(chat: Chat, tmp_path: Path) -> None:
    noted = Noted()
    options = AnswerOptions(chat.url, "small")
    with (
        pytest.raises(KeyboardInterrupt),
        open_answerer(options, tmp_path / "a", noted, maps=[], seed=1, jobs=1, include_hidden=False) as asking,
    ):
        assert asking
        asking.model.tell("Say 1.5")
        raise KeyboardInterrupt
    assert noted.lines[0].startswith("small: 1 requests")


def test_the_key_is_in_no_file_and_no_line(
    chat: Chat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    chat.failures = [(400, {}, f"your key {KEY}")]
    asking = answerer(chat, tmp_path)
    answers, failures = asking.answers("row", [question(k) for k in range(3)], [[chunk("51.5")]] * 3)
    assert set(chat.keys) == {f"Bearer {KEY}"}
    said = repr((answers, failures, asking.described(), list(asking.lines()), asking.model, capsys.readouterr()))
    assert KEY not in said
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert all(KEY.encode() not in path.read_bytes() for path in files)


# Chain-of-Spreadsheet, with a second stage that does read the cells


@pytest.fixture
def books(tmp_path: Path) -> list[StoredChunk]:
    """Maps of two sheets: one of a workbook, two pieces of another."""
    one = str(book(tmp_path / "one.xlsx", [["Year", "Sales"], [2020, 11.5], [2021, 12.5]]))
    two = str(book(tmp_path / "two.xlsx", Tab([["Class", "Long"], ["Swaps", 51.5], ["Bonds", 7.25]], name="Credit")))
    return [
        chunk("(Class|A1)", two, "Credit"),
        chunk("(Year|A1)", one, "Data"),
        chunk("(FloatNum|B2:B3)", two, "Credit"),
    ]


def model(chat: Chat, folder: Path) -> LanguageModel:
    return LanguageModel("small", Endpoint(chat.url), ReplyCache(folder / "answers.sqlite"))


def read(workbook: str, name: str) -> object:
    return read_sheet(workbook, name, include_hidden=False)


def test_stage_2_reads_the_cells_that_the_model_points_at(chat: Chat, tmp_path: Path, books: list[StoredChunk]) -> None:
    answers, _ = answerer(chat, tmp_path).answers("sheetcompressor", [question()], [books])
    assert answers == (Answer("q1", "51.5", 5, False, "5", "two.xlsx, Credit!A1:B2"),)
    located, generated, _ = chat.prompts
    assert "Map 1: two.xlsx, sheet Credit\n(Class|A1)\n(FloatNum|B2:B3)\n---\nMap 2: one.xlsx, sheet Data" in located
    assert "Question: What is long 1?" in located
    assert "excerpts:\nSheet: Credit\nA1,Class|B1,Long\nA2,Swaps|B2,51.5\n\nQuestion" in generated
    assert "7.25" not in generated


@pytest.mark.parametrize(
    ("reply", "cells"),
    [
        ("2!B2:B9", "B2,11.5\nB3,12.5"),
        ("`Data!$B$3`", "B3,12.5"),
        ("The range is 'data'!b3", "B3,12.5"),
        ("Map 2!B3", "B3,12.5"),
        ("**2!A3 : B3**", "A3,2021|B3,12.5"),
    ],
)
def test_a_sheet_is_pointed_at_by_number_or_name(
    chat: Chat, tmp_path: Path, books: list[StoredChunk], reply: str, cells: str
) -> None:
    chat.say = lambda _: reply
    found = read_pointed(model(chat, tmp_path), "What?", books, read)  # type: ignore[arg-type]
    assert found.texts == (f"Sheet: Data\n{cells}",)
    assert found.read.startswith("one.xlsx, Data!")


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("I cannot say.", "no sheet and range in the reply 'I cannot say.'"),
        ("2!B:C", "no sheet and range in the reply '2!B:C'"),
        ("1!C9:A1", "no sheet and range in the reply '1!C9:A1'"),
        ("7!A1", "no map is numbered or named '7'"),
        ("Other!A1", "no map is numbered or named 'Other'"),
        ("1!F20:H30", "no filled cells in two.xlsx, Credit!F20:H30"),
    ],
)
def test_what_points_nowhere_leaves_the_maps_and_says_why(
    chat: Chat, tmp_path: Path, books: list[StoredChunk], reply: str, why: str
) -> None:
    chat.say = lambda _: reply
    found = read_pointed(model(chat, tmp_path), "What?", books, read)  # type: ignore[arg-type]
    assert found.texts == ("(Class|A1)", "(Year|A1)", "(FloatNum|B2:B3)")
    assert found.read == f"the maps themselves: {why}"


def test_a_workbook_that_is_gone_leaves_the_maps(chat: Chat, tmp_path: Path) -> None:
    found = read_pointed(model(chat, tmp_path), "What?", [chunk("map", str(tmp_path / "no.xlsx"))], read)  # type: ignore[arg-type]
    assert found.texts == ("map",)
    assert "no.xlsx" in found.read


def test_a_sheet_named_like_a_number_is_not_the_map_of_that_number() -> None:
    places = [("a.xlsx", "2020"), ("b.xlsx", "Data"), ("c.xlsx", "Q 1")]
    assert pointed("2020!A1", places)[0] == places[0]
    assert pointed("Q 1!A1", places)[0] == places[2]
    assert pointed("1!A1", places)[0] == places[0]


def test_a_range_that_is_too_long_is_cut(chat: Chat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkers.compare.answers.chain.MOST_TOKENS", 60)
    path = str(book(tmp_path / "long.xlsx", [["Year", "Sales"], *([k, k * 1.5] for k in range(200))]))
    chat.say = lambda _: "1!A1:B201"
    (text,) = read_pointed(model(chat, tmp_path), "What?", [chunk("map", path)], read).texts  # type: ignore[arg-type]
    assert text.startswith("Sheet: Data\nA1,Year|B1,Sales\n")
    assert text.endswith("…")
    assert len(text) < 300


def test_without_a_model_it_is_said_what_stands_for_answers(tmp_path: Path) -> None:
    noted = Noted()
    maps = ["sheetcompressor"]
    with open_answerer(None, tmp_path / "a", noted, maps=maps, seed=1, jobs=1, include_hidden=False) as asking:
        assert asking is None
    assert noted.lines == [
        "answers: answer@5, an exact or numeric match, as there is no language model (--endpoint, --model)",
        "sheetcompressor: stage 2, which reads the cells that its maps lead to, needs a language model",
    ]
    assert not (tmp_path / "a").exists()


# The command


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ((None, "m", None, "OPENAI_API_KEY", None, None, None), "--model needs --endpoint"),
        ((None, None, None, "OPENAI_API_KEY", None, None, 3), "--answer-limit needs --endpoint"),
        (("http://host/v1", None, None, "OPENAI_API_KEY", None, None, None), "needs the name of a model"),
        (("http://host/v1", "m", None, "OPENAI_API_KEY", 1.0, None, None), "--price-in and --price-out go together"),
        (("http://host/v1", "m", None, "NO_SUCH_KEY", None, None, None), "NO_SUCH_KEY holds no API key"),
    ],
)
def test_options_that_need_another_say_so(given: tuple[object, ...], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        answer_options(*given)  # type: ignore[arg-type]


@pytest.fixture
def no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the plots."""
    monkeypatch.setattr("chunkers.compare.report.write_report", lambda _, folder: folder / "report.html")


def compared(folder: Path, *options: str) -> Result:
    """A run of the command on two workbooks and two questions."""
    books = folder / "books"
    if not books.exists():
        books.mkdir()
        book(books / "one.xlsx", [["Year", "Sales"], [2020, 11.5], [2021, 12.5]])
        book(books / "two.xlsx", Tab([["Class", "Long"], ["Swaps", 51.5], ["Bonds", 7.25]], name="Credit"))
        asked = [
            {"id": "a", "question": "Long of Swaps?", "answer": "51.5", "file": "two.xlsx", "sheet": "Credit"},
            {"id": "b", "question": "Sales of 2021?", "answer": "12.5", "file": "one.xlsx", "sheet": "Data"},
        ]
        lines = [
            json.dumps(q | {"answer_cells": [cell], "tags": [tag]})
            for q, cell, tag in zip(asked, ("B2", "B3"), ("flat", "years"), strict=True)
        ]
        (folder / "questions.jsonl").write_text("\n".join(lines), "utf-8")
    arguments = ["--corpus", str(books), "--questions", str(folder / "questions.jsonl"), "-o", str(folder / "out")]
    chunkers = ["--chunkers", "stc,sheetcompressor", "--index", "bm25"]
    return CliRunner().invoke(app, ["compare", *arguments, *chunkers, *options])


def test_the_command_answers_judges_and_goes_on(chat: Chat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with_model = ("--endpoint", chat.url, "--model", "small", "--price-in", "1", "--price-out", "2")
    done = compared(tmp_path, *with_model)
    assert done.exit_code == 0, done.output
    assert "judge (1-5)" in done.stdout
    requests = len(chat.asked)
    assert f"small: {requests} requests, " in done.stderr
    document = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert (document["settings"]["model"], document["settings"]["requests"]) == ("small", requests)
    stc, maps = document["methods"]
    assert {"question": "a", "answer": "51.5", "score": 5}.items() <= stc["answers"][0].items()
    assert stc["answers"][0]["read"] == ""
    assert all(re.match(r"(one|two)\.xlsx, (Data|Credit)!A1:B2", answer["read"]) for answer in maps["answers"])
    rows = {(row["method"], row["tag"]): row["scores"]["judge (1-5)"] for row in document["rows"]}
    assert rows["stc", "flat"]["mean"] == 5.0
    assert rows["stc", "all"]["n"] == sum(answer["score"] is not None for answer in stc["answers"])
    with (tmp_path / "out" / "summary.csv").open(encoding="utf-8", newline="") as lines:
        assert {"judge (1-5)", "judge (1-5) low", "judge (1-5) high"} < set(csv.DictReader(lines).fieldnames or ())
    with (tmp_path / "out" / "questions.csv").open(encoding="utf-8", newline="") as lines:
        first = next(csv.DictReader(lines))
    assert (first["expected"], first["answer"], first["judge (1-5)"]) == ("51.5", "51.5", "5")
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()
    assert KEY not in done.output

    assert "51.5" in (tmp_path / "out" / "report.html").read_text("utf-8")
    monkeypatch.setattr("chunkers.compare.report.write_report", lambda _, folder: folder / "report.html")
    again = compared(tmp_path, *with_model)
    assert again.exit_code == 0, again.output
    assert len(chat.asked) == requests
    assert "small: 0 requests, " in again.stderr
    assert again.stdout == done.stdout


@pytest.mark.usefixtures("no_page")
def test_an_endpoint_that_fails_leaves_what_was_retrieved(chat: Chat, tmp_path: Path) -> None:
    chat.failures = [(401, {}, "no credit")] * 9
    done = compared(tmp_path, "--endpoint", chat.url, "--model", "small")
    assert done.exit_code == 1, done.output
    assert f"stc: 2 of 2 answers failed: POST {chat.url}/chat/completions: 401 Unauthorized: no credit" in done.stderr
    document = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert [method["answers"] for method in document["methods"]] == [[], []]
    assert document["rows"][0]["scores"]["recall@5"]["mean"] == 1.0
    assert "judge (1-5)" not in document["rows"][0]["scores"]


@pytest.mark.usefixtures("no_page")
def test_without_an_endpoint_the_command_says_what_it_reports(tmp_path: Path) -> None:
    done = compared(tmp_path)
    assert done.exit_code == 0, done.output
    assert done.stderr.count("answers: answer@5") == 1
    assert "sheetcompressor: stage 2" in done.stderr
    assert "answer@5" in done.stdout
    assert "judge (1-5)" not in done.stdout
    wrong = compared(tmp_path, "--model", "small")
    assert wrong.exit_code == 2
    assert "--model needs --endpoint" in wrong.stderr
