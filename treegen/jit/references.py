"""Named tuples that kernels pass to each other by reference.

numba passes a tuple as all that it holds, which is eight numbers or so for each array: hundreds for
a search. To compile such calls takes longer than to compile what the kernels do. Here the kernel
that Python calls writes the fields down, once, and the others are told where they stand.
"""

# numba has types for few of its functions.
# mypy: disallow-untyped-calls=False, disallow-untyped-decorators=False

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

T = TypeVar("T", bound=type[tuple[Any, ...]])


class Reference(types.Type):  # type: ignore[misc, unused-ignore]
    """Where the fields of a named tuple stand, by their names and types."""

    def __init__(self, name: str, fields: dict[str, Any]) -> None:
        self.names, self.kinds = list(fields), list(fields.values())
        described = ", ".join(f"{key}: {kind}" for key, kind in fields.items())
        super().__init__(f"Reference({name}: {described})")


def by_reference(kind: T) -> T:
    """Let kernels pass the values of a class by reference; they cannot make new ones."""

    @typeof_impl.register(kind)
    def _find_type(value: Any, context: Any) -> Reference:
        fields = {name: typeof_impl(item, context) for name, item in value._asdict().items()}
        return Reference(kind.__name__, fields)

    return kind


@register_model(Reference)
class _Model(models.PrimitiveModel):  # type: ignore[misc, unused-ignore]
    def __init__(self, manager: Any, kind: Reference) -> None:
        super().__init__(manager, kind, _lay_out(manager, kind).as_pointer())


def _lay_out(manager: Any, kind: Any) -> Any:
    """Return how a field is kept; what another reference stands for is kept within its owner."""
    if not isinstance(kind, Reference):
        return manager.lookup(kind).get_value_type()
    return ir.LiteralStructType([_lay_out(manager, each) for each in kind.kinds])


@infer_getattr
class _Fields(AttributeTemplate):  # type: ignore[misc, unused-ignore]
    key = Reference

    def generic_resolve(self, value: Any, attr: str) -> Any:  # type: ignore[override, unused-ignore]
        return value.kinds[value.names.index(attr)] if attr in value.names else None


@lower_getattr_generic(Reference)
def _read_field(context: Any, builder: Any, kind: Reference, place: Any, name: str) -> Any:
    at = kind.names.index(name)
    field, own = cgutils.gep_inbounds(builder, place, 0, at), kind.kinds[at]
    if isinstance(own, Reference):
        return field
    return impl_ret_borrowed(context, builder, own, builder.load(field))


@unbox(Reference)
def _unbox(kind: Reference, value: Any, c: Any) -> NativeValue:
    """Write the fields of a tuple to the memory of the call."""
    place = cgutils.alloca_once(c.builder, c.context.get_value_type(kind).pointee, zfill=True)
    has_failed = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    cleanups: list[Callable[[], None]] = []
    for own, item, field in _list_fields(kind, value, place, c):
        if isinstance(own, types.Array):
            is_error = c.builder.call(_find_unboxer(own, item, field, c), [item, field])
        else:
            native = c.unbox(own, item)
            c.builder.store(native.value, field)
            is_error = native.is_error
            if native.cleanup is not None:
                cleanups.append(native.cleanup)
        with c.builder.if_then(is_error, likely=False):
            c.builder.store(cgutils.true_bit, has_failed)
        if c.context.enable_nrt:
            cleanups.append(partial(_release, c, own, field))

    def clean_up() -> None:
        for each in reversed(cleanups):
            each()

    return NativeValue(place, is_error=c.builder.load(has_failed), cleanup=clean_up)


def _find_unboxer(kind: Any, item: Any, field: Any, c: Any) -> Any:
    """Return a function of the kernel's own that unboxes arrays of a type.

    Unboxing in place, for each of a hundred arrays, was a fifth of all code.
    """
    signature = ir.FunctionType(ir.IntType(1), [item.type, field.type])
    function = cgutils.get_or_insert_function(c.builder.module, signature, f"unbox {kind}")
    if function.is_declaration:
        function.linkage = "internal"
        function.attributes.add("noinline")
        builder = ir.IRBuilder(function.append_basic_block())
        item, field = function.args
        native = c.context.get_python_api(builder).to_native_value(kind, item)
        builder.store(native.value, field)
        builder.ret(native.is_error)
    return function


def _release(c: Any, kind: Any, field: Any) -> None:
    c.context.nrt.decref(c.builder, kind, c.builder.load(field))


def _list_fields(kind: Reference, value: Any, place: Any, c: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield type, object and place of each field, and of those within."""
    for at, own in enumerate(kind.kinds):
        item = c.pyapi.tuple_getitem(value, at)
        field = cgutils.gep_inbounds(c.builder, place, 0, at)
        if isinstance(own, Reference):
            yield from _list_fields(own, item, field, c)
        else:
            yield own, item, field
