"""Chat and embedding models."""

import os

# Read by onnxruntime when it is imported. Without it the library keeps a device identifier under HOME and uploads
# records of its use to its maker; nothing of an installation leaves the machine unless its owner says so.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
