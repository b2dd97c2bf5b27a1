"""What sdist and wheel must hold, and must not: ``python tests/packaging/contents.py FILES``."""

import sys
import tarfile
import zipfile

WHEEL = ("drumlin/py.typed", "drumlin/__init__.py", "drumlin/report/page.html.j2")
SDIST = (
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    "CITATION.cff",
    "docs/conf.py",
    "tests/conftest.py",
)
NEVER = ("__pycache__", ".venv", "docs/_build", "docs/gallery/", ".sqlite", ".nbc", ".nbi")


def members(path):
    """Return the names in an archive, those of an sdist without their first folder."""
    if path.endswith(".whl"):
        return zipfile.ZipFile(path).namelist()
    with tarfile.open(path) as archive:
        return [name.partition("/")[2] for name in archive.getnames()]


def metadata(path):
    """Return the text that the index shows of a wheel."""
    with zipfile.ZipFile(path) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return archive.read(name).decode()


def check(path):
    """Raise where something is missing, or there that must not be."""
    names = members(path)
    wanted = WHEEL if path.endswith(".whl") else SDIST
    missing = [want for want in wanted if not any(name.startswith(want) for name in names)]
    unwanted = [name for name in names for never in NEVER if never in name]
    assert not missing and not unwanted, (path, missing, unwanted)
    if path.endswith(".whl"):
        assert "](docs/" not in metadata(path), "the index would show links that lead nowhere"
        assert 'src="docs/' not in metadata(path), "the index would show no pictures"
    print(f"{path}: {len(names)} files")


if __name__ == "__main__":
    for archive in sys.argv[1:]:
        check(archive)
