"""The policy of every page: it runs, shows and loads only what stands in it."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256


def add_policy(page: str, *, scripts: str = "", others: str = "") -> str:
    """Return a page with its policy, which names its scripts and styles by their hashes.

    `scripts` are further sources of scripts, `others` further directives.
    """
    sources = [*_hash("script", page), *([scripts] if scripts else [])]
    rules = [
        "default-src 'none'",
        *([f"script-src {' '.join(sources)}"] if sources else []),
        f"style-src {' '.join(_hash('style', page))}",
        "img-src data:",
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
