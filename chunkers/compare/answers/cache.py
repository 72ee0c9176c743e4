"""Replies on disk by what was asked of which model: a request that was paid for is not made again."""

from __future__ import annotations

import json
import sqlite3
from hashlib import blake2b
from pathlib import Path
from threading import Lock

from chunkers.compare.answers.endpoint import Messages, Reply


class ReplyCache:
    """Replies in one file, each kept as soon as it comes, so that an interrupted run goes on; threads may share it."""

    def __init__(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        self._lock = Lock()
        self._rows = sqlite3.connect(file, check_same_thread=False)
        self._rows.execute(
            "CREATE TABLE IF NOT EXISTS replies"
            " (key BLOB PRIMARY KEY, text TEXT, input_tokens INTEGER, output_tokens INTEGER) WITHOUT ROWID"
        )

    def find(self, model: str, messages: Messages) -> Reply | None:
        """The reply of an earlier request like this one."""
        with self._lock:
            found = self._rows.execute(
                "SELECT text, input_tokens, output_tokens FROM replies WHERE key = ?", (_key(model, messages),)
            ).fetchone()
        return None if found is None else Reply(*found)

    def keep(self, model: str, messages: Messages, reply: Reply) -> None:
        """Keep a reply."""
        row = (_key(model, messages), reply.text, reply.input_tokens, reply.output_tokens)
        with self._lock, self._rows:
            self._rows.execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?, ?)", row)

    def close(self) -> None:
        """Close the file."""
        self._rows.close()


def _key(model: str, messages: Messages) -> bytes:
    return blake2b(json.dumps([model, list(messages)], sort_keys=True).encode(), digest_size=16).digest()
