"""Links that are right in the repository and on the site.

Pages link to ``../CONTRIBUTING.md`` and ``../CHANGELOG.md``, as the repository has them; on the
site these are pages of their own. Links to source files become downloads (MyST does that). An entry
``?/page`` of a list of pages is left out where there is no such page.
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx

PAGES = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "RELEASING.md": "releasing.md",
}
_LINK = re.compile(r"\]\((?:\.\./)+(" + "|".join(map(re.escape, PAGES)) + r")")
_MAYBE = re.compile(r"^\?(/\S+)$", flags=re.MULTILINE)


def link_pages(app: Sphinx, name: str, source: list[str]) -> None:
    """Point links to files of the repository's root at the pages that include them."""
    known = app.env.found_docs
    text = _LINK.sub(lambda found: f"](/{PAGES[found[1]]}", source[0])
    source[0] = _MAYBE.sub(lambda found: found[1] if found[1][1:] in known else "", text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Mend every page as it is read."""
    app.connect("source-read", link_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
