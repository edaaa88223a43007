"""Every measurement, one after the other, and the table in docs/measurements.md made from their results.

`python -m bench` runs all of them, `python -m bench NAME…` those named. Each runs in a process of its own.
"""

import subprocess
import sys
import time

from bench.report import write_report

MEASUREMENTS = ("chunking", "embedding", "ingestion", "streams", "api", "answers")


def main() -> None:
    names = sys.argv[1:] or MEASUREMENTS
    unknown = set(names) - set(MEASUREMENTS)
    if unknown:
        sys.exit(f"Unknown: {', '.join(sorted(unknown))}. There are {', '.join(MEASUREMENTS)}.")
    failed: list[str] = []
    for name in names:
        began = time.monotonic()
        done = subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False)
        print(f"{name}: {time.monotonic() - began:.0f} s\n", flush=True)
        if done.returncode != 0:
            failed.append(name)
    write_report()
    if failed:
        sys.exit(f"These did not end well: {', '.join(failed)}")


if __name__ == "__main__":
    main()
