"""Messages -> a model's reply, from any endpoint that speaks OpenAI's chat completions; the standard library alone."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

KEY_VARIABLE = "OPENAI_API_KEY"
TIMEOUT_SECONDS = 180.0
PAUSES_SECONDS = (1.0, 4.0, 15.0)
"""Waited before the second, third and last try, unless the endpoint says how long."""
LONGEST_PAUSE_SECONDS = 90.0
WORTH_A_RETRY = frozenset({408, 429, 500, 502, 503, 504, 529})
OF_THE_REQUEST = frozenset({400, 413, 422})
_THOUGHT = re.compile(r"^\s*<think>.*?</think>\s*", re.DOTALL)

Messages = Sequence[Mapping[str, str]]


class EndpointError(ValueError):
    """The endpoint gives no reply, to this request or any other: one line with its address and status."""


class RefusedRequest(EndpointError):
    """The endpoint gives no reply to this very request, which may be too long; others may be answered."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, without what it thought aloud, and the tokens that the endpoint counted, if it told."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`base` is what precedes `/chat/completions`; `key` is sent as the bearer and shown nowhere.

    Raises ValueError for an address that is none of http or https, or carries a user, a query or a fragment, which
    would end up in reports.
    """

    base: str
    key: str = field(default="", repr=False)
    timeout_seconds: float = TIMEOUT_SECONDS
    pause: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        parts = urlsplit(self.base)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"an endpoint is an address such as http://127.0.0.1:8000/v1 (got {self.base!r})")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("an endpoint's address has no user, query or fragment; the key comes from the environment")
        if not (self.key.isascii() and self.key.isprintable()):
            raise ValueError("the API key holds characters that no header can")

    @property
    def url(self) -> str:
        """Where requests go."""
        return self.base.rstrip("/").removesuffix("/chat/completions") + "/chat/completions"

    def chat(self, model: str, messages: Messages) -> Reply:
        """The reply at temperature 0. Raises EndpointError, after tries where another may help."""
        body = json.dumps({"model": model, "messages": list(messages), "temperature": 0}).encode()
        for pause in (*PAUSES_SECONDS, None):
            try:
                return self._reply(body)
            except HTTPError as error:
                failure = self._failure(error)
                if error.code not in WORTH_A_RETRY or pause is None:
                    raise failure from None
                self.pause(_asked_pause(error) or pause)
            except (OSError, HTTPException) as error:
                reason = error.reason if isinstance(error, URLError) else error
                if pause is None:
                    raise EndpointError(self._line(str(reason) or type(reason).__name__)) from None
                self.pause(pause)
        raise AssertionError("the last try returns or raises")

    def _reply(self, body: bytes) -> Reply:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = Request(self.url, body, headers, method="POST")
        with build_opener(_NoRedirect).open(request, timeout=self.timeout_seconds) as response:
            status, content = response.status, response.read()
        try:
            document = json.loads(content)
        except ValueError:
            raise EndpointError(self._line(f"{status}, but no JSON: {_start(content)}")) from None
        try:
            text = str(document["choices"][0]["message"]["content"] or "")
        except (KeyError, IndexError, TypeError):
            raise RefusedRequest(self._line(f"{status}, but no completion: {_start(content)}")) from None
        usage = document.get("usage") or {}
        return Reply(_THOUGHT.sub("", text).strip(), usage.get("prompt_tokens"), usage.get("completion_tokens"))

    def _failure(self, error: HTTPError) -> EndpointError:
        kind, content = RefusedRequest if error.code in OF_THE_REQUEST else EndpointError, b""
        with suppress(OSError, HTTPException):
            content = error.read(4_000)
        return kind(self._line(f"{error.code} {error.reason}: {_start(content)}"))

    def _line(self, what: str) -> str:
        line = f"POST {self.url}: {what}"
        return line.replace(self.key, "***") if self.key else line


def endpoint_from_environment(base: str, key_variable: str = KEY_VARIABLE) -> Endpoint:
    """An endpoint and the key in an environment variable; without the usual one no key is sent, as local ones ask none.

    Raises ValueError for a variable that was named and is empty.
    """
    key = os.environ.get(key_variable, "").strip()
    if not key and key_variable != KEY_VARIABLE:
        raise ValueError(f"the environment variable {key_variable} holds no API key")
    return Endpoint(base, key)


class _NoRedirect(HTTPRedirectHandler):
    """A redirect is an error: it would turn the request into a GET and take the key elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _asked_pause(error: HTTPError) -> float | None:
    """The seconds that the endpoint asks to wait."""
    asked = error.headers.get("Retry-After", "")
    return min(float(asked), LONGEST_PAUSE_SECONDS) if re.fullmatch(r"\d+(\.\d+)?", asked) else None


def _start(content: bytes) -> str:
    """The message of an error's body, or its beginning, in one line."""
    text = content.decode("utf-8", "replace")
    try:
        found = json.loads(text)["error"]
        text = str(found["message"] if isinstance(found, dict) else found)
    except (ValueError, KeyError, TypeError):
        pass
    return " ".join(text.split())[:300] or "no text"
