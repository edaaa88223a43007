"""What is known of the local model without loading it: the API has no other part of it."""

MINILM_NAME = "all-MiniLM-L6-v2"
MINILM_PROVIDER = "local"
MINILM_DIMENSIONS = 384
MINILM_LANGUAGES = frozenset({"en"})
MINILM_COSINE_FLOOR = 0.3
