"""Opens pretrained models: a transformers folder or a hub id, safetensors only, no code of theirs.

Everything comes in single precision, whatever it was saved in: transformers loads a checkpoint in
its own precision, and one in half precision trains nothing as it is.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import lru_cache
from typing import Any

from .. import digest
from ..errors import MissingExtra, ModelError, first_line

# what scores depend on
FILES = (
    "*.safetensors", "config.json", "tokenizer*", "special_tokens_map.json", "added_tokens.json",
    "vocab.*", "merges.txt", "*.model", "hansproof.json",
)  # fmt: skip
POOLING = "1_Pooling/config.json"  # what makes a folder one of sentence-transformers
BLANK = "\u2581"  # as tokenizers of pieces of sentences have it
PICKLED = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.h5", "*.msgpack")


def fingerprint(source: str) -> str:
    """The sha256 of a folder's weights, configuration and tokenizer; `id@commit` on the hub."""
    if not source:
        raise ModelError("name a pretrained model: a transformers folder or a hub id")
    if not os.path.isdir(source):
        return f"{source}@{_commit(source)}"
    names = sorted(n for n in os.listdir(source) if os.path.isfile(os.path.join(source, n)))
    if not _matching(names, ("*.safetensors",)):
        pickled = _matching(names, PICKLED)
        raise ModelError(
            f"{source}: has no weights in .safetensors files"
            + (f", only {pickled[0]}, which could run code when opened: save it as safetensors"
               if pickled else "")
        )  # fmt: skip
    wanted = [*_matching(names, FILES), *([POOLING] if has(source, POOLING) else [])]
    return digest.sha256(tuple(os.path.join(source, name) for name in wanted))


def _matching(names: list[str], kinds: tuple[str, ...]) -> list[str]:
    return [name for name in names if any(fnmatch(name, kind) for kind in kinds)]


def has(source: str, name: str) -> bool:
    """Whether there is a file of that name, in a folder or on the hub."""
    if os.path.isdir(source):
        return os.path.isfile(os.path.join(source, name))
    with readable(source):
        from transformers.utils import cached_file

        found = cached_file(
            source, name, revision=_revision(source), _raise_exceptions_for_missing_entries=False
        )
        return found is not None


@lru_cache
def _commit(source: str) -> str:
    if source.startswith((".", "/", "~")):
        raise ModelError(f"{source}: no such folder")
    with readable(source), quiet():
        from transformers import AutoConfig

        config = AutoConfig.from_pretrained(source, trust_remote_code=False)
        return str(getattr(config, "_commit_hash", None) or "main")


def _revision(source: str) -> str:
    return "main" if os.path.isdir(source) else _commit(source)


def config(source: str) -> Any:
    """Its configuration."""
    with readable(source), quiet():
        from transformers import AutoConfig

        found = AutoConfig.from_pretrained(
            source, revision=_revision(source), trust_remote_code=False
        )
    kernel = str(getattr(found, "_attn_implementation", None) or "")
    if "/" in kernel:  # code from the hub, under another name
        raise ModelError(f"{source}: asks for the code of {kernel}, which is not run")
    return found


def tokenizer(source: str) -> Any:
    """Its tokenizer; where there is none transformers makes one up, which knows no words."""
    with readable(source), quiet():
        from transformers import AutoTokenizer

        found = AutoTokenizer.from_pretrained(
            source, revision=_revision(source), trust_remote_code=False
        )
    if not {*found.get_vocab()} - {*found.all_special_tokens, BLANK}:
        raise ModelError(f"{source}: has no tokenizer, or one that knows no words")
    return found


def module(source: str, kind: str = "AutoModel", without: tuple[str, ...] = ()) -> Any:
    """The network on the CPU, as a class of transformers makes it, ready to score.

    Parts in whose name one of `without` occurs may lack weights, and are drawn; any other would
    be noise, and is refused.
    """
    return loaded(source, kind, without)[0]


def loaded(source: str, kind: str, without: tuple[str, ...]) -> tuple[Any, list[str]]:
    """The same, and what was drawn for want of weights; each time the same."""
    fingerprint(source)  # refuses a folder without safetensors
    config(source)  # refuses one that asks for code
    with readable(source), quiet():
        import torch
        import transformers

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            made, report = getattr(transformers, kind).from_pretrained(
                source, revision=_revision(source), trust_remote_code=False, use_safetensors=True,
                dtype=torch.float32, output_loading_info=True,
            )  # fmt: skip
    missing = sorted(report["missing_keys"])
    wanted = [name for name in missing if not any(part in name for part in without)]
    if wanted:
        raise ModelError(f"{source}: has no weights for {wanted[0]} ({len(wanted)} are missing)")
    return made.eval(), missing


def finite(model: Any, numbers: Any) -> Any:
    """What a model says, if it is numbers."""
    import torch

    if not torch.isfinite(numbers).all():
        raise ModelError(f"{model.config.name_or_path}: gives numbers that are not finite")
    return numbers


@contextlib.contextmanager
def readable(source: str) -> Iterator[None]:
    """What transformers says of a model it cannot load, in one line."""
    try:
        yield
    except ModelError:
        raise
    except ImportError as error:
        if not all(map(importlib.util.find_spec, ("torch", "transformers"))):
            raise MissingExtra("models", "a pretrained model") from None
        raise ModelError(f"{source}: cannot be loaded: {first_line(error)}") from None
    except Exception as error:  # its loaders raise what they like
        raise ModelError(f"{source}: cannot be loaded: {first_line(error)}") from None


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """No bars and no reports of its own from transformers, nor of the hub's tries."""
    import logging as standard

    from transformers.utils import logging

    bars, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    hub = standard.getLogger("huggingface_hub")
    before = hub.level
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    hub.setLevel(standard.CRITICAL)
    try:
        yield
    finally:
        hub.setLevel(before)
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
