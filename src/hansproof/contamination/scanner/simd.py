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


def _splat(value: int) -> Any:
    return ir.Constant(_BYTES, [value] * WIDTH)


def _element_pointer(
    context: Any, builder: Any, array_type: Any, array: Any, index: Any, element_type: Any
) -> Any:
    """The address of a place in an array of bytes."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), element_type.as_pointer())


def _in_range(builder: Any, value: Any, low: int, size: int) -> Any:
    return builder.icmp_unsigned("<", builder.sub(value, _splat(low)), _splat(size))


def _to_bitmasks(tests: Any, builder: Any) -> Any:
    """A bit for each of 64 bytes, of several tests."""
    return [builder.bitcast(test, _LONG) for test in tests]


@intrinsic
def lower_and_classify(_: Any, source: Any, index: Any, target: Any) -> Any:
    """Copy 64 bytes, A to Z as a to z.

    Returns which of them are a to z, 0 to 9 or _, and which are no ASCII.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        arg_types = signature.args
        chars = builder.load(
            _element_pointer(context, builder, arg_types[0], args[0], args[1], _BYTES)
        )
        chars.align = 1
        lower = builder.or_(chars, _splat(0x20))
        chars = builder.select(_in_range(builder, chars, ord("A"), 26), lower, chars)
        store = builder.store(
            chars, _element_pointer(context, builder, arg_types[2], args[2], args[1], _BYTES)
        )
        store.align = 1
        alphanumeric = builder.or_(
            _in_range(builder, chars, ord("a"), 26), _in_range(builder, chars, ord("0"), 10)
        )
        is_word = builder.or_(alphanumeric, builder.icmp_unsigned("==", chars, _splat(ord("_"))))
        masks = _to_bitmasks([is_word, builder.icmp_signed("<", chars, _splat(0))], builder)
        return context.make_tuple(builder, signature.return_type, masks)

    return types.UniTuple(types.uint64, 2)(source, index, target), codegen


@intrinsic
def classify_spaces(_: Any, source: Any, index: Any) -> Any:
    """Which of 64 bytes are blank (9 to 13, 28 to 32), and which are no ASCII."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        chars = builder.load(
            _element_pointer(context, builder, signature.args[0], args[0], args[1], _BYTES)
        )
        chars.align = 1
        is_space = builder.or_(_in_range(builder, chars, 9, 5), _in_range(builder, chars, 28, 5))
        masks = _to_bitmasks([is_space, builder.icmp_signed("<", chars, _splat(0))], builder)
        return context.make_tuple(builder, signature.return_type, masks)

    return types.UniTuple(types.uint64, 2)(source, index), codegen


@intrinsic
def load_eight_bytes(_: Any, source: Any, index: Any) -> Any:
    """Eight bytes from here on, as a number."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = builder.load(
            _element_pointer(context, builder, signature.args[0], args[0], args[1], _LONG)
        )
        value.align = 1
        return value

    return types.uint64(source, index), codegen


@intrinsic
def lowest_bit(_: Any, bits: Any) -> Any:
    """The place of the lowest bit that is set; there must be one."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen
