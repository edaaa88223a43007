"""The vendored data files, read and checked against the sums in data/README."""

import gzip
import hashlib
from importlib.resources import files

CL100K_RANKS = "cl100k_base.tiktoken.gz"
MINILM_TOKENIZER = "all-MiniLM-L6-v2.tokenizer.json"

_SHA256 = {
    CL100K_RANKS: "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    MINILM_TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


class VendoredFileChanged(RuntimeError):
    """A vendored file is not the one that was checked in."""


def read_vendored(name: str) -> bytes:
    """The unpacked bytes of a vendored file; raises `VendoredFileChanged` where its SHA-256 differs."""
    data = files("knowledgestack.lexicon").joinpath("data", name).read_bytes()
    if name.endswith(".gz"):
        data = gzip.decompress(data)
    if hashlib.sha256(data).hexdigest() != _SHA256[name]:
        raise VendoredFileChanged(f"{name} differs from the sum in lexicon/data/README")
    return data
