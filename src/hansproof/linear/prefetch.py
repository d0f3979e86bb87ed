"""Lets compiled loops ask for memory that they will read soon.

Where rows are visited in random order, the processor would otherwise wait for each of them. A
request changes no value, so results are the same with and without it.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

_FOR_READING, _KEEP_CLOSE, _DATA = 0, 3, 1  # arguments of LLVM's prefetch


@intrinsic
def prefetch_row(typing_context: Any, array: Any, index: Any) -> Any:
    """Ask for the beginning of a row of an array, or of an element; the index must exist."""

    def generate_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type, index_type = signature.args
        data = context.make_array(array_type)(context, builder, arguments[0])
        stride = cgutils.unpack_tuple(builder, data.strides)[0]
        row = context.cast(builder, arguments[1], index_type, types.int64)
        byte_pointer, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
        base = builder.bitcast(data.data, byte_pointer)
        address = builder.gep(base, [builder.mul(row, stride)])
        function_type = ir.FunctionType(ir.VoidType(), [byte_pointer, flag, flag, flag])
        prefetch = cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0")
        flags = [flag(value) for value in (_FOR_READING, _KEEP_CLOSE, _DATA)]
        builder.call(prefetch, [address, *flags])
        return context.get_dummy_value()

    return types.void(array, index), generate_code
