"""A page on a server: what lies beside it so that it installs, plays offline and has a preview.

The page itself stays one file that asks no other server; a manifest names it, a service worker
keeps it, and a picture of its first tree stands in the previews of links to it.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from io import BytesIO
from pathlib import PurePath
from string import Template
from urllib.parse import quote, urlsplit

from ..errors import UsageError
from ..export import write_plot
from ..tree import Tree
from .scripts import read_asset

ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
    '<rect width="64" height="64" rx="14" fill="#26262c"/>'
    '<circle cx="21" cy="21" r="9" fill="#d55e00"/><circle cx="43" cy="21" r="9" fill="#f0e442"/>'
    '<circle cx="21" cy="43" r="9" fill="#009e73"/><circle cx="43" cy="43" r="9" fill="#7cc8f2"/>'
    "</svg>"
)

HEAD = Template("""\
<link rel="manifest" href="$stem.webmanifest">
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

SUFFIXES = (".webmanifest", ".sw.js", ".png")
"""Of the files beside the page."""


def check_url(url: str) -> None:
    """Raise UsageError unless an address is one of the web, without a fragment or a query."""
    parts = urlsplit(url)
    is_web = parts.scheme in ("http", "https") and bool(parts.netloc)
    if not is_web or parts.query or parts.fragment:
        raise UsageError(f"{url!r:.200} is no address of a page, such as https://example.org/play/")


def write_head(trees: Sequence[Tree], name: str, url: str, title: str) -> str:
    """Return what the page's head says to installers and previews."""
    tree = trees[0]
    text = (
        f"{tree.game.title}: {tree.n_secrets:,} secrets,"
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
        alt=escape(f"All states of the tree {tree.game.name} {tree.provenance.strategy}"),
    )


def write_foot(name: str) -> str:
    """Return the script that starts the service worker."""
    return FOOT.substitute(stem=quote(PurePath(name).stem))


def make_companions(trees: Sequence[Tree], name: str, page: bytes, title: str) -> dict[str, bytes]:
    """Return the files beside a page: manifest, service worker, picture for previews.

    Raises
    ------
    DependencyError
        matplotlib, which draws the picture, is not installed.
    """
    stem = PurePath(name).stem
    icon = f"data:image/svg+xml;base64,{b64encode(ICON.encode()).decode()}"
    manifest = {
        "name": title,
        "short_name": title.partition(",")[0],
        "start_url": quote(name),
        "scope": "./",
        "display": "standalone",
        "background_color": "#faf8f4",
        "theme_color": "#26262c",
        "icons": [{"src": icon, "sizes": "any", "type": "image/svg+xml", "purpose": "any"}],
    }
    kept = [quote(name), f"{quote(stem)}.webmanifest", *(["./"] if name == "index.html" else [])]
    digest = sha256(page).hexdigest()[:16]
    source = Template(read_asset("page/assets/offline.js"))
    worker = source.substitute(name=quote(name), digest=digest, files=json.dumps(kept))
    picture = BytesIO()
    write_plot(trees[0], picture, "icicle", format="png")
    text = json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
    contents = (text.encode(), worker.encode(), picture.getvalue())
    return {f"{stem}{suffix}": data for suffix, data in zip(SUFFIXES, contents, strict=True)}
