"""Operations on 64 bytes at once that numba does not have, written in LLVM's IR.

LLVM compiles them to one or two instructions with AVX-512, four with AVX2, and to loops elsewhere.
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
    """Return the address of an element of an array of bytes."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), element_type.as_pointer())


def _in_range(builder: Any, value: Any, low: int, size: int) -> Any:
    return builder.icmp_unsigned("<", builder.sub(value, _splat(low)), _splat(size))


def _to_bitmasks(tests: Any, builder: Any) -> Any:
    """Convert the results of tests on 64 bytes to numbers of 64 bits."""
    return [builder.bitcast(test, _LONG) for test in tests]


@intrinsic
def lower_and_classify(_: Any, source: Any, index: Any, target: Any) -> Any:
    """Copy 64 bytes and lower A to Z.

    Returns masks of the bytes that are word characters (a to z, 0 to 9, _), and of non-ASCII bytes.
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
    """Return masks of the bytes that are spaces (9 to 13, 28 to 32), and of non-ASCII bytes."""

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
    """Return eight bytes from an index on as a number."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = builder.load(
            _element_pointer(context, builder, signature.args[0], args[0], args[1], _LONG)
        )
        value.align = 1
        return value

    return types.uint64(source, index), codegen


@intrinsic
def lowest_bit(_: Any, bits: Any) -> Any:
    """Return the index of the lowest bit that is set; at least one must be."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen
