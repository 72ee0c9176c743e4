"""The options of a command line -> who answers, who judges and at which price."""

from __future__ import annotations

from dataclasses import dataclass

from chunkers.compare.answers.cost import Prices
from chunkers.compare.answers.endpoint import KEY_VARIABLE, endpoint_from_environment


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """Who answers and who judges (the same model if None); the environment variable's name is kept, never the key.

    `limit` questions are answered, drawn by the run's seed; all of them if None. Raises ValueError for a model without
    a name, an address that is none, and a variable that is named and empty.
    """

    endpoint: str
    model: str
    judge_model: str | None = None
    api_key_env: str = KEY_VARIABLE
    prices: Prices | None = None
    limit: int | None = None

    def __post_init__(self) -> None:
        if not self.model:
            raise ValueError("an endpoint needs the name of a model (--model)")
        endpoint_from_environment(self.endpoint, self.api_key_env)


def answer_options(
    endpoint: str | None,
    model: str | None,
    judge_model: str | None,
    api_key_env: str,
    price_in: float | None,
    price_out: float | None,
    limit: int | None,
) -> AnswerOptions | None:
    """The options as given, or None without an endpoint. Raises ValueError for those that need another."""
    if endpoint is None:
        given = {"--model": model, "--judge-model": judge_model, "--price-in": price_in, "--price-out": price_out}
        for name, value in (given | {"--answer-limit": limit}).items():
            if value is not None:
                raise ValueError(f"{name} needs --endpoint")
        return None
    if (price_in is None) != (price_out is None):
        raise ValueError("--price-in and --price-out go together")
    prices = None if price_in is None or price_out is None else Prices(price_in, price_out)
    return AnswerOptions(endpoint, model or "", judge_model, api_key_env, prices, limit)
