"""Opens pretrained models: a transformers folder or a hub id, safetensors only, no code of theirs.

Everything comes in single precision, whatever it was saved in: transformers loads a checkpoint in
its own precision, and one in half precision trains nothing as it is.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import lru_cache
from typing import Any

from ..errors import MissingExtra, ModelError
from . import _digest

# what scores depend on
FILES = (
    "*.safetensors", "config.json", "tokenizer*", "special_tokens_map.json", "added_tokens.json",
    "vocab.*", "merges.txt", "*.model", "hansproof.json",
)  # fmt: skip
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.h5", "*.msgpack")


def fingerprint(source: str) -> str:
    """The sha256 of a folder's weights, configuration and tokenizer; `id@commit` on the hub."""
    if not source:
        raise ModelError("name a pretrained model: a transformers folder or a hub id")
    if not os.path.isdir(source):
        return f"{source}@{_commit(source)}"
    names = sorted(os.listdir(source))
    if not _matching(names, ("*.safetensors",)):
        pickled = _matching(names, PICKLED)
        raise ModelError(
            f"{source}: has no weights in .safetensors files"
            + (f", only {pickled[0]}, which could run code when opened: save it as safetensors"
               if pickled else "")
        )  # fmt: skip
    return _digest.sha256(tuple(os.path.join(source, name) for name in _matching(names, FILES)))


def _matching(names: list[str], kinds: tuple[str, ...]) -> list[str]:
    return [name for name in names if any(fnmatch(name, kind) for kind in kinds)]


@lru_cache
def _commit(source: str) -> str:
    with readable(source):
        from transformers import AutoConfig

        config = AutoConfig.from_pretrained(source, trust_remote_code=False)
        return str(getattr(config, "_commit_hash", None) or "main")


def _revision(source: str) -> str:
    return "main" if os.path.isdir(source) else _commit(source)


def config(source: str) -> Any:
    """Its configuration."""
    with readable(source):
        from transformers import AutoConfig

        return AutoConfig.from_pretrained(
            source, revision=_revision(source), trust_remote_code=False
        )


def tokenizer(source: str) -> Any:
    """Its tokenizer."""
    with readable(source), quiet():
        from transformers import AutoTokenizer

        return AutoTokenizer.from_pretrained(
            source, revision=_revision(source), trust_remote_code=False
        )


def module(source: str, kind: str = "AutoModel", without: tuple[str, ...] = ()) -> Any:
    """The network on the CPU, as a class of transformers makes it, ready to score.

    Parts in whose name one of `without` occurs may lack weights, and are drawn; any other would
    be noise, and is refused.
    """
    fingerprint(source)  # refuses a folder without safetensors
    with readable(source), quiet():
        import torch
        import transformers

        with torch.random.fork_rng(devices=[]):  # a part without weights is drawn
            made, report = getattr(transformers, kind).from_pretrained(
                source, revision=_revision(source), trust_remote_code=False, use_safetensors=True,
                dtype=torch.float32, output_loading_info=True,
            )  # fmt: skip
    missing = sorted(n for n in report["missing_keys"] if not any(part in n for part in without))
    if missing:
        raise ModelError(f"{source}: has no weights for {missing[0]} ({len(missing)} are missing)")
    return made.eval()


@contextlib.contextmanager
def readable(source: str) -> Iterator[None]:
    """What transformers says of a model it cannot load, in one line."""
    try:
        yield
    except ImportError:
        raise MissingExtra("models", "a pretrained model") from None
    except ModelError:
        raise
    except Exception as error:  # its loaders raise what they like
        first = next(iter(str(error).strip().splitlines()), "") or type(error).__name__
        raise ModelError(f"{source}: cannot be loaded: {first}") from None


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No bars and no reports of its own from transformers."""
    from transformers.utils import logging

    bars, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
