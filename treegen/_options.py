"""Options: what they mean, which values they take, and how others are refused.

The annotation of a key of `BuildOptions` has an `Option`: its help, its default, its range, the
strategies that take it. The options of ``treegen build``, signature and docstring of `build`, the
checks and the refusals follow from that. A format's options are the parameters of the function that
writes it whose annotation has an `Option`, those of an unpacked `TypedDict` too: their help in
Python and in a shell follows from the signature. Those of other functions are in a mapping of names
to options, which `describe_parameters` puts into the docstring and the command into its help: a
command that only shows its help need not load the function, and a compiler with it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from numbers import Integral, Real
from textwrap import TextWrapper
from typing import (
    Any,
    ForwardRef,
    NamedTuple,
    TypeVar,
    Unpack,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from .errors import UsageError, write_options

F = TypeVar("F", bound=Callable[..., Any])

MAX_SEED = 2**64 - 1


class Range(NamedTuple):
    """Which numbers an option takes: a test of them, and the same in words."""

    holds: Callable[[Any], bool]
    allowed: str


def is_whole(number: object, least: int = 1, most: float = float("inf")) -> bool:
    """Whether something is a whole number in a range; True and False are none."""
    is_number = isinstance(number, Integral) and not isinstance(number, bool)
    return is_number and least <= number <= most  # type: ignore[operator]


def _is_real(number: object) -> bool:
    return isinstance(number, Real) and not isinstance(number, bool)


def make_whole(least: int = 1, most: int | None = None) -> Range:
    """Return the range of whole numbers from one to another, without end if that is None."""
    end = f"at least {least}" if most is None else f"{least} to {most:,}"
    return Range(
        lambda number: is_whole(number, least, float("inf") if most is None else most),
        f"a whole number, {end}",
    )


def make_between(least: float, most: float) -> Range:
    """Return the range of numbers between two, with both."""
    return Range(
        lambda number: _is_real(number) and least <= number <= most,
        f"a number from {least:g} to {most:g}",
    )


COUNT = make_whole()
TRUTH = Range(lambda value: not isinstance(value, str), "True or False")
SEED = Range(lambda number: is_whole(number, 0, MAX_SEED), "a whole number, 0 to 2 ** 64 - 1")
POSITIVE = Range(lambda number: _is_real(number) and number > 0, "positive")
PERCENT = make_between(0, 100)
LARGEST_BEAM = 1_000_000
"""Wider beams are refused; no game has more guesses worth a try."""

BEAM = make_whole(1, LARGEST_BEAM)


def check_range(range: Range, /, **numbers: object) -> None:
    """Raise UsageError for a keyword that is neither None nor in a range."""
    for name, number in numbers.items():
        if number is not None and not range.holds(number):
            raise UsageError(f"`{name}={number!r:.80}` is out of range: it must be {range.allowed}")


def check_whole(least: int = 1, /, **numbers: object) -> None:
    """Raise UsageError for a keyword that is neither None nor a whole number from `least` on."""
    check_range(make_whole(least), **numbers)


def check_texts(**texts: object) -> None:
    """Raise TypeError for a keyword that is neither None nor a text."""
    for name, text in texts.items():
        if text is not None and not isinstance(text, str):
            number = isinstance(text, Real) and not isinstance(text, bool)
            meant = f": write {str(text)!r:.80}" if number else ""
            raise TypeError(f"{name}= is a text, not {text!r:.80}{meant}")


def show_value(value: object) -> str:
    """Return a wrong value for a message, in one line: an array has several.

    >>> show_value([1, 2])
    '[1, 2]'
    """
    return " ".join(f"{value!r:.80}".split())


def check_given(**texts: object) -> None:
    """Raise UsageError for a keyword that is an empty text, which would be as if left out."""
    for name, text in texts.items():
        if isinstance(text, str) and not text:
            raise UsageError(f"`{name}` is an empty text: leave it out, or give something")


def check_lists(**lists: object) -> None:
    """Raise TypeError for a keyword that is neither None, nor a text, nor a list of texts."""
    for name, listed in lists.items():
        if isinstance(listed, str) or listed is None:
            continue
        if not isinstance(listed, Iterable):
            raise TypeError(f"{name}= is a text or a list of texts, not {listed!r:.80}")
        for text in listed:
            check_texts(**{name: text})


def check_seed(seed: object) -> None:
    """Raise UsageError unless a seed is None or 0 to `MAX_SEED`."""
    check_range(SEED, seed=seed)


RULE = "rule"
"""Who owns an option for strategies that follow a rule; others are owned by searches, by name."""


class Option(NamedTuple):
    """An option: its keyword in Python, ``--keyword`` in a shell."""

    help: str  # with options between backticks, as in a `UsageError`
    kind: type | Iterable[str] | Callable[[], Iterable[str]] = str  # or the texts that are allowed
    default: Any = None
    metavar: str | None = None  # a value in the help; FILE and DIR are paths
    flag: str = ""  # how a shell writes it, if not by its keyword alone
    more: str = ""  # what Python's help adds
    python: str = ""  # or what it says instead
    range: Range | None = None  # None: its function checks it
    owners: Sequence[str] = ()  # the strategies that take it; empty: all
    group: str = "Options"  # heading in a shell's help; empty: Python only
    name: str = ""  # known from the field or the parameter that it describes
    switch: tuple[str, str] = ("", "")  # a flag of the shell, and the value that it stands for

    def check(self, value: object) -> None:
        """Raise UsageError for a value that is not None and out of the range."""
        if self.range is not None:
            check_range(self.range, **{self.name: value})

    def refuse_beside(self, strategy: str, *, is_search: bool) -> None:
        """Raise UsageError if a strategy does not take the option."""
        if not self.owners or (strategy if is_search else RULE) in self.owners:
            return
        if self.owners == (RULE,):
            text = f"`{self.name}` works only with strategies that follow a rule, not with a search"
        else:
            owners = " and ".join(self.owners)
            text = f"`{self.name}` works only with `strategy={owners}`, not with {strategy}"
        raise UsageError(text)

    def write_help(self, *, in_shell: bool) -> str:
        """Return the help for Python or a shell, after the option's owner if that is one search."""
        if self.python and not in_shell:
            return self.python
        is_of_one = len(self.owners) == 1 and self.owners != (RULE,)
        text = (
            f"{self.owners[0]}: {self.help[0].lower()}{self.help[1:]}" if is_of_one else self.help
        )
        if "`" in text:  # which names options
            text = write_options(text, in_shell=in_shell)
        return text if in_shell else f"{text} {self.more}".strip()


SYMBOLS = Option("How colors are written: abcdef, or red,green,blue.")


def list_parameters(described: type | Callable[..., object]) -> list[Option]:
    """Return the options among a function's parameters, or the keys of a TypedDict.

    They are those whose annotation has an `Option`. One without a kind that is a number by its type
    has that kind.
    """
    defaults = {}
    if not isinstance(described, type):
        defaults = {n: each.default for n, each in inspect.signature(described).parameters.items()}
    found = []
    for name, hint in _list_hints(described).items():
        for made in getattr(hint, "__metadata__", ()):
            numbers = {bool, int, float} & {hint.__origin__, *get_args(hint.__origin__)}
            kind = next(iter(numbers)) if numbers and made.kind is str else made.kind
            default = defaults.get(name, made.default)
            found.append(made._replace(name=name, kind=kind, default=default))
    return found


def _list_hints(described: type | Callable[..., object]) -> dict[str, Any]:
    """Return annotations by name; in the place of an unpacked TypedDict, those of its keys."""
    hints: dict[str, Any] = described.__annotations__
    is_read = any(hasattr(hint, "__metadata__") for hint in hints.values())
    if not (isinstance(described, type) and is_read):  # texts, of a module that delays annotations
        hints = get_type_hints(described, include_extras=True)
    found: dict[str, Any] = {}
    for name, hint in hints.items():
        is_packed = get_origin(hint) is Unpack
        found |= _list_hints(get_args(hint)[0]) if is_packed else {name: hint}
    return found


def declare(**options: Option) -> dict[str, Option]:
    """Return options by name, each with its name."""
    return {name: option._replace(name=name) for name, option in options.items()}


def describe_parameters(function: F, declared: Mapping[str, Option] = {}, **rest: type) -> F:
    """Decorate a function: its docstring describes its options, its signature has plain types.

    They are those of `declared`, and those that annotations have. The keys of an unpacked TypedDict
    that have an `Option` are parameters of the signature. The others are of the TypedDict in
    `rest`, which has the name of a mapping of keywords.
    """
    signature = inspect.signature(function)
    is_open = any(each.kind is each.VAR_KEYWORD for each in signature.parameters.values())
    if declared and not rest:
        _describe(function, declared.values())
        return function if is_open else refuse_unknown(function)
    hints = _list_hints(function)
    options = {each.name: each for each in list_parameters(function)}
    own = []
    for each in signature.parameters.values():
        if each.name in options:
            own.append(each.replace(annotation=_write(hints[each.name].__origin__)))
        elif each.kind is not each.VAR_KEYWORD or each.name in hints:
            own.append(each)
        else:
            for name in [name for name in options if name not in signature.parameters]:
                kind = _write(hints[name].__origin__)
                one = each.replace(name=name, kind=each.KEYWORD_ONLY, annotation=kind)
                own.append(one.replace(default=options[name].default))
            for name, others in rest.items():
                own.append(each.replace(name=name, annotation=f"Unpack[{others.__name__}]"))
    function.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]
    _describe(function, [*declared.values(), *options.values()])
    return function if is_open else refuse_unknown(function)


def _describe(function: Callable[..., object], options: Iterable[Option]) -> None:
    """Write the options into a function's docstring, in the place of ``{options}``."""
    if not function.__doc__:  # there is none with python -OO
        return
    indent = " " * 8
    wrapper = TextWrapper(100, indent, indent, break_on_hyphens=False)
    parts = [f"{each.name}\n{wrapper.fill(each.write_help(in_shell=False))}" for each in options]
    function.__doc__ = function.__doc__.replace("{options}", "\n    ".join(parts))


def _write(kind: Any) -> str:
    """Return a type as a signature shows it."""
    if isinstance(kind, ForwardRef):
        return kind.__forward_arg__
    return inspect.formatannotation(kind).replace("collections.abc.", "")


def check_keywords(function: Callable[..., object], given: Iterable[str], keys: type) -> None:
    """Raise TypeError for a keyword that neither a function's signature has nor a TypedDict."""
    own = inspect.signature(function).parameters.values()
    known = [each.name for each in own if each.kind != each.VAR_KEYWORD]
    check_names(function.__name__, given, dict.fromkeys([*known, *keys.__annotations__]))


def refuse_unknown(function: F) -> F:
    """Decorate a function: `check_names` and `check_kinds` refuse keywords."""
    parameters = inspect.signature(function).parameters
    known = [name for name in parameters if name not in ("self", "cls")]

    @wraps(function)
    def call(*args: Any, **given: Any) -> Any:
        check_names(function.__qualname__.removesuffix(".__init__"), given, known)
        check_kinds(parameters, given)
        return function(*args, **given)

    return cast(F, call)


def check_kinds(parameters: Mapping[str, inspect.Parameter], given: Mapping[str, object]) -> None:
    """Raise for a text, such as ``"no"``, as a truth, and for what is no text or no function.

    UsageError for a truth, TypeError for the others: of parameters that are plainly one of these.
    """
    for name, value in given.items():
        kind = str(parameters[name].annotation)
        if isinstance(parameters[name].default, bool):
            check_range(TRUTH, **{name: value})
        elif kind in ("str", "str | None") and name != "secret":  # of which games know more
            check_texts(**{name: value})
        elif kind.startswith(("Notice", "Callable")) and not (value is None or callable(value)):
            raise TypeError(f"{name}= is a function, not {value!r:.80}")


MEANT = {
    **{"threads": "jobs", "workers": "jobs", "n_threads": "jobs", "hard": "eligible"},
    **{"class_": "classes", "method": "strategy", "rule": "strategy", "verbose": "progress"},
    **{"quiet": "progress", "no_header": "header", "timeout": "time_limit"},
}
"""Keywords by what other programs, or a shell, call them."""
ELSEWHERE = {
    ("play", "secret"): "treegen.build(game, strategy).play(secret) plays one",
    ("play", "evil"): "treegen.build(game, strategy).play(evil=True) plays so",
    ("play", "top"): "treegen.advice(game, strategy, history=…, top=…) lists the best guesses",
}
"""What to call for a keyword that only the command of the same name has."""
_MOST_NAMED = 12
"""A function of more keywords does not name them all."""


def check_names(function: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raise TypeError for a keyword that a function lacks; the message has the nearest it has."""
    known = list(known)
    for name in given:
        if name not in known:
            near = [MEANT[name]] if MEANT.get(name) in known else find_near(name, known)
            hint = f"there are {', '.join(known)}"
            if (function, name) in ELSEWHERE:
                hint = ELSEWHERE[function, name]
            elif near:
                hint = f"did you mean {near[0]!r}?"
            elif len(known) > _MOST_NAMED:
                hint = f"help(treegen.{function}) lists all"
            raise TypeError(f"{function}() has no keyword {name!r:.80}: {hint}")


def find_near(text: str, names: Iterable[str], least: float = 0.6) -> list[str]:
    """Return the name that is most like a text, in any case; nothing if they are too unlike.

    `least` is the least share of their letters that both have, in one order.

    >>> find_near("Knuht", ["entropy", "knuth"]), find_near("x", ["knuth"])
    (['knuth'], [])
    """
    import difflib  # slow to load, and rarely needed

    known = {name.casefold(): name for name in names}
    # In the worst case difflib's time grows with the square of the length.
    near = difflib.get_close_matches(text[:80].casefold(), known, 1, least)
    return [known[name] for name in near]
