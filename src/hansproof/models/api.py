"""A language model behind an OpenAI-compatible server.

What the server can do is found by asking: the likelihood of each choice, the probabilities of the
letters as the first token, a letter that is forced by a grammar or a schema, or free text that is
read by rules. Planted questions prove the way of asking before any item is sent; a server that
ignores what it was asked is refused. Every answer is kept in the store and never asked for again.
The key comes from the environment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from .._infra.progress import bar, has_rich
from ..capabilities import AskingContext, Question, Replies
from ..endpoints.settings import EndpointSettings, Via, check_url, sends_key_openly
from ..errors import BadInput, ModelError
from ..prompts.likelihood_scores import ScoreBy
from ..prompts.template import load_template
from ..spending import Price
from ..types import FitInfo, Items

Ask = Literal["auto", "likelihood", "first-token", "forced", "text"]


def transport(default: Any) -> Any:
    """Return a field of a setting that changes no answer, so that runs may differ in it."""
    return field(default=default, metadata={"identity": False})


@dataclass(frozen=True, slots=True)
class Api:
    """A model behind HTTP, asked and never trained."""

    PROVIDER: ClassVar[str] = "api"

    model: str = ""  # the name of the model at the server
    url: str = ""  # the address of the server, up to /v1: http://localhost:8000/v1
    ask: Ask = "auto"  # likelihood, first-token, forced or text; auto: the last three in this order
    via: Via = "chat"  # chat, completions (no chat template), or native (llama.cpp's /completion)
    prompt: str = "letters"  # a prompt file: letters, steps, bare, or a path that ends in .toml
    examples: int = 0  # labelled items of the training split that are shown first
    temperature: float = 0.0  # above 0, every seed is another sample
    max_tokens: int = 0  # the most tokens of an answer; 0: as the prompt file says
    score_by: ScoreBy = "sum"  # kind of likelihood, as for lm: sum, token, byte or pmi
    key_from: str = transport("")  # environment variable with the key
    price: tuple[float, ...] = transport(())  # dollars per million tokens: of prompts|of answers
    concurrency: int = transport(8)  # requests under way together
    rpm: int = transport(0)  # most requests per minute; 0: no limit
    timeout: float = transport(60.0)  # seconds until a request is given up
    retries: int = transport(5)  # how often a failed request is repeated

    def __post_init__(self) -> None:
        name = self.PROVIDER
        if self.url:
            check_url(self.url, f"{name}:url")
        for parameter, least in (
            ("examples", 0), ("temperature", 0), ("max_tokens", 0), ("concurrency", 1), ("rpm", 0),
            ("retries", 0),
        ):  # fmt: skip
            if getattr(self, parameter) < least:
                raise BadInput(f"{name}:{parameter}", f"must be at least {least}")
        if not 0 < self.timeout < 1e6:
            raise BadInput(f"{name}:timeout", "must be a number of seconds")
        if self.key_from and not (self.key_from.isidentifier() and self.key_from.isupper()):
            message = "must be the name of an environment variable, such as OPENAI_API_KEY"
            raise BadInput(f"{name}:key_from", f"{message}; never the key itself")
        if len(self.price) not in (0, 2) or any(not 0 <= dollars < 1e6 for dollars in self.price):
            raise BadInput(f"{name}:price", "give two numbers: price=0.15|0.60")

    def check(self) -> None:
        """Raise BadInput or ModelError if the model cannot be asked, without asking it."""
        name = self.PROVIDER
        if not self.model:
            raise BadInput(name, f"names no model: {name}:MODEL")
        if not self.url:
            raise BadInput(
                name, f"has no address: {name}:{self.model},url=http://localhost:8000/v1"
            )
        template = load_template(self.prompt)
        if template.reasons_first and self.ask in ("first-token", "forced"):
            message = f"lets the model reason first, so ask={self.ask} cannot be used: use ask=text"
            raise BadInput(f"{name}:prompt", f"{self.prompt} {message}")
        if self.ask == "likelihood":
            self._check_likelihood()
        elif self.score_by != "sum":
            raise BadInput(f"{name}:score_by", f"is for ask=likelihood, not ask={self.ask}")
        if self.temperature and self.ask == "first-token":
            message = "has no effect on ask=first-token: use ask=text for samples"
            raise BadInput(f"{name}:temperature", message)

    def _check_likelihood(self) -> None:
        """Raise BadInput if there are settings that likelihoods do not follow."""
        for parameter, default in (
            ("examples", 0), ("prompt", "letters"), ("temperature", 0.0), ("max_tokens", 0),
        ):  # fmt: skip
            if getattr(self, parameter) != default:
                message = "has no effect on ask=likelihood: leave it out"
                raise BadInput(f"{self.PROVIDER}:{parameter}", message)

    def check_key(self) -> None:
        """Raise BadInput if the key is missing, or would be sent without encryption."""
        name, settings = self.PROVIDER, self.settings
        if sends_key_openly(settings):
            message = (
                "would be sent the key without encryption: use https, or a tunnel to localhost"
            )
            raise BadInput(name, f"{self.url} {message}")
        if self.key_from and not settings.key:
            raise BadInput(name, f"needs a key: set the environment variable {self.key_from}")

    @property
    def settings(self) -> EndpointSettings:
        """Where the server is, and how requests are sent."""
        return EndpointSettings(
            self.url.rstrip("/"), self.model, self.key_from, self.concurrency, self.timeout,
            self.retries, self.rpm,
        )  # fmt: skip

    def materials(self) -> dict[str, str]:
        """Return the digest of the prompt file."""
        self.check()
        return {"prompt_sha256": load_template(self.prompt).sha256}

    @property
    def fit_info(self) -> FitInfo:
        return FitInfo(tokenizer="of the server", device="server")

    def score(self, items: Items) -> list[tuple[float, ...]]:
        """Return one score per choice; raise ModelError if an item gets no answer."""
        if self.examples:
            message = "are drawn by `hansproof predict` and `hansproof.predict`: leave them out"
            raise BadInput(f"{self.PROVIDER}:examples", message)
        questions = [Question(item, item.choices) for item in items]
        replies = self.respond(questions, AskingContext()).items
        for reply in replies:
            if reply.no_answer is not None:
                raise ModelError(f"{self.PROVIDER}:{self.model}: no answer ({reply.no_answer})")
        return [reply.scores for reply in replies]

    def respond(self, questions: Sequence[Question], context: AskingContext) -> Replies:
        """Ask about items; each reply has scores or the reason why there are none."""
        from ..endpoints.respond import respond

        if not questions:
            return Replies(())
        self.check()
        self.check_key()
        label = f"{self.PROVIDER}:{self.model}"
        if not has_rich():
            return respond(self, label, questions, context, lambda n_done, count: None)
        with bar(len(questions), label) as progress_bar:
            progress_bar.update(0, label, "testing what the server can do")

            def show(n_done: int, count: str) -> None:
                progress_bar.update(n_done, label, count)

            return respond(self, label, questions, context, show)

    @property
    def token_price(self) -> Price | None:
        """What tokens cost, if that is known."""
        return Price(*self.price) if self.price else None
