"""Links that are right in the repository and on the site.

Pages link to ``../CONTRIBUTING.md`` and ``../CHANGELOG.md``, as the repository has them; on the
site these are pages of their own. Links to source files become downloads (MyST does that).
"""

from __future__ import annotations

import re

from sphinx.application import Sphinx

PAGES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
_LINK = re.compile(r"\]\((?:\.\./)+(" + "|".join(map(re.escape, PAGES)) + r")")


def link_pages(app: Sphinx, name: str, source: list[str]) -> None:
    """Point links to files of the repository's root at the pages that include them."""
    source[0] = _LINK.sub(lambda found: f"](/{PAGES[found[1]]}", source[0])


def setup(app: Sphinx) -> dict[str, bool]:
    """Mend every page as it is read."""
    app.connect("source-read", link_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
