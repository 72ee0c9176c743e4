"""Replies -> how many requests and tokens they took, and what these cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from chunkers.compare.answers.endpoint import Reply


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, in any currency."""

    per_million_input: float
    per_million_output: float


@dataclass(slots=True)
class Usage:
    """What one run asked of one model; replies from the cache cost nothing, `untold` ones came without counts."""

    requests: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    untold: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    def add(self, reply: Reply, *, cached: bool) -> None:
        """Count a reply; threads may."""
        with self._lock:
            if cached:
                self.cached += 1
                return
            self.requests += 1
            self.input_tokens += reply.input_tokens or 0
            self.output_tokens += reply.output_tokens or 0
            self.untold += reply.input_tokens is None or reply.output_tokens is None

    def cost(self, prices: Prices) -> float:
        """What the requests of this run cost, as far as their tokens are known."""
        spent = self.input_tokens * prices.per_million_input + self.output_tokens * prices.per_million_output
        return spent / 1e6

    def line(self, model: str, prices: Prices | None) -> str:
        """The count in one line."""
        tokens = f"{self.input_tokens:,} input and {self.output_tokens:,} output tokens"
        untold = f" ({self.untold:,} replies told no tokens)" if self.untold else ""
        cost = f"cost {self.cost(prices):,.4f}" if prices else "no prices given (--price-in, --price-out)"
        return f"{model}: {self.requests:,} requests, {self.cached:,} replies from the cache, {tokens}{untold}, {cost}"
