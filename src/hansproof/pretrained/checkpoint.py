"""Loads pretrained models from a transformers folder or the hub: safetensors only, no remote code.

All weights are loaded in single precision, whatever precision they were saved in: transformers
would keep a checkpoint's own precision, and weights in half precision cannot be trained directly.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import lru_cache
from typing import Any

from .._infra import hashing
from ..errors import MissingExtra, ModelError, first_line

# files that scores depend on
FINGERPRINT_PATTERNS = (
    "*.safetensors", "config.json", "tokenizer*", "special_tokens_map.json", "added_tokens.json",
    "vocab.*", "merges.txt", "*.model", "hansproof.json",
)  # fmt: skip
POOLING_CONFIG = "1_Pooling/config.json"  # only sentence-transformers folders have it
SPACE_MARK = "\u2581"  # how SentencePiece tokenizers write a space
PICKLE_PATTERNS = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.h5", "*.msgpack")


def fingerprint(source: str) -> str:
    """Return the sha256 of a folder's weights, configuration and tokenizer, or `id@commit`."""
    if not source:
        raise ModelError("name a pretrained model: a transformers folder or a hub id")
    if not os.path.isdir(source):
        return f"{source}@{_commit_hash(source)}"
    names = sorted(n for n in os.listdir(source) if os.path.isfile(os.path.join(source, n)))
    if not _match_patterns(names, ("*.safetensors",)):
        pickle_files = _match_patterns(names, PICKLE_PATTERNS)
        raise ModelError(
            f"{source}: has no weights in .safetensors files"
            + (f", only {pickle_files[0]}, which could run code when loaded: save it as safetensors"
               if pickle_files else "")
        )  # fmt: skip
    fingerprint_files = [
        *_match_patterns(names, FINGERPRINT_PATTERNS),
        *([POOLING_CONFIG] if has_file(source, POOLING_CONFIG) else []),
    ]
    return hashing.file_sha256(tuple(os.path.join(source, name) for name in fingerprint_files))


def _match_patterns(names: list[str], patterns: tuple[str, ...]) -> list[str]:
    return [name for name in names if any(fnmatch(name, pattern) for pattern in patterns)]


def has_file(source: str, name: str) -> bool:
    """Return whether a folder or a hub repository contains a file of that name."""
    if os.path.isdir(source):
        return os.path.isfile(os.path.join(source, name))
    with translate_load_errors(source):
        from transformers.utils import cached_file

        path = cached_file(
            source,
            name,
            revision=_pinned_revision(source),
            _raise_exceptions_for_missing_entries=False,
        )
        return path is not None


@lru_cache
def _commit_hash(source: str) -> str:
    if source.startswith((".", "/", "~")):
        raise ModelError(f"{source}: no such folder")
    with translate_load_errors(source), silence_transformers():
        from transformers import AutoConfig

        config = AutoConfig.from_pretrained(source, trust_remote_code=False)
        return str(getattr(config, "_commit_hash", None) or "main")


def _pinned_revision(source: str) -> str:
    return "main" if os.path.isdir(source) else _commit_hash(source)


def load_config(source: str) -> Any:
    """Load the configuration of a checkpoint."""
    with translate_load_errors(source), silence_transformers():
        from transformers import AutoConfig

        loaded_config = AutoConfig.from_pretrained(
            source, revision=_pinned_revision(source), trust_remote_code=False
        )
    kernel = str(getattr(loaded_config, "_attn_implementation", None) or "")
    if "/" in kernel:  # an attention kernel that would be fetched from the hub
        raise ModelError(f"{source}: requires the code of {kernel}, which hansproof does not run")
    return loaded_config


def load_tokenizer(source: str) -> Any:
    """Load the tokenizer of a checkpoint.

    If there is none, transformers makes one without words; that is an error here.
    """
    with translate_load_errors(source), silence_transformers():
        from transformers import AutoTokenizer

        loaded_tokenizer = AutoTokenizer.from_pretrained(
            source, revision=_pinned_revision(source), trust_remote_code=False
        )
    if not {*loaded_tokenizer.get_vocab()} - {*loaded_tokenizer.all_special_tokens, SPACE_MARK}:
        raise ModelError(f"{source}: has no tokenizer, or one without a vocabulary")
    return loaded_tokenizer


def load_module(
    source: str, class_name: str = "AutoModel", optional_parts: tuple[str, ...] = ()
) -> Any:
    """Load the network on the CPU, ready to score, as an instance of a transformers class.

    Weights may be missing only if their name contains one of `optional_parts`; they are then
    initialised at random, always in the same way. Any other missing weight is an error.
    """
    return load_reporting_missing(source, class_name, optional_parts)[0]


def load_reporting_missing(
    source: str, class_name: str, optional_parts: tuple[str, ...]
) -> tuple[Any, list[str]]:
    """Load the network like `load_module`, and return the names of missing weights with it."""
    fingerprint(source)  # refuses a folder without safetensors
    load_config(source)  # refuses a checkpoint that asks for remote code
    with translate_load_errors(source), silence_transformers():
        import torch
        import transformers

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            model, report = getattr(transformers, class_name).from_pretrained(
                source, revision=_pinned_revision(source), trust_remote_code=False,
                use_safetensors=True, dtype=torch.float32, output_loading_info=True,
            )  # fmt: skip
    missing = sorted(report["missing_keys"])
    required = [name for name in missing if not any(part in name for part in optional_parts)]
    if required:
        raise ModelError(
            f"{source}: has no weights for {required[0]} ({len(required)} are missing)"
        )
    return model.eval(), missing


def require_finite(model: Any, values: Any) -> Any:
    """Return a model's outputs unchanged, or raise if one of them is not finite."""
    import torch

    if not torch.isfinite(values).all():
        raise ModelError(f"{model.config.name_or_path}: returns numbers that are not finite")
    return values


@contextlib.contextmanager
def translate_load_errors(source: str) -> Iterator[None]:
    """Turn whatever transformers raises while loading into a `ModelError` of one line."""
    try:
        yield
    except ModelError:
        raise
    except ImportError as error:
        if not all(map(importlib.util.find_spec, ("torch", "transformers"))):
            raise MissingExtra("models", "a pretrained model") from None
        raise ModelError(f"{source}: cannot be loaded: {first_line(error)}") from None
    except Exception as error:  # its loaders raise errors of any type
        raise ModelError(f"{source}: cannot be loaded: {first_line(error)}") from None


@contextlib.contextmanager
def silence_transformers() -> Iterator[None]:
    """Suppress progress bars and log output of transformers and the hub."""
    import logging as standard

    from transformers.utils import logging

    bars, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    hub = standard.getLogger("huggingface_hub")
    hub_level = hub.level
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    hub.setLevel(standard.CRITICAL)
    try:
        yield
    finally:
        hub.setLevel(hub_level)
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
