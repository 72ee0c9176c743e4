"""The LangChain loader: documents that stores take, made lazily, and kept whole by splitters."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from cellroles.errors import WorkbookError
from chunkers import chunk_workbook
from chunkers.budget import count_tokens
from data.synthetic import demo_workbook

pytest.importorskip("langchain_core", reason="needs the extra langchain")

from langchain_core.documents import Document

from chunkers.integrations.langchain import CellrolesLoader, KeepChunks

KEYS = (
    "source sheet range table_id row_start row_end strategy roles_model n_tokens header_paths kind title parent_id "
    "chunk_id chunked"
)
BROKEN = b"PK\x03\x04 this is no workbook"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    demo_workbook(tmp_path / "report.xlsx")
    return tmp_path / "report.xlsx"


def splitter(**options: Any) -> Any:
    splitters = pytest.importorskip("langchain_text_splitters")
    return splitters.RecursiveCharacterTextSplitter(**options)


def test_documents_are_the_chunks(book: Path) -> None:
    chunks = list(chunk_workbook(book))
    documents = CellrolesLoader(book).load()
    assert [document.page_content for document in documents] == [chunk.text for chunk in chunks]
    assert [document.id for document in documents] == [chunk.id for chunk in chunks]
    indexed = CellrolesLoader(book, content="context").load()
    assert [document.page_content for document in indexed] == [chunk.context for chunk in chunks]
    assert [document.metadata for document in indexed] == [document.metadata for document in documents]


def test_metadata_are_flat_scalars_with_the_same_keys_everywhere(book: Path) -> None:
    documents = CellrolesLoader(book).load()
    types = {tuple(type(value) for value in document.metadata.values()) for document in documents}
    assert {tuple(document.metadata) for document in documents} == {tuple(KEYS.split())} and len(types) == 1
    for document in documents:
        assert {type(value) for value in document.metadata.values()} <= {str, int, bool}
        assert json.loads(json.dumps(document.metadata)) == document.metadata


def test_metadata_say_where_and_under_which_headers(book: Path) -> None:
    chunk = next(chunk for chunk in chunk_workbook(book) if chunk.kind == "row")
    metadata = next(d.metadata for d in CellrolesLoader(str(book)).lazy_load() if d.id == chunk.id)
    assert (metadata["source"], metadata["sheet"], metadata["range"]) == (str(book), chunk.sheet, chunk.range)
    assert metadata["table_id"] == f"{chunk.sheet}!{chunk.region}"
    first, last = (int(ref.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) for ref in str(chunk.range).split(":"))
    assert (metadata["row_start"], metadata["row_end"]) == (first, last)
    assert (metadata["strategy"], metadata["roles_model"], metadata["kind"]) == ("row", "default", "row")
    assert metadata["n_tokens"] == chunk.tokens and metadata["chunk_id"] == chunk.id and metadata["chunked"] is True
    paths = json.loads(metadata["header_paths"])
    assert list(chunk.row_path) in paths["rows"]
    assert paths["columns"] == [list(p) for p in dict.fromkeys(c.col_path for c in chunk.cells if c.col_path)]


@pytest.mark.parametrize("chunker", ["row", "parent"])
def test_ids_are_stable_and_distinct_and_parents_can_be_found(book: Path, chunker: str) -> None:
    documents = CellrolesLoader(book, chunker=chunker).load()
    ids = [document.id for document in documents]
    assert ids == [document.id for document in CellrolesLoader(book, chunker=chunker).lazy_load()]
    parents = {document.metadata["parent_id"] for document in documents} - {""}
    assert len({*ids}) == len(ids) and parents and parents <= {*ids}


def test_a_workbook_is_opened_when_its_first_document_is_asked_for(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import chunkers.integrations.langchain as module

    opened = []
    original = module.annotated_sheets
    monkeypatch.setattr(module, "annotated_sheets", lambda path, s: opened.append(Path(path).name) or original(path, s))
    (tmp_path / "second.xlsx").write_bytes(book.read_bytes())
    loader = CellrolesLoader([book, tmp_path / "second.xlsx"])
    count = len(list(chunk_workbook(book)))
    documents = loader.lazy_load()
    assert opened == []
    assert len(list(islice(documents, count))) == count and opened == ["report.xlsx"]
    assert next(documents).metadata["source"].endswith("second.xlsx") and opened == ["report.xlsx", "second.xlsx"]


def test_folders_globs_and_several_paths(book: Path, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "list.csv").write_text("Name,Role\nAnn,Head\n", "utf-8")
    both = {str(book), str(tmp_path / "deep" / "list.csv")}
    for paths in (tmp_path, [book, tmp_path / "deep"], [str(tmp_path / "*.xlsx"), str(tmp_path / "**" / "*.csv")]):
        assert {document.metadata["source"] for document in CellrolesLoader(paths).lazy_load()} == both


def test_options_are_those_of_chunk_workbook(book: Path) -> None:
    first = next(chunk_workbook(book)).sheet
    options: dict[str, Any] = {"chunker": "stc", "max_tokens": 64, "sheets": [first]}
    documents = CellrolesLoader(book, **options).load()
    assert [d.page_content for d in documents] == [c.text for c in chunk_workbook(book, **options)]
    assert {d.metadata["sheet"] for d in documents} == {first} and max(d.metadata["n_tokens"] for d in documents) <= 64
    with pytest.raises(ValueError, match="no option named max_token; there are chunker, checkpoint"):
        CellrolesLoader(book, max_token=64)
    with pytest.raises(ValueError, match="no chunker named 'rows'"):
        CellrolesLoader(book, chunker="rows")
    with pytest.raises(ValueError, match=r"content is one of text, context \(got 'index'\)"):
        CellrolesLoader(book, content="index")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="sheets is a list"):
        CellrolesLoader(book, sheets=first)


def test_what_cannot_be_read_raises_or_is_skipped_with_a_warning(book: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.xlsx").write_bytes(BROKEN)
    paths = [tmp_path / "broken.xlsx", tmp_path / "missing.xlsx", book]
    with pytest.raises(WorkbookError, match=r"broken\.xlsx"):
        CellrolesLoader(paths[0]).load()
    with pytest.raises(FileNotFoundError, match=r"missing\.xlsx: no such file"):
        CellrolesLoader(paths[1]).load()
    with pytest.warns(UserWarning, match="skipped") as caught:
        documents = CellrolesLoader(paths, on_error="warn").load()
    assert [name for name in ("broken", "missing") if any(f"{name}.xlsx" in str(w.message) for w in caught)] == [
        "broken",
        "missing",
    ]
    assert {document.metadata["source"] for document in documents} == {str(book)}
    with pytest.raises(ValueError, match="nowhere"):  # a checkpoint is no fault of a workbook
        CellrolesLoader(book, checkpoint="nowhere", on_error="warn").load()


@pytest.mark.parametrize("content", ["text", "context"])
def test_a_splitter_that_allows_their_size_keeps_documents_whole(book: Path, content: Any) -> None:
    documents = CellrolesLoader(book, content=content).load()
    largest = max(count_tokens(document.page_content) for document in documents)
    tokens = splitter(chunk_size=max(512, largest), chunk_overlap=64, length_function=count_tokens)
    for pieces in (tokens.split_documents(documents), splitter(chunk_size=10_000).split_documents(documents)):
        assert [piece.page_content for piece in pieces] == [document.page_content for document in documents]
        assert [piece.metadata for piece in pieces] == [document.metadata for document in documents]
    assert len(CellrolesLoader(book).load_and_split()) == len(documents)


def test_chunks_are_spared_by_any_splitter_and_other_documents_are_split(book: Path) -> None:
    chunks = CellrolesLoader(book).load()
    other = Document("one two three four five six", metadata={"source": "page.html"})
    keep = KeepChunks(splitter(chunk_size=10, chunk_overlap=0))
    pieces = keep.split_documents([*chunks[:2], other, *chunks[2:]])
    assert pieces[:2] == chunks[:2] and pieces[-len(chunks[2:]) :] == chunks[2:]
    cut = pieces[2 : -len(chunks[2:])]
    assert len(cut) > 1 and "".join(p.page_content for p in cut).replace(" ", "") == "onetwothreefourfivesix"
    assert list(keep.transform_documents(chunks)) == chunks


async def documents_of(loader: CellrolesLoader) -> list[Document]:
    return [document async for document in loader.alazy_load()]


def test_documents_come_asynchronously_too(book: Path) -> None:
    import asyncio

    assert asyncio.run(documents_of(CellrolesLoader(book))) == CellrolesLoader(book).load()


def test_without_langchain_core_the_error_names_the_extra() -> None:
    code = "import sys; sys.modules['langchain_core'] = None; import chunkers.integrations.langchain"
    done = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parents[1], capture_output=True, text=True)
    assert done.stderr.strip().splitlines()[-1] == (
        "ImportError: the LangChain loader needs langchain-core: pip install 'cellroles[langchain]'"
    )
