"""The word-piece tokenizer of the local embedding model, whole: it never cuts and never pads."""

from tokenizers import Tokenizer

from knowledgestack.lexicon._vendored import MINILM_TOKENIZER, read_vendored


def load_word_pieces() -> Tokenizer:
    """all-MiniLM-L6-v2's tokenizer; the file would truncate and pad at 128 by itself, both are switched off."""
    tokenizer = Tokenizer.from_str(read_vendored(MINILM_TOKENIZER).decode())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
