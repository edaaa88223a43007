"""The handbook of Quillmoor Machines, the company of the demo workspace."""

import hashlib
from importlib.resources import files

import msgspec


class HandbookPage(msgspec.Struct, frozen=True):
    """A page as a file: its name, its bytes and their SHA-256 in hex."""

    name: str
    data: bytes
    content_hash: str


def read_handbook() -> list[HandbookPage]:
    """All pages, in the order of their numbers."""
    folder = files("knowledgestack.demo") / "handbook"
    pages = [(entry.name, entry.read_bytes()) for entry in folder.iterdir() if entry.is_file()]
    return [HandbookPage(name, data, hashlib.sha256(data).hexdigest()) for name, data in sorted(pages)]
