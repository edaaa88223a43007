"""How a process without the bundled model asks a worker for vectors: JSON texts in, float32 bytes out."""

EMBED_PATH = "/embed"
VECTORS_MEDIA_TYPE = "application/octet-stream"
MAX_TEXTS = 256
MAX_REQUEST_BYTES = 8 * 1024 * 1024
