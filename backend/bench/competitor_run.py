"""One competitor over one corpus, run by the competitors' own Python: prints CPU seconds, wall seconds and chunks."""

import json
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

TOKENS, OVERLAP = 512, 50


def langchain() -> tuple[str, Callable[[str], int]]:
    """Headings first, then at most 512 tokens: the nearest to a chunk with its heading path."""
    from langchain_text_splitters import (  # noqa: PLC0415  its time to import is no part of the measure
        MarkdownHeaderTextSplitter,
        RecursiveCharacterTextSplitter,
    )

    headings = MarkdownHeaderTextSplitter([("#" * level, f"h{level}") for level in range(1, 7)], strip_headers=False)
    splitter = RecursiveCharacterTextSplitter.from_tiktoken_encoder(
        "cl100k_base", chunk_size=TOKENS, chunk_overlap=OVERLAP
    )
    name = f"langchain-text-splitters {version('langchain-text-splitters')} Markdown headings + tiktoken"
    return name, lambda text: len(splitter.split_documents(headings.split_text(text)))


def llama_index() -> tuple[str, Callable[[str], int]]:
    """Sentences packed to at most 512 tokens."""
    import tiktoken  # noqa: PLC0415  as above
    from llama_index.core.node_parser import SentenceSplitter  # noqa: PLC0415

    encode = tiktoken.get_encoding("cl100k_base").encode
    splitter = SentenceSplitter(chunk_size=TOKENS, chunk_overlap=OVERLAP, tokenizer=encode)
    name = f"llama-index-core {version('llama-index-core')} SentenceSplitter"
    return name, lambda text: len(splitter.split_text(text))


def main() -> None:
    label, split = {"langchain": langchain, "llama_index": llama_index}[sys.argv[1]]()
    texts = json.loads(Path(sys.argv[2]).read_text())
    split("# Warm\n\nup the encoder.")
    cpu, wall = time.process_time(), time.perf_counter()
    chunks = sum(map(split, texts))
    times = {"cpu_seconds": time.process_time() - cpu, "wall_seconds": time.perf_counter() - wall}
    print(json.dumps({"name": label, "chunks": chunks, **times}))


if __name__ == "__main__":
    main()
