"""The tile in LLVM's portable vector code, so that its 64 sums stay in registers.

It makes the whole search 2 to 6 times faster than `loop_tile`, which does the same in plain numba.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from unflip.foundation.compiled import compiled
from unflip.neighbors.engines.loop_tile import COLUMNS_PER_PASS, POINTS, QUERIES

HALF = POINTS // 2  # eight floats make one vector register

_INT32, _INT64, _FLOAT = ir.IntType(32), ir.IntType(64), ir.FloatType()
_VECTOR = ir.VectorType(_FLOAT, HALF)


@intrinsic
def add_squares(typing_context, queries, points, n_columns, fresh, sums, limits):
    """Add (query - point)**2 over n_columns to the 64 sums; return one bit for each sum that is <= its query's limit.

    queries as (column, 4), points as (column, 16), sums as (4, 16) and limits as (4,) are addresses of float32. The
    sums start at zero if fresh is not 0, and are written only where any bit is set.
    """
    return _SIGNATURE, _call_of("unflip_add_squares", _add_square)


@intrinsic
def add_products(typing_context, queries, points, n_columns, fresh, sums, limits):
    """Add query * point instead: half the arithmetic of add_squares."""
    return _SIGNATURE, _call_of("unflip_add_products", _add_product)


_SIGNATURE = types.uint64(*[types.int64] * 6)


def _add_square(builder, query, point, before):
    difference = builder.fsub(query, point)
    return _multiply_add(builder, difference, difference, before)


def _add_product(builder, query, point, before):
    return _multiply_add(builder, query, point, before)


def _call_of(name, step):
    def generate(context, builder, signature, arguments):
        function = builder.module.globals.get(name) or _accumulation(builder.module, name, step)
        return builder.call(function, arguments)

    return generate


def _accumulation(module, name, step):
    function = ir.Function(module, ir.FunctionType(_INT64, [_INT64] * 6), name)
    function.linkage = "internal"
    queries, points, n_columns, fresh, sums, limits = function.args
    blocks = (
        function.append_basic_block(name) for name in ("entry", "resume", "begin", "loop", "done", "write", "end")
    )
    entry, resume, begin, loop, done, write, end = blocks
    cells = [(query, half) for query in range(QUERIES) for half in range(2)]
    zero = ir.Constant(_VECTOR, [0.0] * HALF)

    builder = ir.IRBuilder(entry)
    builder.cbranch(builder.icmp_signed("!=", fresh, _INT64(0)), begin, resume)
    builder.position_at_end(resume)
    stored = [_load(builder, sums, POINTS * query + HALF * half, _VECTOR) for query, half in cells]
    builder.branch(begin)
    builder.position_at_end(begin)
    start = [_phi(builder, {entry: zero, resume: value}) for value in stored]
    builder.cbranch(builder.icmp_signed(">", n_columns, _INT64(0)), loop, done)

    builder.position_at_end(loop)
    column = _phi(builder, {begin: _INT64(0)})
    running = [_phi(builder, {begin: value}) for value in start]
    near = [_load(builder, points, HALF * half, _VECTOR, builder.mul(column, _INT64(4 * POINTS))) for half in range(2)]
    added = []
    for before, (query, half) in zip(running, cells, strict=True):
        value = _load(builder, queries, query, _FLOAT, builder.mul(column, _INT64(4 * QUERIES)))
        added.append(step(builder, _splat(builder, value), near[half], before))
    following = builder.add(column, _INT64(1))
    builder.cbranch(builder.icmp_signed("<", following, n_columns), loop, done)
    column.add_incoming(following, loop)
    for before, after in zip(running, added, strict=True):
        before.add_incoming(after, loop)

    builder.position_at_end(done)
    totals = [_phi(builder, {begin: before, loop: after}) for before, after in zip(start, added, strict=True)]
    bits = _INT64(0)
    for (query, half), total in zip(cells, totals, strict=True):
        within = builder.fcmp_ordered("<=", total, _splat(builder, _load(builder, limits, query, _FLOAT)))
        byte = builder.zext(builder.bitcast(within, ir.IntType(HALF)), _INT64)
        bits = builder.or_(bits, builder.shl(byte, _INT64(POINTS * query + HALF * half)))
    builder.cbranch(builder.icmp_unsigned("==", bits, _INT64(0)), end, write)
    builder.position_at_end(write)
    for (query, half), total in zip(cells, totals, strict=True):
        _store(builder, total, sums, POINTS * query + HALF * half)
    builder.branch(end)
    builder.position_at_end(end)
    builder.ret(bits)
    return function


def _phi(builder, values):
    """Return the value that depends on the block one comes from."""
    phi = builder.phi(next(iter(values.values())).type)
    for block, value in values.items():
        phi.add_incoming(value, block)
    return phi


def _address(builder, base, position, kind, offset=None):
    address = builder.add(base, _INT64(4 * position))
    return builder.inttoptr(address if offset is None else builder.add(address, offset), kind.as_pointer())


def _load(builder, base, position, kind, offset=None):
    return builder.load(_address(builder, base, position, kind, offset), align=4)


def _store(builder, value, base, position):
    builder.store(value, _address(builder, base, position, _VECTOR), align=4)


def _splat(builder, value):
    undefined = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, value, _INT32(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(_INT32, HALF), [0] * HALF))


def _multiply_add(builder, a, b, c):
    name = f"llvm.fmuladd.v{HALF}f32"
    function = builder.module.globals.get(name)
    if function is None:
        function = ir.Function(builder.module, ir.FunctionType(_VECTOR, [_VECTOR] * 3), name)
    return builder.call(function, [a, b, c])


@intrinsic
def lowest_bit(typing_context, mask):
    """Return the position of the lowest set bit; the mask must not be 0."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@compiled(inline="always")
def squares_tile(lanes, lanes_at, group, packed, packed_at, number, sums, sums_at, limits, limits_at):
    """Fill the 64 sums of squares unless none can stay within its limit: see `tile`; the arrays are not touched."""
    n_columns = packed.shape[1]
    queries = lanes_at + 4 * QUERIES * n_columns * group
    points = packed_at + 4 * POINTS * n_columns * number
    near = limits_at + 4 * QUERIES * group
    mask, column = np.uint64(0), 0
    while column < n_columns:
        count = min(COLUMNS_PER_PASS, n_columns - column)
        mask = add_squares(
            queries + 4 * QUERIES * column, points + 4 * POINTS * column, count, column == 0, sums_at, near
        )  # fmt: skip
        column += count
        if mask == 0:
            break
    return mask, column


@compiled(inline="always")
def products_tile(lanes, lanes_at, group, packed, packed_at, number, sums, sums_at, limits, limits_at):
    """Fill the 64 sums of products: see `tile`; the arrays are not touched."""
    n_columns = packed.shape[1]
    queries = lanes_at + 4 * QUERIES * n_columns * group
    points = packed_at + 4 * POINTS * n_columns * number
    return add_products(queries, points, n_columns, 1, sums_at, limits_at + 4 * QUERIES * group)
