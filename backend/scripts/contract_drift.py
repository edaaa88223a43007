"""Fails when openapi.json is not what the code says."""

import difflib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    command = [str(Path(sys.executable).with_name("knowledgestack")), "openapi"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    kept = (ROOT / "openapi.json").read_text().splitlines()
    if said == kept:
        return
    print("\n".join(difflib.unified_diff(kept, said, "openapi.json", "the code", lineterm="", n=2)))
    sys.exit("openapi.json is out of date. Write it again: make contract")


if __name__ == "__main__":
    main()
