"""`python -m bench [NAME …]`: runs the measurements one after the other and writes the table of docs/benchmarks.md.

Each runs in a process of its own, so that none inherits the memory or the caches of another.
"""

import subprocess
import sys
import time
from pathlib import Path

from bench.report import write_report

BENCHES = ("chunking", "embedding", "ingestion", "streams", "api", "answers", "sql_fence", "catalogue")
BACKEND = Path(__file__).resolve().parents[1]


def main() -> None:
    wanted = sys.argv[1:] or list(BENCHES)
    unknown = set(wanted) - set(BENCHES)
    if unknown:
        sys.exit(f"Unknown: {', '.join(sorted(unknown))}. There are: {', '.join(BENCHES)}")
    failed: list[str] = []
    for name in wanted:
        began = time.monotonic()
        print(f"{name} …", flush=True)
        done = subprocess.run([sys.executable, "-m", f"bench.{name}"], cwd=BACKEND, check=False)
        print(f"{name} took {time.monotonic() - began:.0f} s", flush=True)
        if done.returncode != 0:
            failed.append(name)
    write_report()
    if failed:
        sys.exit(f"These measurements failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
