"""The one place that sets numba's options: cached, without the GIL, never fastmath.

Two decorators compile for the processor (those of a graphics card are numba's own `cuda.jit`):

- `njit`: a kernel that Python calls. Its machine code is kept in a file.
- `njit_part`: a kernel that other kernels call, and Python cannot. Their machine code holds it: it
  is neither kept in a file nor callable from Python, which would take longer to compile than the
  kernel itself.

Three arguments change what they make; each is left out unless it is needed or measured:

- ``allocates=True``: the kernel makes arrays, or calls a kernel that returns some. All others are
  compiled without reference counts, an atomic operation for each array that is passed or sliced:
  with them a tree of p5c8r takes 1.8 times as long. numba refuses to compile a kernel that
  allocates and does not say so.
- ``inline=True``, of parts: put into the callers, whatever LLVM thinks of it, so that passing
  arrays costs nothing: word lists are rated in 0.8 of the time.
- ``is_leaf=True``, of kernels: a small one that takes most of the time. It is compiled even where
  its callers are interpreted (see `interpreter`); it takes and returns arrays and numbers alone.
"""

# numba has types for few of its functions.
# mypy: disallow-untyped-calls=False, disallow-untyped-decorators=False

from __future__ import annotations

import gc
import hashlib
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar, cast, overload

from ..errors import UsageError, warn
from .cache import PACKAGE, digest_kernels, open_folder
from .interpreter import Kernel, check_cache
from .memory import claim_address_space, share_address_space

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T", bound=type[tuple[Any, ...]])

IMPORT_BYTES = 224 * 2**20
"""Address space that numba takes when it is imported, and for its first kernel."""

COMPILE_BYTES = 48 * 2**20
"""Address space that compiling a kernel may take. LLVM aborts if an allocation fails."""

LOAD_BYTES = 40 * 2**20
"""The same for a kernel loaded from the cache."""


def _check_environment() -> None:
    """Refuse settings with which numba or LLVM would fail without a helpful message."""
    threads = os.environ.get("NUMBA_NUM_THREADS")
    if threads is not None and not (threads.isdecimal() and int(threads) > 0):
        raise UsageError(f"NUMBA_NUM_THREADS is {threads!r}: it must be a number from 1 on")
    share_address_space()
    claim_address_space(IMPORT_BYTES)


_check_environment()

import llvmlite  # type: ignore[import-untyped]  # noqa: E402
import numba  # noqa: E402
import numpy as np  # noqa: E402
from llvmlite import ir  # noqa: E402
from numba import types  # noqa: E402
from numba.core import cgutils  # noqa: E402
from numba.core.caching import (  # noqa: E402
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    NullCache,
)
from numba.core.codegen import JITCodeLibrary  # noqa: E402
from numba.core.compiler import Compiler  # noqa: E402
from numba.core.imputils import impl_ret_borrowed  # noqa: E402
from numba.core.typing.templates import AttributeTemplate  # noqa: E402
from numba.extending import (  # noqa: E402
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)


def _list_wishes(names: dict[str, bool]) -> dict[str, Any]:
    """Return the undocumented options that this numba has, of some wished for."""
    from numba.core import options

    known = getattr(options, "DefaultOptions", None)
    return {name: wish for name, wish in names.items() if hasattr(known, name)}


_ENTRY: dict[str, Any] = {"nogil": True}
_ENTRY |= _list_wishes({"no_cfunc_wrapper": True})

_PART: dict[str, Any] = {"nogil": True}
_PART |= _list_wishes({"no_cfunc_wrapper": True, "no_cpython_wrapper": True})


def _count_references(allocates: bool) -> dict[str, Any]:
    return {} if allocates else _list_wishes({"_nrt": False})


class _KernelCompiler(Compiler):  # type: ignore[misc, unused-ignore]
    """Compiles a kernel, and all that it holds, while Python seldom looks for garbage.

    Each look is at all that numba has ever typed, which took a seventh of the time.
    """

    def compile_extra(self, func: Any) -> Any:
        before = gc.get_threshold()
        gc.set_threshold(before[0] and max(before[0], _SELDOM), *before[1:])
        _at_work.append(func)
        try:
            return super().compile_extra(func)
        finally:
            _at_work.pop()
            gc.set_threshold(*before)


def is_compiling() -> bool:
    """Return whether a kernel is being compiled now, in any thread."""
    return bool(_at_work)


_at_work: list[Any] = []
"""The functions that are being compiled; numba does so in one thread at a time."""

_SELDOM = 20_000
"""New objects between two looks for garbage; Python's own number is 700 or 2,000."""

_ENTRY["pipeline_class"] = _KernelCompiler


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc, unused-ignore]
    """The code of a part as numba lowers it: the kernels that hold it optimize it with their own.

    To optimize each part alone, and make machine code of it, took a fifth of the time.
    """

    @property
    def codegen(self) -> Any:
        return self

    def set_env(self, name: str, env: object) -> None:
        """Do nothing: what numba would write into the machine code only Python's calls read."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _PartCompiler(Compiler):  # type: ignore[misc, unused-ignore]
    """Compiles a part into a library of its kind."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        library = _PartLibrary(target.codegen(), "part")
        super().__init__(typing, target, library, *rest)


# Another numba may finish its libraries otherwise: then parts are compiled as kernels are.
if all(
    hasattr(JITCodeLibrary, name)
    for name in ("codegen", "_optimize_final_module", "_finalize_final_module")
):
    _PART["pipeline_class"] = _PartCompiler


@lru_cache(maxsize=1)
def _find_folder() -> Path | None:
    """Return the folder in which this process keeps compiled kernels; None if there is none."""
    digest = digest_kernels([numba.__version__, llvmlite.__version__])
    if digest is None:
        return None
    folder, warning = open_folder(digest, getattr(numba.config, "CACHE_DIR", ""))
    # Processes started by this one need not repeat the warning.
    if warning and multiprocessing.parent_process() is None:
        warn(warning)
    return folder


class _Locator:
    """Says where a kernel is cached, and whether the cached code is that of its source."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self.function, self.folder = function, folder

    def get_cache_path(self) -> str:
        return str(self.folder)

    def ensure_cache_path(self) -> None:
        """Do nothing: the folder was made, or is gone for good."""

    def get_source_stamp(self) -> str:
        """Return the stamp of a kernel from elsewhere: the folder's name does not cover it."""
        path = Path(self.function.__code__.co_filename)
        return "" if path.is_relative_to(PACKAGE) else _hash_file(path)

    def get_disambiguator(self) -> str:
        code = self.function.__code__
        return f"{self.function.__module__}-{code.co_firstlineno}"


@lru_cache
def _hash_file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class _Implementation(CompileResultCacheImpl):  # type: ignore[misc, unused-ignore]
    """Keeps kernels where `_Locator` says, whatever numba would choose."""

    def __init__(self, function: Callable[..., Any]) -> None:
        folder = _find_folder()
        assert folder is not None
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(function, folder)
        names = function.__qualname__, getattr(sys, "abiflags", "")
        self._filename_base = self.get_filename_base(*names)


class _SealedFile(IndexDataCacheFile):  # type: ignore[misc, unused-ignore]
    """Ends each file with its sha256: machine code with a wrong bit would end the process.

    A file that differs from it is taken for one that is missing.
    """

    @contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[BytesIO]:
        content = BytesIO()
        yield content
        with super()._open_for_write(filepath) as stream:
            stream.write(content.getvalue() + hashlib.sha256(content.getvalue()).digest())

    def _load_index(self) -> Any:
        is_whole = _is_sealed(self._index_path)
        return super()._load_index() if is_whole else {}

    def _load_data(self, name: str) -> Any:
        if not _is_sealed(self._data_path(name)):
            raise FileNotFoundError(name)
        return super()._load_data(name)


def _is_sealed(path: str) -> bool:
    """Return whether a file is there and ends with its sha256."""
    try:
        data = memoryview(Path(path).read_bytes())
    except FileNotFoundError:
        return False
    return hashlib.sha256(data[:-32]).digest() == data[-32:]


class _KernelCache(FunctionCache):  # type: ignore[misc, unused-ignore]
    """Keeps compiled kernels as numba does, but never fails because of damaged files."""

    _impl_class = _Implementation

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _SealedFile(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, signature: Any, context: Any) -> Any:
        claim_address_space(LOAD_BYTES)
        try:
            found = super().load_overload(signature, context)
        except MemoryError:
            raise
        except Exception:  # a damaged file may fail in any way
            found = None
            with suppress(OSError):
                self.flush()
        if found is None:
            check_cache(self._py_func)
            claim_address_space(COMPILE_BYTES)
        return found

    def save_overload(self, signature: Any, result: Any) -> None:
        # A full disk, or Ctrl-C while LLVM hands over the code: the next process compiles again.
        with suppress(OSError, RuntimeError):
            super().save_overload(signature, result)


class _NoCache(NullCache):  # type: ignore[misc, unused-ignore]
    """Keeps nothing."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function

    def load_overload(self, signature: Any, context: Any) -> Any:
        check_cache(self.function)
        claim_address_space(COMPILE_BYTES)


@lru_cache
def has_feature(name: str) -> bool:
    """Whether kernels are compiled for machines with a feature, by LLVM's name of it."""
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined, unused-ignore]
        return False
    from numba.core.registry import cpu_target

    _, _, features = cpu_target.target_context.codegen().magic_tuple()
    return f"+{name}" in features.split(",")


def choose_kernel(feature: str, special: F, plain: F) -> F:
    """Return the kernel that makes use of a feature of the machine; the plain one without it.

    Both do the same. Interpreted kernels call the plain one.
    """
    if not has_feature(feature):
        return plain
    cast(Any, special).plain = plain
    return special


@overload
def njit(function: F) -> F: ...
@overload
def njit(*, allocates: bool = ..., is_leaf: bool = ...) -> Callable[[F], F]: ...
def njit(function: Any = None, *, allocates: bool = False, is_leaf: bool = False) -> Any:
    """Compile a kernel that Python calls: kept in files, without the GIL, with exact arithmetic.

    `allocates` and `is_leaf` are explained at the top of this module.
    """

    def compile_one(function: F) -> F:
        dispatcher = numba.njit(**_ENTRY, **_count_references(allocates))(function)
        if dispatcher is function:  # with NUMBA_DISABLE_JIT=1; integers of 64 bits wrap around
            return np.errstate(over="ignore")(function)
        kind = _NoCache if _find_folder() is None else _KernelCache
        dispatcher._cache = kind(function)
        return cast(F, Kernel(function, dispatcher, is_leaf=is_leaf))

    return compile_one if function is None else compile_one(function)


@overload
def njit_part(function: F) -> F: ...
@overload
def njit_part(*, allocates: bool = ..., inline: bool = ...) -> Callable[[F], F]: ...
def njit_part(function: Any = None, *, allocates: bool = False, inline: bool = False) -> Any:
    """Compile a kernel that only other kernels call; Python cannot.

    `allocates` and `inline` are explained at the top of this module.
    """
    options = _PART | _count_references(allocates) | ({"forceinline": True} if inline else {})

    def compile_one(function: F) -> F:
        return cast(F, numba.njit(**options)(function))

    return compile_one if function is None else compile_one(function)


# Named tuples that kernels pass to each other by reference.
#
# numba passes a tuple as all that it holds, which is eight numbers or so for each array: hundreds
# for a search. To compile such calls takes longer than to compile what the kernels do. Here the
# kernel that Python calls writes the fields down, once, and the others get their address.


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
    """Return the layout of a field; the target of another reference is kept within its owner."""
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
