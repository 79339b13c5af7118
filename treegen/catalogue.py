"""What treegen knows: games, their families and sizes; the named strategies; JSON schemas."""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, partial
from importlib.resources import files
from typing import Any, Literal, NamedTuple, Unpack, cast

from ._options import check_keywords, check_lists, describe_parameters, refuse_unknown
from ._printing import Block, Paragraph, Tabular
from .errors import GameError, UsageError, warn
from .formats.inputs import GAME_OPTIONS, File, GameOptions, GameSource, Numbers, open_game
from .games.base import Game
from .games.codebook import list_words, make_word_game
from .games.feedback import COMPARISONS, RULES, FeedbackName
from .games.names import list_aliases, list_families
from .games.pegs import list_openings, make_peg_game
from .games.rules import GoalName, write_count
from .games.word_files import read_codebook
from .online.named import list_online
from .strategies.named import SEARCHES, list_plugin_strategies, refuse_name, resolve_alias
from .strategies.named import list_strategies as list_rules

FAMILIES = {
    "pPcCr": "P pegs, C colors that may repeat: Mastermind",
    "pPcCn": "P pegs, C colors, none twice: Bulls and Cows",
    "pPcCrb, pPcCnb": "the same, answered with black pegs alone",
    "aNNN": "arrangements of known colors; a211: one color twice, two once",
    "rangeN": "a number from 1 to N, answered with lower or higher: range100",
    "coinsN": "one of N coins is false, heavier or lighter; a balance: coins12",
    "pinN": "a PIN of N digits, 1 to 4, by decimalization tables: pin4",
    "poolN": "N people, 1 to 6, tested together; --prevalence 1/10 of them infected: pool5",
    "FILE": "a codebook: one word per line; --feedback " + ", ".join((*RULES, "wordle")),
}
"""The names of games, and what they mean."""


class Optimum(NamedTuple):
    """A proved optimum of a whole game.

    Attributes
    ----------
    objective
        What was minimised, ``total`` or ``worst,total``.
    total, worst
        Of the best tree: the sum of its games' lengths, and the longest.
    proof
        Where a certificate of it is shipped; ``"certify"``: that makes one; ``"none"``: there are
        none of such a game.
    """

    objective: str
    total: int
    worst: int
    proof: str


@cache
def _read_optima() -> dict[str, list[Optimum]]:
    """Return the proved optima by the digest names of their games."""
    found: dict[str, list[Optimum]] = {}
    text = (files(__package__) / "optima.csv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines()):
        optimum = Optimum(row["objective"], int(row["total"]), int(row["worst"]), row["proof"])
        found.setdefault(row["game"], []).append(optimum)
    return found


def find_optima(game: Game) -> list[Optimum]:
    """Return the proved optima of a game that are known, by total and by worst case.

    >>> import treegen
    >>> [(known.objective, known.total) for known in find_optima(treegen.open_game("p4c6r"))]
    [('total', 5625), ('worst,total', 5626)]
    """
    return _read_optima().get(game.rules.digest_name, [])


MAX_OPENINGS = 30
MOST_CODES = 10**7
"""Openings of games with more codes are not searched."""

MOST_ANSWERS = 1000
"""At most this many answers of a game are listed."""


@partial(describe_parameters, declared={"goal": GAME_OPTIONS["goal"]})
def Mastermind(  # noqa: N802 (reads as the type of its value, which is a Game)
    n_pegs: int = 4,
    n_colors: int = 6,
    *,
    repetition: bool = True,
    feedback: Literal["pegs", "black"] = "pegs",
    goal: GoalName = "win",
) -> Game:
    """Return Mastermind: `n_pegs` pegs, each of one of `n_colors` colors.

    Parameters
    ----------
    n_pegs, n_colors
        Size, 1 to 1,000 each. A tree is feasible for far smaller games only.
    repetition
        Whether a color may be on several pegs.
    feedback
        ``"pegs"``, or ``"black"`` for black pegs alone.
    {options}

    Raises
    ------
    GameError
        A size out of range, or too few colors for a code without repetition.

    Examples
    --------
    >>> import treegen
    >>> treegen.Mastermind(4, 6) == treegen.open_game("p4c6r")
    True
    """
    game = make_peg_game(n_pegs, n_colors, repetition=repetition, rule=feedback)
    return game.with_goal(goal)


@refuse_unknown
def BullsAndCows(  # noqa: N802
    n_digits: int = 4,
    n_symbols: int = 10,
    *,
    feedback: Literal["pegs", "black"] = "pegs",
    goal: GoalName = "win",
) -> Game:
    """Return Bulls and Cows: `n_digits` different digits of `n_symbols`.

    Parameters
    ----------
    n_digits
        Length of a number.
    n_symbols
        How many different digits (or symbols) there are.
    feedback
        ``"pegs"`` for bulls and cows, ``"black"`` for bulls alone.
    goal
        See `Mastermind`.

    Raises
    ------
    GameError
        A size out of range, or fewer symbols than digits.

    Examples
    --------
    >>> import treegen
    >>> game = treegen.BullsAndCows(4)
    >>> game.name, game.n_secrets
    ('p4c10n', 5040)
    """
    return Mastermind(n_digits, n_symbols, repetition=False, feedback=feedback, goal=goal)


@refuse_unknown
def Codebook(  # noqa: N802
    words: File | Iterable[str | Sequence[str]],
    guesses: File | Iterable[str | Sequence[str]] = (),
    *,
    feedback: FeedbackName = "pegs",
    letters: str | Sequence[str] = (),
    goal: GoalName = "win",
    weights: Numbers | None = None,
    default_weight: int | str | Decimal | Fraction | None = None,
    costs: Numbers | None = None,
) -> Game:
    """Return a word game: the secrets are a list of words of equal length.

    Parameters
    ----------
    words
        The words that may be secret, in their order: any iterable of texts, the path of their
        file, or the open file. A set is sorted. Of a mapping the keys are the words, and its values
        are the weights. A word may be the list of its letters, too: ``["lj", "a"]``.
    guesses, feedback, letters, goal, weights, default_weight, costs
        See `open_game`.

    Raises
    ------
    GameError
        No words, words of several lengths, a word twice, a number that is wrong.
    FormatError
        A file cannot be read.

    Examples
    --------
    >>> import treegen
    >>> game = treegen.Codebook(["crane", "crate", "trace"], ["slate"], feedback="position")
    >>> game.n_secrets, game.n_codes, game.rule
    (3, 4, 'position')
    """
    if isinstance(words, Mapping) and weights is None:
        weights = words
    secrets, label = _read_words(words, letters)
    others, _ = _read_words(guesses, letters)
    game = make_word_game(secrets, others, rule=feedback, label=label, letters=letters)
    return open_game(
        game.with_goal(goal), weights=weights, default_weight=default_weight, costs=costs
    )


def _read_words(
    words: File | Iterable[str | Sequence[str]], letters: str | Sequence[str]
) -> tuple[Sequence[str | Sequence[str]], str]:
    """Return words, and the name of their file, ``""`` if they have none."""
    if not isinstance(words, (str, os.PathLike)) and not hasattr(words, "read"):
        spelled: dict[str, tuple[str, ...]] = {}
        found = list_words(words, spelled)
        return [spelled.get(word, word) for word in found], ""
    # A path names a folder or an ending, unless there is such a file.
    if isinstance(words, str) and not os.path.exists(words) and not re.search(r"[./\\]", words):  # noqa: PTH110
        raise GameError(f"{words!r:.80} is no file; give words as a list of texts: ['crane']")
    game = read_codebook(cast(File, words), letters=letters, notice=warn)
    return game.rules.words if game.notation.is_plain else game.rules.letters, game.rules.label


@dataclass(frozen=True, slots=True)
class GameList(Tabular):
    """The families of games and the names that people use for some of them.

    Attributes
    ----------
    families
        What each form of name means.
    aliases
        Common names, and what they stand for.

    Examples
    --------
    >>> import treegen
    >>> treegen.list_games().aliases["mastermind"]
    'p4c6r'
    """

    families: Mapping[str, str]
    aliases: Mapping[str, str]

    columns = ("name", "meaning")

    def to_dict(self) -> dict[str, Any]:
        """Return the list for JSON."""
        return {"families": dict(self.families), "aliases": dict(self.aliases)}

    def list_rows(self) -> list[dict[str, Any]]:
        """Return a record for each form of name."""
        known = {**self.families, **self.aliases}.items()
        return [{"name": name, "meaning": text} for name, text in known]

    def describe(self) -> Iterator[Block]:
        """Yield the paragraphs of the list."""
        for name, meaning in {**self.families, **self.aliases}.items():
            yield Paragraph(meaning, f"{name:16} ")


@dataclass(frozen=True, slots=True)
class GameDescription(Tabular):
    """The size of a game, its answers and its first guesses.

    Attributes
    ----------
    game
        Its name.
    pegs, colors
        Length of a code; number of values on a peg.
    feedback
        How a guess is answered.
    secrets, guesses, responses
        How many there are.
    symbols
        How each color is written.
    response_order
        The answers in the order of their numbers, at most 1,000.
    openings
        First guesses that differ essentially; None where no symmetry is known.
    optima
        The proved optima that are known: `Optimum` for the total, and for the worst case first.

    Examples
    --------
    >>> import treegen
    >>> game = treegen.describe_game("p4c6r")
    >>> game.secrets, game.responses, game.openings
    (1296, 14, ('1111', '1112', '1122', '1123', '1234'))
    """

    game: str
    pegs: int
    colors: int
    feedback: str
    secrets: int
    guesses: int
    responses: int
    symbols: tuple[str, ...]
    response_order: tuple[str, ...]
    openings: tuple[str, ...] | None
    optima: tuple[Optimum, ...] = ()

    columns = (
        *("game", "pegs", "colors", "feedback", "secrets", "guesses", "responses", "openings"),
        *("least_total", "least_worst"),
    )

    def to_dict(self) -> dict[str, Any]:
        """Return the description for JSON."""
        values = {
            name: list(of) if isinstance(of, tuple) else of for name, of in asdict(self).items()
        }
        return {**values, "optima": [known._asdict() for known in self.optima]}

    def list_rows(self) -> list[dict[str, Any]]:
        """Return the game's row: of openings and optima the numbers, None if they are not known."""
        found = {
            **self.to_dict(),
            "openings": None if self.openings is None else len(self.openings),
        }
        for known in self.optima:
            figure = "total" if known.objective == "total" else "worst"
            found[f"least_{figure}"] = getattr(known, figure)
        return [{name: found.get(name) for name in self.columns}]

    def describe(self) -> Iterator[Block]:
        """Yield the paragraphs of the description."""
        replies = _shorten(self.response_order, 30)
        openings = "all guesses: no symmetry is used"
        if self.openings is not None:
            listed = _shorten(self.openings, MAX_OPENINGS)
            openings = f"{len(self.openings)} up to symmetry: {listed}"
        elif self.guesses > MOST_CODES:
            openings = "not listed: too many codes"
        rows = {
            "game": self.game,
            "pegs, colors": f"{self.pegs}, {self.colors}",
            "symbols": _shorten(self.symbols, 40),
            "secrets": write_count(self.secrets),
            "guesses": write_count(self.guesses),
            "responses": f"{self.responses:,} ({self.feedback}): {replies}",
            "openings": openings,
        }
        if self.feedback in ("answers", *COMPARISONS):  # of a table, whose codes have no pegs
            del rows["pegs, colors"]
        for known in self.optima:
            place = "treegen certify" if known.proof == "certify" else known.proof
            shipped = f" (certificate: {place})" if place != "none" else ""
            total, worst = f"{known.total:,}", f"{known.worst} guesses"
            if known.objective == "total":
                rows["least total"] = f"{total}, with at most {worst}: proved{shipped}"
            else:
                rows["least worst"] = f"{worst}, {total} in all: proved{shipped}"
        for name, value in rows.items():
            yield Paragraph(value, f"{name:13} ")


def list_games() -> GameList:
    """Return the families of games, and the names that people use for some.

    Examples
    --------
    >>> import treegen
    >>> treegen.list_games().aliases["bulls-and-cows"]
    'p4c10n'
    """
    return GameList({**FAMILIES, **list_families()}, list_aliases())


def describe_game(game: GameSource, **rules: Unpack[GameOptions]) -> GameDescription:
    """Return size, answers and first guesses of a game.

    Parameters
    ----------
    game, **rules
        See `build`.

    Raises
    ------
    GameError, FormatError
        The name is unknown, or the file cannot be read.

    Examples
    --------
    >>> import treegen
    >>> about = treegen.describe_game("p4c6r")
    >>> about.secrets, about.openings
    (1296, ('1111', '1112', '1122', '1123', '1234'))
    """
    check_keywords(describe_game, rules, GameOptions)
    value = open_game(game, **rules)
    openings = list_openings(value) if value.n_codes <= MOST_CODES else None
    n_shown = min(value.n_responses, MOST_ANSWERS)
    return GameDescription(
        value.name,
        value.n_pegs,
        value.n_colors,
        value.rule,
        value.n_secrets,
        value.n_codes,
        value.n_responses,
        tuple(value.notation.own_symbols),
        tuple(map(value.format_response, range(n_shown))),
        None if openings is None else tuple(map(value.format_code, openings)),
        tuple(find_optima(value)),
    )


def _shorten(words: Sequence[str], limit: int) -> str:
    if len(words) <= limit:
        return " ".join(words)
    return f"{' '.join(words[: limit - 1])} … {words[-1]}"


@dataclass(frozen=True, slots=True)
class StrategyDescription(Tabular):
    """A named strategy.

    Attributes
    ----------
    name
        As it is given to `treegen.build`.
    rule
        The exact rule, to the last tie.
    games
        The only game that it plays, or ``"any"``.
    tree
        Whether it makes a tree; the others decide during play.
    summary, source
        The idea in a sentence, and where it was published.

    Examples
    --------
    >>> import treegen
    >>> (knuth,) = treegen.list_strategies("knuth")
    >>> knuth.rule
    'eligible=all; chain=max,consistent,lowest; order=lex'
    """

    name: str
    rule: str
    games: str
    tree: bool
    summary: str
    source: str

    columns = ("name", "rule", "games", "tree", "summary", "source")

    def to_dict(self) -> dict[str, Any]:
        """Return the description for JSON."""
        return asdict(self)

    def describe(self) -> Iterator[Block]:
        """Yield name, idea, rule and source."""
        note = "" if self.games == "any" else f"  ({self.games} only)"
        note = note if self.tree else "  (no tree: for codes of any length)"
        yield Paragraph(f"{self.name}{note}")
        for text in (self.summary, self.rule, self.source):
            yield Paragraph(text, "    ")


def list_strategies(*names: str) -> list[StrategyDescription]:
    """Return the named strategies, or those of some names.

    Parameters
    ----------
    *names
        Names or other names of strategies; all by default.

    Raises
    ------
    StrategyError
        A name is unknown.

    Examples
    --------
    >>> import treegen
    >>> [strategy.rule for strategy in treegen.list_strategies("minimax")]
    ['eligible=all; chain=max,consistent,lowest; order=lex']
    """
    known = {row.name: row for row in _list_all()}
    check_lists(names=names)
    wanted = [resolve_alias(name) for name in names]
    for name in wanted:
        if name not in known:
            refuse_name(name)
    return [known[name] for name in wanted] if names else list(known.values())


def _list_all() -> Iterator[StrategyDescription]:
    for named in [*list_rules(), *list_plugin_strategies()]:
        rule, games = named.strategy.rule, named.only or "any"
        yield StrategyDescription(named.name, rule, games, True, named.summary, named.source)
    for makes_tree, others in ((True, SEARCHES.values()), (False, list_online())):
        for one in others:
            yield StrategyDescription(
                one.name, one.rule, "any", makes_tree, one.summary, one.source
            )


VERSION = 1
"""A schema of one version only gains optional fields."""


def list_schemas(version: int = VERSION) -> dict[str, str]:
    """Return the names of the JSON schemas, and which output each is of.

    Parameters
    ----------
    version
        Of the schemas; 1 is the only one.

    Raises
    ------
    UsageError
        There is no such version.

    Examples
    --------
    >>> import treegen
    >>> treegen.list_schemas()["sample"]
    'treegen simulate --json'
    """
    folder = files(__package__) / "schemas" / f"v{version}"
    if not folder.is_dir():
        raise UsageError(f"there are no schemas of version {version!r:.80}: there is {VERSION}")
    names = sorted(path.name.removesuffix(".json") for path in folder.iterdir())
    return {name: _load(name, version)["title"] for name in names}


def read_schema(name: str, version: int = VERSION) -> dict[str, Any]:
    """Return a JSON schema (draft 2020-12).

    Parameters
    ----------
    name
        One of `list_schemas`.
    version
        Of the schemas.

    Raises
    ------
    UsageError
        There is no such schema.

    Examples
    --------
    >>> import treegen
    >>> treegen.read_schema("tree")["$id"]
    'urn:treegen:schema:tree:1'
    """
    known = list_schemas(version)
    if name not in known:
        raise UsageError(f"there is no schema {name!r:.80}: there are {', '.join(known)}")
    return _load(name, version)


def _load(name: str, version: int) -> dict[str, Any]:
    folder = files(__package__) / "schemas" / f"v{version}"
    schema: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return schema
