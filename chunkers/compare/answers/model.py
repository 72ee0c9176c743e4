"""A prompt -> what a model says to it, from the cache or from its endpoint."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from chunkers.compare.answers.cache import ReplyCache
from chunkers.compare.answers.cost import Usage
from chunkers.compare.answers.endpoint import Endpoint


class Told(NamedTuple):
    """A reply's text, and whether it was on disk."""

    text: str
    cached: bool


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """A model of an endpoint whose replies are kept and counted."""

    name: str
    endpoint: Endpoint
    cache: ReplyCache
    usage: Usage = field(default_factory=Usage)

    def tell(self, prompt: str) -> Told:
        """What the model says. Raises EndpointError."""
        messages = [{"role": "user", "content": prompt}]
        kept = self.cache.find(self.name, messages)
        reply = kept or self.endpoint.chat(self.name, messages)
        if kept is None:
            self.cache.keep(self.name, messages, reply)
        self.usage.add(reply, cached=kept is not None)
        return Told(reply.text, kept is not None)
