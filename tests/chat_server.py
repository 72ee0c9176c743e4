"""An endpoint of our own on 127.0.0.1 that speaks chat completions, for the tests of answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Say = Callable[[str], str]


@dataclass
class Chat:
    """What the server says to a prompt, what it was asked, and the failures that it gives first."""

    say: Say
    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    failures: list[tuple[int, dict[str, str], str]] = field(default_factory=list)
    usage: dict[str, int] | None = field(default_factory=lambda: {"prompt_tokens": 100, "completion_tokens": 10})

    @property
    def prompts(self) -> list[str]:
        """What was asked, in order."""
        return [request["messages"][0]["content"] for request in self.asked]


@contextmanager
def chat_server(say: Say) -> Iterator[Chat]:
    """A server while the context lasts."""
    chat = Chat(say)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path != "/v1/chat/completions":
                self.answer(404, {}, "no such path")
                return
            if chat.failures:
                self.answer(*chat.failures.pop(0))
                return
            chat.asked.append(body)
            chat.keys.append(self.headers["Authorization"])
            message = {"role": "assistant", "content": chat.say(body["messages"][0]["content"])}
            self.answer(200, {}, json.dumps({"choices": [{"message": message}], "usage": chat.usage}))

        def answer(self, status: int, headers: dict[str, str], text: str) -> None:
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(text.encode()))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    chat.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield chat
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
