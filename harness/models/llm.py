"""Models through LiteLLM, which is imported here alone, and only when a model is used."""

from __future__ import annotations

import json
import logging
import os
import sys
import warnings
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from email.utils import parsedate_to_datetime
from functools import cached_property, lru_cache, partial
from time import monotonic, time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import anyio
from anyio.lowlevel import checkpoint_if_cancelled

from harness.core.config import LlmConfig, Price
from harness.core.credentials import held_back
from harness.core.gc_paused import gc_paused
from harness.core.secrets import looks_secret, scrub
from harness.core.trajectory import Usage
from harness.models.rate_limit import RateLimit, counted
from harness.models.replies import Completion, ContextWindow, ModelError, ModelFault
from servers.kernel import refusal, tidied

if TYPE_CHECKING:
    from harness.models.cassette import Take

__all__ = ("Model", "RequestLimiter", "aclose", "check", "price")

_REPLY = 500
"""Tokens that a reply is expected to take where nothing bounds it."""

_MOST_READ = 20_000
"""Characters that are read of what LiteLLM says of a failed request: it may hold the whole answer."""

_PATIENCE = 300.0
"""Seconds. A provider that asks for a longer wait has failed as far as a trial is concerned."""

_OURS = frozenset(
    {"model", "messages", "tools", "stream", "n", "api_base", "base_url", "timeout", "max_retries", "num_retries"}
)  # what `extra` may not set: fields of LlmConfig, or things the harness relies on


class RequestLimiter:
    """At most `width` requests in flight per provider and endpoint, over all models that share it.

    At most `rpm` requests and `tpm` tokens a minute go to each model at an endpoint, whoever asks it. `clock` and
    `sleep` are what that goes by.
    """

    def __init__(
        self,
        width: int = 16,
        *,
        rpm: int | None = None,
        tpm: int | None = None,
        clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
    ) -> None:
        self._width = width
        self._slots: dict[tuple[str, str | None], anyio.CapacityLimiter] = {}
        self._new_limit = partial(RateLimit, rpm, tpm, clock=clock, sleep=sleep)
        self._limits: dict[tuple[str, str | None], RateLimit] = {}

    def slots(self, provider: str, api_base: str | None) -> anyio.CapacityLimiter:
        key = provider, api_base
        if key not in self._slots:
            self._slots[key] = anyio.CapacityLimiter(self._width)
        return self._slots[key]

    def limit(self, model: str, api_base: str | None) -> RateLimit:
        return self._limits.setdefault((model, api_base), self._new_limit())


def _backoff(attempt: int) -> float:
    """Seconds to wait after failed attempt 1, 2, 3...: 1, 2, 4, up to a minute."""
    return min(60.0, 2.0 ** (attempt - 1))


class Model:
    """One configured model.

    `limiter` bounds concurrency and is to be shared by the models of a run; `take` is one trial's part
    of a cassette. A retry waits by `sleep`, and its slot is free meanwhile.
    """

    def __init__(
        self,
        config: LlmConfig,
        *,
        limiter: RequestLimiter | None = None,
        take: Take | None = None,
        sleep: Callable[[float], Awaitable[object]] = anyio.sleep,
    ) -> None:
        self.config = config
        self._limiter = limiter or RequestLimiter()
        self._take = take
        self._sleep = sleep
        self._waits = counted()

    async def complete(
        self, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()
    ) -> Completion:
        """Ask for the next message of a conversation, both in the shape of chat completions.

        Raises `ModelError`, `ModelFault` or `ContextWindow`.
        """
        request = {"model": self.config.model, "messages": list(messages), **_params(self.config)}
        if tools:
            request["tools"] = list(tools)
        if self._take is None:
            return await self._ask(request)
        return await self._take.complete(request, self._ask)

    async def _ask(self, request: dict[str, Any]) -> Completion:
        endpoint = self._endpoint
        request = {name: value for name, value in request.items() if name not in endpoint.left_out}
        slots = self._limiter.slots(endpoint.provider, self.config.api_base)
        limit = self._limiter.limit(self.config.model, self.config.api_base)
        with ExitStack() as standing:
            attempt = 1
            while True:
                async with limit.turn(slots, _expected(request), self._waits) as turn:
                    if attempt == 1:  # whether it is asked in vain shows later, and the limit is not to come first
                        first, vain = turn, standing.enter_context(self._waits.waiting(limit.clock))
                    outcome = await self._try(request, endpoint)
                    turn.tokens = _taken(outcome, turn.tokens)
                if not isinstance(outcome, _Trouble):
                    break
                wait = _backoff(attempt) if outcome.wait is None else outcome.wait
                if attempt > self.config.retries:
                    raise ModelFault(self.config.model, attempt, outcome.text)
                if wait > _PATIENCE:
                    raise ModelFault(self.config.model, attempt, f"{outcome.text} (asks for a wait of {wait:g} s)")
                attempt += 1
                await self._sleep(wait)
            vain.until = turn.at  # what is answered is time of the agent's
        await checkpoint_if_cancelled()  # where that took longer than was left
        kept, response = scrub([request, _writable(outcome.plain)], also=held_back([self.config]))
        return Completion(
            request=kept,
            response=response,
            usage=_usage(outcome.response, self.config.price, endpoint.price),
            attempts=attempt,
            waited=round(first.waited + turn.at - first.at, 4),
        )

    async def _try(self, request: dict[str, Any], endpoint: _Endpoint) -> _Answer | _Trouble:
        """One attempt: an answer, or the trouble that another attempt may not have."""
        litellm, config = _litellm(), self.config
        sent = json.loads(json.dumps(request))  # for some providers LiteLLM changes what it is given
        try:
            with anyio.fail_after(config.timeout), _asking(config.api_base) as api_base:
                response = await litellm.acompletion(
                    **sent,
                    api_base=api_base,
                    api_key=endpoint.api_key,
                    timeout=config.timeout,
                    max_retries=0,
                    num_retries=0,
                )
        except TimeoutError:
            return _Trouble(f"no answer within {config.timeout:g} s")
        except litellm.exceptions.openai.OpenAIError as error:  # the root of all that LiteLLM raises
            return _judge(error, config)
        if not response.choices:
            return _Trouble("the answer holds no choices")
        try:
            return _Answer(response, response.model_dump(mode="json", exclude_none=True))
        except (ValueError, RecursionError) as error:  # a field beside the reply may be nested too deep
            return _Trouble(f"the answer cannot be kept: {error}")

    @cached_property
    def _endpoint(self) -> _Endpoint:
        return _resolve(self.config)


def check(config: LlmConfig) -> None:
    """Find out before a run what can be known without asking the provider.

    Raises `ModelError` when LiteLLM is not installed, does not know the provider, or finds no key in
    the environment; when `extra` holds a key or a parameter that is not its to set; and when the model does not take
    one of its temperatures.
    """
    _resolve(config)
    if config.resample:
        _resolve(config.model_copy(update={"temperature": config.resample_temperature}), "resample_temperature")


def price(config: LlmConfig) -> Price | None:
    """US dollars per million tokens: the config's own, else LiteLLM's, else None. Raises `ModelError`."""
    return config.price or _resolve(config).price


async def aclose() -> None:
    """Close the connections that models of this event loop hold; for the end of a run, used models or not."""
    litellm = sys.modules.get("litellm")
    if litellm is None:
        return
    await litellm.close_litellm_async_clients()
    litellm.in_memory_llm_clients_cache.flush_cache()  # keyed by the loop's id, which the next loop may have again


class _Endpoint(NamedTuple):
    provider: str
    price: Price | None
    api_key: str | None
    left_out: frozenset[str] = frozenset()
    """What the model is asked without, as it takes none: a temperature of 0."""


class _Answer(NamedTuple):
    """LiteLLM's response, and the same as JSON."""

    response: Any
    plain: dict[str, Any]


class _Trouble(NamedTuple):
    """Why an attempt failed, and how many seconds the provider asks to wait."""

    text: str
    wait: float | None = None


@lru_cache(maxsize=1)
def _litellm() -> Any:
    """LiteLLM without network at import, telemetry, callbacks or chatter. Raises ImportError."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # else a price map is fetched at import
    os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"  # else a table of headers is, at first use
    with gc_paused():  # what an import makes stays, and looking through it is a fifth of the time
        import litellm
        from httpx import AsyncHTTPTransport  # what LiteLLM sends by where it is told to do without aiohttp
        from litellm.litellm_core_utils import secret_redaction as redaction
        from litellm.litellm_core_utils.llm_response_utils import convert_dict_to_response as reading
        from litellm.llms.custom_httpx.aiohttp_transport import LiteLLMAiohttpTransport

    litellm.telemetry = False
    litellm.callbacks, litellm.success_callback, litellm.failure_callback = [], [], []
    litellm.suppress_debug_info = True
    litellm.disable_hf_tokenizer_download = True
    logging.getLogger("LiteLLM").setLevel(logging.CRITICAL)  # its log lines quote requests; all it says is raised too
    reading.handle_invalid_parallel_tool_calls = _forgiving(reading.handle_invalid_parallel_tool_calls)
    litellm.utils.dispatch_success_logging = _unlogged
    redaction.python_redact_string = _bounded(redaction.python_redact_string)
    for transport in (LiteLLMAiohttpTransport, AsyncHTTPTransport):
        transport.handle_async_request = _addressed(transport.handle_async_request)  # type: ignore[method-assign]
    # It makes the coroutine of a request in a thread, and drops it where the request is cancelled meanwhile.
    warnings.filterwarnings("ignore", r"coroutine '\w+\.async_completion' was never awaited", RuntimeWarning)
    return litellm


def _unlogged(*_: object, **__: object) -> None:
    """LiteLLM prices and writes up each answer for its callbacks, of which there are none: a quarter of a call."""


def _bounded(redact: Callable[[str], str]) -> Callable[[str], str]:
    """LiteLLM looks six times for keys in what a failed request got: seconds for a page of some MB."""
    return lambda text: redact(text[:_MOST_READ])


def _addressed(send: Callable[[Any, Any], Awaitable[Any]]) -> Callable[[Any, Any], Awaitable[Any]]:
    """Requests go to where `api_base` says, whichever way the provider's part of LiteLLM made their URL from it.

    Of `user:password@` there is a header by then, and aiohttp refuses a request with both. A query comes back.
    """

    async def sent(transport: Any, request: Any) -> Any:
        url, base = request.url, type(request.url)(_api_base.get())
        if url.userinfo:
            url = url.copy_with(username="", password="")
        if base.query and (url.scheme, url.netloc) == (base.scheme, base.netloc):  # a redirect may lead elsewhere
            url = url.copy_merge_params(base.params)
        request.url = url
        return await send(transport, request)

    return sent


@contextmanager
def _asking(api_base: str | None) -> Iterator[str | None]:
    """What to give LiteLLM for that address while it is asked: it puts the path of a request behind a query."""
    token = _api_base.set(api_base or "")
    try:
        yield api_base and api_base.partition("?")[0]
    finally:
        _api_base.reset(token)


_api_base: Final = ContextVar("_api_base", default="")
"""Of the request under way; no argument that LiteLLM takes reaches the URL whatever the provider."""


def _forgiving(mend: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """LiteLLM looks for calls bundled as one in the arguments of a call, and raises where these are too deep or odd.

    That would pass for a fault of the provider: the model could choose to have its trial played again.
    """

    def mended(calls: Any) -> Any:
        try:
            return mend(calls)
        except Exception:  # noqa: BLE001 - whatever the model wrote; who reads the calls says what is wrong with them
            return calls

    return mended


def _resolve(config: LlmConfig, temperature: str = "temperature") -> _Endpoint:
    """`temperature`: the setting that the config has its temperature from."""
    for name in config.extra:
        if name in _OURS or name in LlmConfig.model_fields:
            raise ModelError(
                config.model, f"`extra` may not set {name!r}: it has a field of its own, or is the harness's"
            )
    for name in _names(config.extra):
        if looks_secret(name):
            raise ModelError(config.model, f"`extra` holds {name!r}: put keys into the environment, configs are stored")
    try:
        litellm = _litellm()
    except ImportError:
        raise ModelError(config.model, "LiteLLM is missing: pip install 'workplace-harness[models]'") from None
    try:
        name, provider, _, _ = litellm.get_llm_provider(config.model, api_base=config.api_base)
    except litellm.exceptions.openai.OpenAIError:
        name = provider = ""
    if not name or not provider:
        raise ModelError(
            config.model,
            "LiteLLM knows no such provider: write `provider/model`, such as openai/gpt-4o",
        )
    known = config.price or _listed(litellm.model_cost, config.model, name, provider)
    left_out = _left_out(config, name, provider, temperature)
    missing = [key for key in litellm.validate_environment(config.model)["missing_keys"] if key.endswith("_API_KEY")]
    if not missing:
        return _Endpoint(provider, known, None, left_out)
    if config.api_base is not None:
        # servers of one's own ask for no key, the client libraries do
        return _Endpoint(provider, known, "none", left_out)
    raise ModelError(config.model, f"set {' or '.join(missing)} in the environment")


_DECIDE: Final = ("reasoning_effort", "drop_params", "additional_drop_params")
"""Of further parameters, those by which LiteLLM tells whether a model takes a temperature."""


def _left_out(config: LlmConfig, name: str, provider: str, setting: str) -> frozenset[str]:
    """`temperature`, where it is 0 and the model takes none, as OpenAI's do while they reason.

    0 is the default, and asks for as little chance as there may be. Raises `ModelError` for another that it refuses.
    """
    beside = {name: value for name, value in config.extra.items() if name in _DECIDE}
    given = {"temperature": config.temperature, **beside}
    if config.temperature is None or not _refuses(name, provider, given) or _refuses(name, provider, beside):
        return frozenset()
    if config.temperature == 0:
        return frozenset({"temperature"})
    raise ModelError(config.model, f"it does not take `{setting}: {config.temperature:g}`: write `{setting}: null`")


def _refuses(model: str, provider: str, params: Mapping[str, Any]) -> bool:
    litellm = _litellm()
    try:
        litellm.utils.get_optional_params(model=model, custom_llm_provider=provider, **params)
    except litellm.exceptions.UnsupportedParamsError:
        return True
    return False


def _listed(costs: Mapping[str, Mapping[str, Any]], model: str, name: str, provider: str) -> Price | None:
    for key in (model, f"{provider}/{name}", name):
        entry = costs.get(key, {})
        prompt, completion = entry.get("input_cost_per_token"), entry.get("output_cost_per_token")
        if prompt is not None and completion is not None and entry.get("litellm_provider", "").startswith(provider):
            return Price(prompt=prompt * 1e6, completion=completion * 1e6)
    return None


def _names(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(name for item in value.values() for name in _names(item))]
    return [name for item in value for name in _names(item)] if isinstance(value, list) else []


def _params(config: LlmConfig) -> dict[str, Any]:
    given = {"temperature": config.temperature, "max_tokens": config.max_tokens}
    return {name: value for name, value in given.items() if value is not None} | config.extra


def _usage(response: Any, own: Price | None, known: Price | None) -> Usage:
    """LiteLLM's cost knows cached and other special tokens; of an unlisted model it may say 0, so it is not asked."""
    prompt, completion = _counted(response)
    listed = known and not own and (prompt or completion)
    cost = response._hidden_params.get("response_cost") if listed else None
    if cost is None and known:
        cost = (prompt * known.prompt + completion * known.completion) / 1e6
    return Usage(prompt_tokens=prompt, completion_tokens=completion, cost_usd=cost)


def _counted(response: Any) -> tuple[int, int]:
    """Tokens of a request and of its reply: none where a provider reports none, or what cannot be, less than none."""
    counts = getattr(response, "usage", None)
    prompt, completion = (getattr(counts, f"{kind}_tokens", 0) or 0 for kind in ("prompt", "completion"))
    return (prompt, completion) if min(prompt, completion) >= 0 else (0, 0)


def _expected(request: Mapping[str, Any]) -> int:
    """About how many tokens a request will take: a quarter of its bytes, and as many as its reply may have."""
    size = len(json.dumps([request["messages"], request.get("tools", ())]))
    return size // 4 + (request.get("max_tokens") or _REPLY)


def _taken(outcome: _Answer | _Trouble, expected: int) -> int:
    """How many it took; a request that failed, or whose provider does not say, counts as it was expected to."""
    return (sum(_counted(outcome.response)) if isinstance(outcome, _Answer) else 0) or expected


def _writable(response: Any) -> Any:
    """The response, however long, without what no record could keep."""
    return tidied(response) if refusal(response, values=sys.maxsize, size=sys.maxsize) else response


def _judge(error: Any, config: LlmConfig) -> _Trouble:
    """What may pass as trouble; raises `ContextWindow` or `ModelError` for what will not pass."""
    whole = scrub(" ".join(str(error)[:_MOST_READ].split()), also=held_back([config]))
    text = _clip(whole.partition(_TRACEBACK)[0].rstrip())
    status = getattr(error, "status_code", None)
    too_long = isinstance(error, _litellm().ContextWindowExceededError) or status == 413
    if too_long or (status == 400 and "context_length_exceeded" in whole):
        raise ContextWindow(config.model, text) from None
    if status is None or status in (408, 409, 425, 429) or status >= 500:
        return _Trouble(text, _retry_after(error))
    remedy = {
        200: _OTHER_PLACE,
        204: _OTHER_PLACE,
        401: "check the key in the environment",
        403: "check what the key may use",
        404: "check the model's name and `api_base`",
    }.get(status, "check the model's parameters (`temperature: null` leaves it out)")
    raise ModelError(config.model, f"{text} ({remedy})") from None


_TRACEBACK: Final = "Traceback (most recent call last)"
"""With this LiteLLM goes on where it cannot read a reply; what is wrong stands before it."""

_OTHER_PLACE: Final = "what answers there is no model's endpoint: check `api_base`"


def _clip(text: str) -> str:
    """Some of LiteLLM's errors hold the whole response."""
    return text if len(text) <= 600 else f"{text[:600]} ..."


def _retry_after(error: Any) -> float | None:
    """Seconds from now, whichever of its two forms the header has."""
    response = getattr(error, "response", None)
    headers = getattr(error, "litellm_response_headers", None) or getattr(response, "headers", None) or {}
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except ValueError:
        return None
