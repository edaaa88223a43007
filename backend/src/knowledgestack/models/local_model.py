"""Facts of the bundled embedding model that processes need without loading it."""

LOCAL_MODEL_NAME = "all-MiniLM-L6-v2-int8"
LOCAL_DIMENSIONS = 384
LOCAL_LANGUAGES = frozenset({"en"})

LOCAL_COSINE_FLOOR = 0.25
"""Below this an English passage does not concern the question (docs/search.md says how it was measured)."""
