"""The container: a zip of three members with fixed names, read with bounds.

``manifest.json`` says what it is, ``model.json`` is the model, ``arrays.bin`` holds its numbers one
array after the other. The numbers are stored, not compressed: a file cannot ask for more memory
than it has bytes, and text is bounded. Knows no models.
"""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from collections.abc import Iterable
from typing import IO

from drumlin.io.errors import ModelFileError, require

MANIFEST, MODEL, ARRAYS = MEMBERS = ("manifest.json", "model.json", "arrays.bin")

MOST_TEXT = 16 << 20
"""Bytes of JSON that a member may have, however large the file is."""

SOME_TEXT, TEXT_PER_BYTE = 6 << 20, 2
"""Bytes of JSON that a member may have whatever the file is, and for every byte of the file."""

MOST_BYTES = (1 << 31) - (1 << 26)
"""Bytes of arrays: with the text, no zip needs the 64-bit records that we refuse to read."""

_MOST_DIRECTORY = 4096  # bytes; three short entries
_PART = 1 << 20  # bytes read at once
_END = struct.Struct("<4s4H2LH")
_LOCATOR_64, _LOCATOR_64_SIZE = b"PK\x06\x07", 20

_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,  # of a compression
    OSError,  # of an offset that no file has
    RuntimeError,  # of a password
    ValueError,  # of a name or a date
)
"""What ``zipfile`` raises on broken or hostile archives."""


def read_members(path: str | os.PathLike[str], names: Iterable[str]) -> list[bytes]:
    """Return the content of some members.

    Raises
    ------
    OSError
        Where the file cannot be opened.
    ModelFileError
        Where it is anything but an archive as ``write_archive`` makes them.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        try:
            _check_end(file, size)
            with zipfile.ZipFile(file) as archive:
                found = [info.orig_filename for info in archive.infolist()]
                require(
                    sorted(found) == sorted(MEMBERS),
                    f"it must hold {', '.join(MEMBERS)} and nothing else. Got {found}.",
                )
                return [_read(archive, archive.getinfo(name), size) for name in names]
        except ModelFileError:
            raise
        except _BROKEN as error:
            raise ModelFileError(f"it is damaged ({error}).") from error


def _check_end(file: IO[bytes], size: int) -> None:
    """Refuse what is no zip, and a directory so long that listing it would be an attack."""
    require(size >= _END.size, f"it has {size} bytes, too few for any model.")
    tail = _END.size + _LOCATOR_64_SIZE
    file.seek(max(0, size - tail))
    end = file.read(tail)
    signature, _, _, _, n_entries, n_bytes, _, n_comment = _END.unpack(end[-_END.size :])
    require(
        signature == b"PK\x05\x06" and n_comment == 0,
        "it is not a zip archive, or it is cut off at the end.",
    )
    require(
        n_entries == len(MEMBERS) and n_bytes <= _MOST_DIRECTORY and end[:4] != _LOCATOR_64,
        f"it must be a zip of {len(MEMBERS)} members with a directory of up to {_MOST_DIRECTORY} "
        f"bytes. Got {n_entries} members and {n_bytes} bytes.",
    )


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo, size: int) -> bytes:
    """Read a member after its declared sizes were found to be possible."""
    name, stored = info.filename, info.compress_type == zipfile.ZIP_STORED
    kinds = (zipfile.ZIP_STORED,) if name == ARRAYS else (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    require(info.compress_type in kinds, f"{name} has a compression that is not allowed.")
    require(
        info.compress_size <= size and (not stored or info.file_size == info.compress_size),
        f"{name} declares sizes that the file does not have.",
    )
    most = min(MOST_TEXT, SOME_TEXT + TEXT_PER_BYTE * size)
    require(
        name == ARRAYS or info.file_size <= most,
        f"{name} would take {info.file_size} bytes; at most {most} are allowed.",
    )
    with archive.open(info) as member:
        parts = []  # of some size: one read of all would copy what it has again and again
        while part := member.read(_PART):
            parts.append(part)
    content = b"".join(parts)
    require(len(content) == info.file_size, f"{name} has not the size that it declares.")
    return content


def write_archive(file: IO[bytes], manifest: bytes, model: bytes, arrays: list[bytes]) -> None:
    """Write the members; equal content gives equal files, whatever the time.

    Raises
    ------
    ValueError
        Where the model is larger than a file may be.
    """
    for what, n_bytes, most in (
        ("text", max(len(manifest), len(model)), MOST_TEXT),
        ("arrays", sum(map(len, arrays)), MOST_BYTES),
    ):
        if n_bytes > most:
            raise ValueError(
                f"The {what} of a model file must have at most {most} bytes. Got {n_bytes}."
            )
    with zipfile.ZipFile(file, "w", allowZip64=False) as archive:
        for name, content in ((MANIFEST, manifest), (MODEL, model)):
            archive.writestr(_info(name), content, zipfile.ZIP_DEFLATED, compresslevel=9)
        info = _info(ARRAYS)
        info.file_size = sum(map(len, arrays))
        with archive.open(info, "w") as member:
            for array in arrays:
                member.write(array)


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)  # dated 1980
    info.create_system, info.external_attr = 3, 0o644 << 16
    return info
