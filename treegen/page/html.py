"""One page with tables, style and scripts inside, and what lies beside it on a server."""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from html import escape
from importlib.resources import files
from io import BytesIO
from itertools import pairwise
from pathlib import Path, PurePath
from string import Template, ascii_letters
from typing import Annotated, Any, NamedTuple, cast
from urllib.parse import quote, urlsplit

import numpy as np

from .._files import SEAL, Target, refuse_edited, seal, write_bytes
from .._options import describe_parameters
from ..errors import StrategyError, UsageError, warn
from ..formats.format import Format, Option, Writer
from ..formats.inputs import GameSource, open_game
from ..formats.table import LookupRules, make_table
from ..formats.tree_file import TreeSource, load_tree, read
from ..games.base import Game
from ..games.eligible import is_rule_of_play
from ..games.questions import QuestionRules
from ..games.rules import GROUP_MARK, is_weighted
from ..games.text import reads_leftward
from ..pictures.game import write_game
from ..pictures.picture import choose_ink, list_paints, paint_marks
from ..pictures.plot import write_plot
from ..strategies.named import parse_strategy, read_provenance
from ..strategies.strategy import default_rule, parse_rule
from ..tree.tree import NULL, Provenance, Tree
from ..tree.walk import list_shares, path_of, replay
from .notes import HintSource, NoteSource, describe_texts, has_files

# The scripts of the pages: plain ES modules, joined into one text for each script element.
#
# The modules of `assets` and the JavaScript player are plain ES modules, so that node can test
# them. In a page they are concatenated: their ``import`` and ``export`` keywords and their comments
# are removed. The scripts of the page that plays also have a short form, written by ``make
# minify``; it begins with the digest of the text that it was made from and is used as long as that
# is the text. The engine (rules, player, analysis) is a separate script, because the page's worker
# runs the same text.


class Script(NamedTuple):
    """A script of a page."""

    name: str  # of its short form in `assets`, without ending
    modules: tuple[str, ...]  # in the order of their imports

    @classmethod
    def of(cls, name: str, modules: str) -> Script:
        """Return a script of modules of the page, and of those of the player, ``tgt_…``."""
        paths = (
            f"{'player/js' if each.startswith('tgt_') else 'page/assets'}/{each}.mjs"
            for each in modules.split()
        )
        return cls(name, tuple(paths))


ENGINE = Script.of(
    "engine",
    "tgt_text scores engine tgt_player tree exact symmetry values chains levels advisor questions",
)
PAGE = Script.of(
    "page",
    "store ui rule choices lesson answer drag entry share challenge lines classroom secret maker"
    " worker explain report confetti possible steps breaker analyst zoom explorer compare learn"
    " main",
)
KEY = Script.of(
    "key",
    "tgt_player tgt_text tgt_rules tgt_lean tgt_game rating whole asking measured key",
)
"""The page of tables of answers, which asks questions."""

WORD_GAMES = Script.of("words", "keyboard paste words")
"""Keyboards and pasted results, in pages with words."""

QR = Script.of("qr", "qr")
"""Draws the link for a class, in pages on a server that play."""


def write_script(script: Script) -> str:
    """Return the text of a script element: the short form where it is up to date."""
    text = bundle(script.modules)
    if not short_path(script).exists():
        return text
    first, _, short = short_path(script).read_text(encoding="utf-8").partition("\n")
    return short if first == f"// {digest_of(text)}" else text


def bundle(modules: Sequence[str]) -> str:
    """Return modules as one script: no imports, no exports, no comments on lines of their own."""
    return "".join(map(_strip_module, map(read_asset, modules)))


def digest_of(text: str) -> str:
    """Return what a short form is checked by."""
    return sha256(text.encode()).hexdigest()


def short_path(script: Script) -> Path:
    """Return where the short form of a script lies."""
    return Path(str(files(__package__).joinpath(f"assets/{script.name}.min.js")))


def shorten_style(text: str) -> str:
    """Return a style without comments and needless spaces, its variables as single letters."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s*([{};,>!])\s*", r"\1", text).replace(";}", "}")
    text = re.sub(r"(?<=[\w-]): | (?=/ )|(?<=/) ", lambda found: found[0].strip(), text)
    text = text.replace("@media (", "@media(")
    names = sorted(set(re.findall(r"--[a-z][\w-]*", text)))
    letters = dict(zip(names, ascii_letters, strict=False))
    return re.sub(r"--[a-z][\w-]*", lambda found: f"--{letters[found[0]]}", text)


def paint_style(text: str) -> str:
    """Return a style with the colors of the pictures for ``@peg0`` …, rules for ``@palette``."""
    # Pegs are written on in black unless white is easier to read.
    pegs = "".join(
        f".color{color}{{background:{paint}"
        f"{';color:#fff' if choose_ink(paint) == '#ffffff' else ''}}}"
        for color, paint in enumerate(PAINTS)
    )
    marks = "".join(
        f".marks .mark{mark},.tile.mark{mark}{{background:{paint}}}"
        for mark, paint in enumerate(paint_marks("012"))
    )
    text = text.replace("@palette;", pegs + marks)
    return re.sub(r"@peg(\d)", lambda found: PAINTS[int(found[1])], text)


def read_asset(name: str) -> str:
    """Return the text of a file of the package."""
    return read_bytes(name).decode()


def read_bytes(name: str) -> bytes:
    """Return a file of the package."""
    return files(__package__.partition(".")[0]).joinpath(name).read_bytes()


def _strip_module(text: str) -> str:
    text = re.sub(r"^import\s[^;]*;\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^export (?=const|class|function)", "", text, flags=re.MULTILINE)
    lines = (line.strip() for line in text.splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


# A page on a server: what lies beside it so that it installs, plays offline and has a preview.
#
# The page itself stays one file that asks no other server; a manifest names it, a service worker
# keeps it, and a picture of its first tree stands in the previews of links to it.


PAINTS = list_paints(1) or []
"""Of the pegs, by color value."""

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
    '<rect width="64" height="64" rx="14" fill="#26262c"/>'
    f'<circle cx="21" cy="21" r="9" fill="{PAINTS[0]}"/>'
    f'<circle cx="43" cy="21" r="9" fill="{PAINTS[2]}"/>'
    f'<circle cx="21" cy="43" r="9" fill="{PAINTS[3]}"/>'
    f'<circle cx="43" cy="43" r="9" fill="{PAINTS[5]}"/></svg>'
)
ICON_ADDRESS = f"data:image/svg+xml;base64,{b64encode(ICON.encode()).decode()}"

# A phone's first screen wants a picture of points: the icon again, its corners not yet round. It
# lies beside the page: a page from disk is never on such a screen.
TOUCH_ICON = read_bytes("page/assets/icon.png")

HEAD = Template("""\
<link rel="manifest" href="$stem.webmanifest">
<link rel="apple-touch-icon" href="$stem.icon.png">
<meta name="theme-color" content="#26262c">
<meta name="description" content="$text">
<meta property="og:type" content="website">
<meta property="og:url" content="$url">
<meta property="og:title" content="$title">
<meta property="og:description" content="$text">
<meta property="og:image" content="$picture">
<meta property="og:image:alt" content="$alt">
<meta name="twitter:card" content="summary_large_image">
""")

FOOT = Template("""\
<script>
if (location.protocol !== "file:") navigator.serviceWorker?.register("$stem.sw.js");
</script>
""")

WORD_ELEMENTS = Template("""\
<script type="application/json" id="keyboards">$keyboards</script>
<script type="module">
$script</script>
""")

SUFFIXES = (".webmanifest", ".sw.js", ".png", ".icon.png")
"""Of the files beside the page."""


def write_head(trees: Sequence[Tree], name: str, url: str, title: str) -> str:
    """Return what the page's head says to installers and previews."""
    tree = trees[0]
    text = (
        f"{title}: {tree.n_secrets:,} secrets,"
        f" {tree.average:.3f} guesses on average, {tree.worst} at most."
    )
    stem = PurePath(name).stem
    folder = url if url.endswith("/") else url.rpartition("/")[0] + "/"
    return HEAD.substitute(
        stem=escape(quote(stem)),
        url=escape(url),
        title=escape(title),
        text=escape(text),
        picture=escape(f"{folder}{quote(stem)}.png"),
        alt=escape(f"{title}: {_describe_preview(tree)}"),
    )


def _describe_preview(tree: Tree) -> str:
    """Return what the picture of `make_companions` shows."""
    if _is_key(tree):
        return "all questions of the tree as boxes, each as wide as its candidates are many"
    return "a game of the tree, each guess with its answer and how many codes are left"


def make_companions(trees: Sequence[Tree], name: str, page: bytes, title: str) -> dict[str, bytes]:
    """Return the files beside a page: manifest, service worker, picture for previews, icon."""
    stem = PurePath(name).stem
    manifest = {
        "name": title,
        "short_name": title.partition(",")[0],
        "start_url": quote(name),
        "scope": "./",
        "display": "standalone",
        "background_color": "#faf8f4",
        "theme_color": "#26262c",
        "generator": SEAL,
        "icons": [{"src": ICON_ADDRESS, "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    }
    kept = [quote(name), f"{quote(stem)}.webmanifest", *(["./"] if name == "index.html" else [])]
    digest = sha256(page).hexdigest()[:16]
    source = Template(read_asset("page/assets/offline.js"))
    worker = source.substitute(seal=SEAL, name=quote(name), digest=digest, files=json.dumps(kept))
    picture = BytesIO()
    if _is_key(trees[0]):
        write_plot(trees[0], picture, "icicle", format="png", title=title)
    else:
        write_game(trees[0], picture, format="png", secret=_choose_secret(trees[0]), title=title)
    text = json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
    contents = (seal(text.encode()), seal(worker.encode()), picture.getvalue(), TOUCH_ICON)
    return {f"{stem}{suffix}": data for suffix, data in zip(SUFFIXES, contents, strict=True)}


def _choose_secret(tree: Tree) -> str:
    """Return a secret whose game is about as long as the average."""
    wins = tree.is_winning.nonzero()[0]
    depths = tree.depth[wins] + 1
    at = int(abs(depths - tree.average).argmin())
    return tree.game.format_code(int(tree.guess[wins[at]]))


FAMILIAR = {"p4c6r": "Mastermind", "p5c8r": "Super Mastermind", "p4c10n": "Bulls and Cows"}
"""What people call some games; the page's script has the same names."""

MAX_CODES = 1 << 20
"""The page lists the codes of its games: these take about 700 MB in the browser."""


def generate_page(
    trees: Sequence[Tree],
    *,
    title: str | None = None,
    texts: Mapping[str, Any] | None = None,
    head: str = "",
    foot: str = "",
) -> str:
    """Return the page of some trees, which begins with the first; `texts` by `describe_texts`.

    Lengths of one that begins in the middle of a game count from there. Trees of tables of answers
    have a page of their own, which asks their questions; their tables are put into it as long as it
    keeps below `MOST_BYTES` without `texts`, and a warning names those that are left out. Of other
    games it ignores weights and costs, and the name of their strategy says *weighted*. A page with
    a `head` is served, and may load what lies beside it. UsageError if there is no tree, tables of
    answers stand beside other games, or a game has more codes than a page lists.
    """
    texts = texts or {}
    parts = {
        "title": escape(_choose_title(trees, title)),
        "usual": " data-usual" if title is None else "",  # it changes with the game that is played
        "icon": ICON_ADDRESS,
        "seal": SEAL,
        "head": head,
        "foot": foot,
    }
    wholes: dict[Game, Whole | None] = {}
    page = _write_page(trees, parts, texts, wholes)
    most = MOST_BYTES + len(json.dumps(dict(texts)))
    for game in dict.fromkeys(tree.game for tree in trees if _is_key(tree)):
        if isinstance(game.rules, LookupRules):
            warn(
                "the page holds the tree without its table, whose answers a .tgt lacks:"
                " `game=TABLE.csv` gives them"
            )
            continue
        wholes[game] = describe_whole(game, most - len(page.encode()))
        larger = "" if wholes[game] is None else _write_page(trees, parts, texts, wholes)
        if larger and len(larger.encode()) < most:
            page = larger
            continue
        wholes[game] = None
        warn(
            f"the page holds the tree of {game.name} without its table, with which it would have"
            f" {MOST_BYTES // 1000} kB or more"
        )
    return page


def check_hard(hard: Tree, trees: Sequence[Tree]) -> Tree:
    """Return a tree in hard mode; UsageError if it is not, or is of the game of none of the others.

    Weights and costs do not matter: the page counts each code alike.
    """
    named = f"`hard_tree` {hard.game.name}-{hard.provenance.strategy}"
    stated = read_provenance(hard.provenance, hard.game)
    if stated.eligible != "hints":
        raise UsageError(
            f"{named} is built with eligible={stated.eligible}: hard mode is eligible=hints"
        )
    plays = [(tree.game.with_stakes(), tree.provenance.history) for tree in trees]
    if (hard.game.with_stakes(), hard.provenance.history) not in plays:
        names = ", ".join(dict.fromkeys(tree.game.name for tree in trees))
        raise UsageError(f"{named} is of another game, or begins elsewhere: the page has {names}")
    return hard


def make_site(
    trees: Sequence[Tree],
    name: str,
    url: str,
    *,
    title: str | None = None,
    texts: Mapping[str, Any] | None = None,
) -> dict[str, bytes]:
    """Return a page for a server and the files beside it, by name; `name` is that of the page.

    `url` is the address at which the page will be, or its folder's with a slash at the end:
    previews of links name their picture by it. For errors see `generate_page`; UsageError if `url`
    is no address, DependencyError without matplotlib, which draws the picture for previews.
    """
    parts = urlsplit(url)
    is_web = parts.scheme in ("http", "https") and bool(parts.netloc)
    if not is_web or parts.query or parts.fragment:
        raise UsageError(
            f"{url!r:.200} is not the address of a page: write it whole, such as"
            " https://example.org/play/"
        )
    shown = _choose_title(trees, title)
    head = write_head(trees, name, url, shown)
    foot = FOOT.substitute(stem=quote(PurePath(name).stem))
    if not _is_key(trees[0]):
        head += f'<script type="module">\n{write_script(QR)}</script>\n'
    page = generate_page(trees, title=title, texts=texts, head=head, foot=foot).encode()
    return {name: page, **make_companions(trees, name, page, shown)}


def _choose_title(trees: Sequence[Tree], title: str | None) -> str:
    """Return the heading, after a look at what the page is asked to hold."""
    if not trees:
        raise UsageError("a page needs at least one tree")
    are_keys = set(map(_is_key, trees))
    if are_keys == {True, False}:
        raise UsageError("tables of answers have a page of their own, without other games")
    large = [tree.game for tree in trees if tree.game.n_codes > MAX_CODES and not _is_key(tree)]
    if large:
        raise UsageError(
            f"a page plays games of at most {MAX_CODES:,} codes, which it lists; {large[0].name}"
            f" has {large[0].n_codes:,}"
        )
    if title is not None:
        return title
    if are_keys == {True}:
        return "Which one is it?"
    game = trees[0].game
    return (
        "Find the word" if game.notation.has_tiles else FAMILIAR.get(game.name, game.notation.title)
    )


def _is_key(tree: Tree) -> bool:
    """Whether a tree's page asks, with a button for each answer; a range has answers, too."""
    return tree.game.notation.answers_in_words


def _write_page(
    trees: Sequence[Tree],
    parts: Mapping[str, str],
    texts: Mapping[str, Any],
    wholes: Mapping[Game, Whole | None],
) -> str:
    """Return a page with some whole tables of answers."""
    first, *rest = _describe(trees, wholes)
    tables = json.dumps([first | dict(texts), *rest], ensure_ascii=False)
    if _is_key(trees[0]):
        name, script, scripts = "key", KEY, {}
    else:
        name, script, scripts = "page", PAGE, {"engine": write_script(ENGINE), "words": ""}
    style = paint_style(shorten_style(read_asset(f"page/assets/{name}.css")))
    worded = [tree.game for tree in trees if tree.game.notation.has_tiles]
    if worded and scripts:
        keyboards = json.dumps(
            read_asset("page/assets/keyboards.txt").splitlines(), ensure_ascii=False
        )
        scripts["words"] = WORD_ELEMENTS.substitute(
            keyboards=keyboards, script=write_script(WORD_GAMES)
        )
    if worded and all(reads_leftward("".join(game.notation.own_symbols)) for game in worded):
        style += "\n:is(.pegs, .slots, .palette:not(.keyboard)):has(.tile, .square), .marks"
        style += " { direction: rtl }"
    page = Template(read_asset(f"page/assets/{name}.html")).substitute(
        parts,
        tables=tables.replace("<", "\\u003c"),
        style=style,
        script=write_script(script),
        **scripts,
    )
    # The engine runs in a worker, too, whose script is a blob; a served page works offline.
    workers = " ".join(["blob:"] * bool(scripts) + ["'self'"] * bool(parts["head"])) or "'none'"
    others = f"worker-src {workers}" + "; manifest-src 'self'" * bool(parts["head"])
    # Pictures of notes may lie beside the page.
    images = "'self'" if parts["head"] or has_files(texts.get("notes", {})) else ""
    page = add_policy(page, scripts="blob:" * bool(scripts), images=images, others=others)
    return seal(page.encode()).decode()


def name_trees(trees: Sequence[Tree]) -> list[str]:
    """Return the names of the trees on a page; a repeated name gets a number."""
    seen: dict[str, int] = {}
    names = []
    for tree in trees:
        name = f"{tree.game.name.replace(' ', '-')}-{tree.provenance.strategy}"
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return names


def _describe(
    trees: Sequence[Tree], wholes: Mapping[Game, Whole | None]
) -> Iterator[dict[str, Any]]:
    """Yield the tables in the page's form: guesses before them, chain, whether proved optimal.

    A table of answers that is whole stands in the entry of its first tree, whose number the others
    have.
    """
    places: dict[Game, int] = {}
    named = zip(name_trees(trees), map(_count_alike, trees), strict=True)
    for number, (name, tree) in enumerate(named):
        start = [list(pair) for pair in tree.provenance.history]
        whole = wholes.get(tree.game)
        labels = "inside" if whole is None else "none"
        table = make_table(tree, all_words=not _is_key(tree), labels=labels, to_page=True)
        entry: dict[str, Any] = {"name": name} | _pack_table(table, tree.game)
        entry |= {"start": start} if start else {}
        chain = _find_chain(tree)
        entry |= {"chain": chain} if chain else {}
        entry |= {"stakes": _tell_stakes(tree)} if is_weighted(tree.game.rules) else {}
        if tree.game.rule == "traits":
            entry["traits"] = cast(Any, tree.game.rules).table.questions
        if tree.game.rules.announces_several:
            entry |= _describe_leaves(tree) if whole is None else {}
            entry["who"] = _count_who(tree)
        if whole is not None:
            entry["whole"] = places.get(tree.game, whole)
            entry["rule"] = _find_rule(tree)
            entry["depth"] = int(tree.depth.max()) + tree.game.goal.last_step
            places.setdefault(tree.game, number)
        yield entry | _tell_proof(tree)


def _count_alike(tree: Tree) -> Tree:
    """Return a tree of codes with weights or costs as one without: the page counts guesses."""
    if not is_weighted(tree.game.rules) or _is_key(tree):
        return tree
    past = tree.provenance
    provenance = Provenance(f"weighted {past.strategy}", history=past.history)
    return replace(tree, game=tree.game.with_stakes(), provenance=provenance)


def _describe_leaves(tree: Tree) -> dict[str, Any]:
    """Return who is to be found, by candidate; who is left at each leaf, and the shares of several.

    Keys of the leaves are their paths.
    """
    rules, announce = tree.game.rules, tree.game.notation.announce
    leaves, shares = {}, {}
    for first, states in zip(tree.level_starts, replay(tree), strict=False):
        for at in np.flatnonzero(tree.is_leaf[first : first + len(states.sizes)]).tolist():
            path = ",".join(map(str, path_of(tree, first + at)))
            leaves[path] = states.of(at).tolist()
            is_of_several = GROUP_MARK in announce(leaves[path])
            parts = list_shares(tree, [(first + at, NULL)]) if is_of_several else []
            # A candidate of several classes is not likelier to be of one of them.
            if len(parts) > 1:
                shares[path] = [(name, f"{100 * share:.0f}") for name, share in parts]
    return {
        "names": [announce([candidate]) for candidate in range(rules.n_secrets)],
        "leaves": leaves,
        "shares": shares,
    }


def _count_who(tree: Tree) -> str:
    """Return how many candidates there are, and of how many classes."""
    rules = tree.game.rules
    n_classes = len(set(rules.classes))
    of = f" of {n_classes:,} class{'es' * (n_classes != 1)}" if rules.classes else ""
    return f"{rules.n_secrets:,} candidates{of}"


def _find_rule(tree: Tree) -> str:
    """Return the criteria by which a page continues where a game has left the tree.

    They are those of the tree's rule if the page has it, else those of the game's default.
    """
    game, usual = tree.game, parse_strategy(default_rule(tree.game), tree.game)
    rule = usual
    with suppress(StrategyError):
        rule = parse_rule(tree.provenance.rule)
    names = [criterion.name for criterion in rule.criteria]
    plain = replace(usual, name=rule.name, criteria=rule.criteria, opening=rule.opening)
    known = PAGE_CRITERIA if game.rules.shares is None else names
    weighs = game.rules.weights is not None and game.rules.shares is None
    if rule != plain or not {*names} <= {*known} or not names or (weighs and rule != usual):
        names = [criterion.name for criterion in usual.criteria]
    return ",".join(names)


def _tell_stakes(tree: Tree) -> str:
    """Return what a tree of a table with weights or costs needs by these.

    With classes, candidates may count as often as they have rows: nobody gave weights.
    """
    rules = tree.game.rules
    weights = "frequencies" if rules.classes else "weights"
    names = [weights] * (rules.weights is not None) + ["costs"] * (rules.given_costs is not None)
    unit = ", costs in lowest terms" * (rules.given_costs is not None)
    figures = f"{tree.average:.2f} on average, {tree.worst:,} at most"
    return f"By their {' and '.join(names)}: {figures}{unit}."


def _pack_table(table: bytes, game: Game) -> dict[str, Any]:
    """Return a table as text; long lists of words stand apart, each without what it repeats.

    Wordle's 12,972 words take 51 KB so, and 86 KB in base 64.
    """
    if game.notation.has_tiles and game.n_codes >= 200 and game.n_pegs < 10:
        words = [game.format_code(code) for code in range(game.n_codes)]
        text = "".join(words)
        at = table.find(text.encode())
        if text.isascii() and text.isalpha() and at > 0:
            rests = (_drop_shared(*pair) for pair in pairwise(["", *words]))
            table = table[:at] + table[at + len(text) :]
            return {"table": b64encode(table).decode(), "words": "".join(rests), "at": at}
    return {"table": b64encode(table).decode()}


def _drop_shared(before: str, word: str) -> str:
    """Return how many letters a word shares with the one before it, and its others."""
    places = range(len(word))
    n_shared = next(at for at in places if before[at : at + 1] != word[at])
    return f"{n_shared}{word[n_shared:]}"


def _find_chain(tree: Tree) -> str | None:
    """Return the chain by which a tree chooses among all guesses in their order, if it does."""
    conditions = dict(part.strip().partition("=")[::2] for part in tree.provenance.rule.split(";"))
    is_plain = {**conditions, "chain": ""} == {"eligible": "all", "chain": "", "order": "lex"}
    return conditions.get("chain") if is_plain else None


def _tell_proof(tree: Tree) -> dict[str, bool]:
    """Return whether, as a search says, no tree has a lower total: of the game, or of hard mode."""
    stated = read_provenance(tree.provenance, tree.game)
    is_open = stated.objective.startswith("total") and not stated.unread
    is_search = bool(stated.search and tree.provenance.rule) and not tree.game.rules.excerpt
    if not (is_search and is_open and tree.provenance.bound == tree.total):
        return {}
    if not stated.restrictions:
        return {"proved": True}
    is_by_rule = is_rule_of_play(stated.eligible) and len(stated.restrictions) == 1
    return {"best": True} if is_by_rule else {}


# Whole tables of answers: what each candidate may answer to each question.

MOST_BYTES = 256_000
"""A page keeps below it, or its tables of answers stay outside."""

PAGE_CRITERIA = ("max", "consistent", "parts", "expected", "entropy")
"""Those that the page has for candidates without shares."""

Whole = dict[str, Any]
"""A table of answers as its page has it."""

MOST_SEEN = 255
"""Bits of a kind that are counted before their counts are halved."""


def describe_whole(game: Game, most: int) -> Whole | None:
    """Return names, answers, sets, classes, weights and costs of a game, its cells packed.

    None if the cells alone take more than `most` bytes.
    """
    rules, secrets = game.rules, np.arange(game.n_secrets)
    names = game.notation.own_symbols
    asked = range(game.n_secrets, game.n_codes)
    whole: Whole = {"names": "\n".join(names[: game.n_secrets])}
    columns: Any
    if asked:
        table = cast(QuestionRules, rules).table
        columns, counts = table.matrix.T, table.count_numbers()
        answers = ["\t".join(labels) for labels in table.answers]
        whole["questions"] = "\n".join(names[game.n_secrets :])
        if any(table.sets):
            whole["sets"] = [
                "\t".join(",".join(map(str, each)) for each in own) for own in table.sets
            ]
    else:
        columns = rules.respond(secrets[:, None], secrets[None, :])
        counts = [game.n_responses] * game.n_secrets
        answers = ["\t".join(game.notation.list_answers(0)[:-1])]
    lists = list(dict.fromkeys(answers))
    whole["answers"] = lists
    if len(lists) > 1:
        whole["lists"] = [lists.index(own) for own in answers]
    if rules.classes:
        classes = list(dict.fromkeys(rules.classes))
        whole["classes"] = "\n".join(classes)
        columns = [*columns, [classes.index(own) for own in rules.classes]]
        counts = [*counts, len(classes)]
    if rules.weights is not None:
        whole["weights"] = rules.weights.tolist()
    if rules.given_costs is not None:
        whole["costs"] = rules.costs[rules.first_guess :].tolist()
    if rules.share_unit > 1:
        whole["unit"] = rules.share_unit
    packed = pack_columns(np.asarray(columns).tolist(), counts, most)
    return None if packed is None else whole | {"cells": b64encode(packed).decode()}


def pack_columns(
    columns: Sequence[Sequence[int]], counts: Sequence[int], most: int
) -> bytes | None:
    """Return columns of numbers, each below its count, by a range coder; None if too many bytes.

    A bit of a number is foreseen by how often it was 0 and 1 below the same number of the row
    above. Deflate takes a third more for 300,000 answers of browsers, and other bytes in other
    versions of it.

    >>> pack_columns([[0, 1, 0, 1, 0, 1, 0, 1], [2, 2, 2, 2, 2, 2, 2, 2]], [2, 3], 100).hex()
    '6c9e009fa0'
    """
    packed, low, width = bytearray(), 0, 1 << 32
    for column, count in zip(columns, counts, strict=True):
        n_bits, above = (count - 1).bit_length(), 0
        seen: dict[tuple[int, int], tuple[int, int]] = {}
        for number in column:
            for place in reversed(range(n_bits)):
                key = above, number >> place + 1 | 1 << n_bits - place - 1
                bit = number >> place & 1
                zeros, ones = seen.get(key, (0, 0))
                bound = width * (2 * zeros + 1) // (2 * (zeros + ones) + 2)
                low, width = (low + bound, width - bound) if bit else (low, bound)
                zeros, ones = zeros + 1 - bit, ones + bit
                if zeros + ones > MOST_SEEN:
                    zeros, ones = zeros + 1 >> 1, ones + 1 >> 1
                seen[key] = zeros, ones
                while width < 1 << 24:
                    _carry(packed, low >> 32)
                    packed.append(low >> 24 & 255)
                    low, width = low << 8 & 0xFFFFFFFF, width << 8
            above = number
        if len(packed) > most:
            return None
    _carry(packed, low >> 32)
    packed += (low & 0xFFFFFFFF).to_bytes(4, "big")
    return bytes(packed).rstrip(b"\0")


def _carry(packed: bytearray, one: int) -> None:
    """Add 0 or 1 to the number that bytes are."""
    at = len(packed) - 1
    while one and packed[at] == 255:
        packed[at], at = 0, at - 1
    if one:
        packed[at] += 1


def add_policy(page: str, *, scripts: str = "", images: str = "", others: str = "") -> str:
    """Return a page with its policy, which names its scripts and styles by their hashes.

    `scripts` and `images` are further sources of these, `others` further directives.
    """
    sources = [*_hash("script", page), *([scripts] if scripts else [])]
    rules = [
        "default-src 'none'",
        *([f"script-src {' '.join(sources)}"] if sources else []),
        f"style-src {' '.join(_hash('style', page))}",
        f"img-src data: {images}".rstrip(),
        "base-uri 'none'",
        "form-action 'none'",
        *([others] if others else []),
    ]
    mark = f'<meta http-equiv="Content-Security-Policy" content="{"; ".join(rules)}">'
    return page.replace("<title>", f"{mark}\n<title>", 1)


def _hash(tag: str, page: str) -> list[str]:
    """Return the sources of the elements that are run or style the page, not of those of data."""
    texts = re.findall(rf"<{tag}(?! type=\"application/json\")[^>]*>(.*?)</{tag}>", page, re.DOTALL)
    hashes = (b64encode(sha256(text.encode()).digest()).decode() for text in texts)
    return [f"'sha256-{digest}'" for digest in hashes]


@describe_parameters
def write_page(
    trees: TreeSource | Sequence[TreeSource],
    file: Target,
    *,
    title: Annotated[str | None, Option("Heading of the page.", metavar="TEXT")] = None,
    url: Annotated[
        str | None,
        Option(
            "Where OUT will be served: it gets a manifest, a service worker and a picture"
            " beside it.",
            metavar="URL",
            python="Where the page will be served: it gets a manifest, a service worker and a"
            " picture for previews beside it.",
        ),
    ] = None,
    hard_tree: Annotated[
        TreeSource | None,
        Option(
            "Words: a tree by `eligible=hints`, which hard mode in the settings plays.",
            metavar="FILE",
            more="A tree, or its file; without one, guesses are checked and analysed all the same.",
        ),
    ] = None,
    notes: Annotated[
        NoteSource | None,
        Option(
            "Tables: columns with notes on the candidates: texts, https: links, pictures; with"
            " --game TABLE.",
            metavar="COLUMN,…",
            python="Notes on the candidates of a table: texts, ``https:`` links, pictures"
            " (``data:image/…;base64,``, or the name of a file beside the page). Columns of the"
            " game's table that are not questions, or a mapping of candidates to a text, to a list"
            " of them, or to a mapping of titles to texts.",
        ),
    ] = None,
    hints: Annotated[
        HintSource | None,
        Option(
            "Tables: a question and its hint in each line, as in CSV.",
            metavar="FILE",
            python="Hints on how to answer: a file with a question and its hint in each line, as in"
            " CSV or with a colon, or a mapping; that of a column of thresholds is for each.",
        ),
    ] = None,
    game: GameSource | None = None,
    force: bool = False,
) -> None:
    """Write one page that plays trees in a browser, from disk.

    Parameters
    ----------
    trees
        A tree or several, or their files; the page begins with the first.
    file
        A path, or an open file.
    {options}
    game
        The game of the trees; a lookup table (``.tgt``) of a table of answers does not hold its
        answers. A file or a name; `open_game` reads a table with other options. Columns of `notes`
        are no questions of a file.
    force
        Whether a page that was edited, or a file beside it, is replaced.

    Raises
    ------
    UsageError
        There is no tree, tables of answers stand beside other games, a file cannot be written, or
        was edited: then nothing is written. `notes` or `hints` are for no table of answers, or
        there is no such column or candidate. `hard_tree` is not in hard mode, or of another game.
    GameError
        There is no question of a hint, or it has two.
    FormatError
        A tree is not of the game.

    Examples
    --------
    >>> import io, treegen
    >>> file = io.BytesIO()
    >>> treegen.write_page(treegen.build("p2c3r"), file, title="Small")
    >>> b"<title>Small</title>" in file.getvalue()
    True
    """
    is_one = isinstance(trees, (Tree, str, os.PathLike, bytes)) or not isinstance(trees, Iterable)
    is_one = is_one or hasattr(trees, "read")
    sources: Any = [trees] if is_one else trees
    expected: Game | None = None
    if isinstance(game, Game) or notes is None or isinstance(notes, Mapping):
        expected = None if game is None else open_game(game)
    elif game is not None:
        expected = open_game(game, ignore=notes)
    found = [load_tree(tree, game=expected)[0] for tree in sources]
    if hard_tree is not None:
        found.append(check_hard(read(hard_tree), found))
    texts = describe_texts(expected or found[0].game, notes, hints) if found else {}
    if not isinstance(file, (str, os.PathLike)):
        if url is not None:
            raise UsageError("`url` writes files beside OUT: give `file` a path")
        write_bytes(file, generate_page(found, title=title, texts=texts).encode())
        return
    target = Path(file)
    if url is None:
        contents = {target: generate_page(found, title=title, texts=texts).encode()}
    else:
        site = make_site(found, target.name, url, title=title, texts=texts)
        contents = {target.with_name(name): data for name, data in site.items()}
    if not force:
        refuse_edited(contents)
    for path, data in reversed(contents.items()):
        write_bytes(path, data)


HTML = Format(
    "html",
    Writer(
        write_page,
        "A page that plays in the browser.",
        "Write one page that plays the trees in FILES in a browser, from disk.",
        examples=("treegen export html knuth.tree -o knuth.html",),
        kinds=("html",),
        list_others=lambda path, given: {
            str(Path(path).with_name(f"{Path(path).stem}{suffix}")): ""
            for suffix in (SUFFIXES if given["url"] is not None else ())
        },
        takes_several=True,
        game="The game of FILES; a .tgt of a table of answers needs its TABLE.csv.",
    ),
)
