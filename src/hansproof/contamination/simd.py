"""Sixty-four bytes at once: what numba has no words for, written down for LLVM.

LLVM makes of these what the processor has: one or two instructions with AVX-512, four with AVX2,
plain loops where there is neither.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

WIDTH = 64

_LONG = ir.IntType(64)
_BYTES = ir.VectorType(ir.IntType(8), WIDTH)


def _all(value: int) -> Any:
    return ir.Constant(_BYTES, [value] * WIDTH)


def _at(context: Any, builder: Any, kind: Any, array: Any, at: Any, wanted: Any) -> Any:
    """The address of a place in an array of bytes."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), wanted.as_pointer())


def _between(builder: Any, value: Any, low: int, size: int) -> Any:
    return builder.icmp_unsigned("<", builder.sub(value, _all(low)), _all(size))


def _masks(tests: Any, builder: Any) -> Any:
    """A bit for each of 64 bytes, of several tests."""
    return [builder.bitcast(test, _LONG) for test in tests]


@intrinsic
def letters(_: Any, source: Any, at: Any, target: Any) -> Any:
    """Copy 64 bytes, A to Z as a to z.

    Returns which of them are a to z, 0 to 9 or _, and which are no ASCII.
    """

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kinds = signature.args
        held = builder.load(_at(context, builder, kinds[0], args[0], args[1], _BYTES))
        held.align = 1
        small = builder.or_(held, _all(0x20))
        held = builder.select(_between(builder, held, ord("A"), 26), small, held)
        kept = builder.store(held, _at(context, builder, kinds[2], args[2], args[1], _BYTES))
        kept.align = 1
        either = builder.or_(
            _between(builder, held, ord("a"), 26), _between(builder, held, ord("0"), 10)
        )
        word = builder.or_(either, builder.icmp_unsigned("==", held, _all(ord("_"))))
        found = _masks([word, builder.icmp_signed("<", held, _all(0))], builder)
        return context.make_tuple(builder, signature.return_type, found)

    return types.UniTuple(types.uint64, 2)(source, at, target), code


@intrinsic
def blanks(_: Any, source: Any, at: Any) -> Any:
    """Which of 64 bytes are blank (9 to 13, 28 to 32), and which are no ASCII."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held = builder.load(_at(context, builder, signature.args[0], args[0], args[1], _BYTES))
        held.align = 1
        blank = builder.or_(_between(builder, held, 9, 5), _between(builder, held, 28, 5))
        found = _masks([blank, builder.icmp_signed("<", held, _all(0))], builder)
        return context.make_tuple(builder, signature.return_type, found)

    return types.UniTuple(types.uint64, 2)(source, at), code


@intrinsic
def eight(_: Any, source: Any, at: Any) -> Any:
    """Eight bytes from here on, as a number."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        held = builder.load(_at(context, builder, signature.args[0], args[0], args[1], _LONG))
        held.align = 1
        return held

    return types.uint64(source, at), code


@intrinsic
def lowest(_: Any, bits: Any) -> Any:
    """The place of the lowest bit that is set; there must be one."""

    def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), code
