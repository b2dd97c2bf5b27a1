"""Walk the built manual in Chromium: ``python -m docs.walk [docs/_build/html] [--shots FOLDER]``.

Every page is opened in light and dark, on a desk and on a phone. Complained about: a console error,
a request that leaves the site, an internal link or anchor that leads nowhere, a page wider than the
phone, a picture without words. Then the search is asked, and the way of a new user from the front
page to a saved model is clicked. Exit code 1 where there was something.
"""

from __future__ import annotations

import argparse
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlparse

from tests.browser import chromium

DESK, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
SHOTS = (
    "index.html",
    "howto/which-estimator.html",
    "gallery/index.html",
    "explanation/mathematics.html",
)
QUERY, FOUND = "leave-one-out", "mathematics"
PATH = ("Tutorial", "In Python")
"""Links from the front page to the page that saves a model."""


class Quiet(SimpleHTTPRequestHandler):
    """A server that keeps its log to itself."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Walk:
    """A browser page on the site, and what was wrong on the way."""

    def __init__(self, page: Any, site: str, root: Path) -> None:
        self.page, self.site, self.root = page, site, root
        self.wrong: list[str] = []
        self.ids: dict[str, set[str]] = {}
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.tell(f"script: {error}"))
        page.on("request", self._request)

    def tell(self, what: str) -> None:
        """Remember a complaint with the address of the page."""
        self.wrong.append(f"{self.page.url.removeprefix(self.site)}: {what}")

    def _console(self, message: Any) -> None:
        if message.type == "error":
            self.tell(f"console: {message.text}")

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.site, "data:", "blob:")):
            self.tell(f"asks for {request.url}")

    def visit(self, name: str, mode: str) -> None:
        """Open a page in one of the two modes."""
        self.page.goto(f"{self.site}{name}", wait_until="load")
        self.dress(mode)

    def dress(self, mode: str) -> None:
        """Change the page to light or dark."""
        self.page.evaluate("mode => document.documentElement.dataset.theme = mode", mode)

    def check(self, name: str) -> None:
        """Open a page on a desk, light and dark, and on a phone; look at its links."""
        for size in (DESK, PHONE):
            self.page.set_viewport_size(size)
            self.visit(name, "dark")
            self.dress("light")
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        if wide > PHONE["width"]:
            self.tell(f"{wide} pixels wide on a phone of {PHONE['width']}")
        bare = self.page.evaluate("[...document.images].filter(i => !i.hasAttribute('alt')).length")
        if bare:
            self.tell(f"{bare} pictures without words")
        for link in self.page.evaluate("[...document.links].map(a => a.href)"):
            self._link(link)

    def _link(self, link: str) -> None:
        if not link.startswith(self.site):
            return
        address, anchor = urldefrag(link)
        name = unquote(urlparse(address).path).lstrip("/") or "index.html"
        if not (self.root / name).is_file():
            self.tell(f"links to {name}, which is not there")
        elif anchor and name.endswith(".html") and unquote(anchor) not in self._anchors(name):
            self.tell(f"links to {name}#{anchor}, which is not there")

    def _anchors(self, name: str) -> set[str]:
        if name not in self.ids:
            text = (self.root / name).read_text(encoding="utf-8")
            self.ids[name] = {part.partition('"')[0] for part in text.split('id="')[1:]}
        return self.ids[name]

    def search(self) -> None:
        """Ask for a word whose page is known."""
        self.page.goto(f"{self.site}search.html?q={QUERY}")
        self.page.wait_for_selector("#search-results li a", timeout=30_000)
        found = self.page.eval_on_selector_all(
            "#search-results li a", "all => all.map(a => a.href)"
        )
        if not any(FOUND in link for link in found):
            self.tell(f"search for {QUERY!r} does not find {FOUND!r}")

    def follow(self) -> None:
        """Click from the front page to where a model is saved."""
        self.page.set_viewport_size(DESK)
        self.page.goto(f"{self.site}index.html")
        for words in PATH:
            self.page.get_by_role("link", name=words).first.click()
            self.page.wait_for_load_state()
        if "drumlin.save" not in self.page.inner_text("article"):
            self.tell(f"{' > '.join(PATH)} does not lead to a saved model")

    def shoot(self, folder: Path) -> None:
        """Photograph some pages in both modes and sizes, to be looked at."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in SHOTS:
            for size, mode in ((DESK, "light"), (DESK, "dark"), (PHONE, "dark")):
                self.page.set_viewport_size(size)
                self.visit(name, mode)
                file = f"{name.replace('/', '_').removesuffix('.html')}-{size['width']}-{mode}.png"
                self.page.screenshot(path=folder / file)


def walk(root: Path, shots: Path | None) -> list[str]:
    """Serve the site, walk it, and return what was wrong."""
    names = sorted(str(path.relative_to(root)) for path in root.rglob("*.html"))
    names = [name for name in names if not name.startswith(("_static", "_modules"))]
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=root)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with chromium() as browser:
            walker = Walk(browser.new_page(), f"http://127.0.0.1:{server.server_port}/", root)
            for name in names:
                walker.check(name)
            walker.search()
            walker.follow()
            if shots is not None:
                walker.shoot(shots)
        server.shutdown()
    print(f"{len(names)} pages, each light and dark, desk and phone")
    return list(dict.fromkeys(walker.wrong))


def main() -> None:
    """Walk, and say what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", nargs="?", type=Path, default=Path("docs/_build/html"))
    parser.add_argument("--shots", type=Path)
    told = parser.parse_args()
    wrong = walk(told.site.resolve(), told.shots)
    print("\n".join(wrong) or "Nothing is wrong.")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
