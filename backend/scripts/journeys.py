"""The browser tests: starts the local profile on a data directory of its own and runs them against it.

They need Chromium. Where it is missing, root installs it by apt; else they are skipped, and under CI=true they fail.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from knowledgestack.app.postgres import EmbeddedPostgres
from tests.support.fake_model import fake_model
from tests.support.journey_model import answer_journey
from tests.support.local_profile import LocalProfile, local_environ

FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main() -> None:
    browser = find_browser() or install_browser()
    if browser is None:
        advice = "Chromium was not found. Install it, on Debian: apt install chromium"
        if os.environ.get("CI") == "true":
            sys.exit(advice)
        print(f"Browser tests skipped. {advice}")
        return
    with (
        tempfile.TemporaryDirectory(prefix="ks-journeys-") as folder,
        fake_model() as model,
        running(Path(folder)) as link,
    ):
        model.otherwise = answer_journey
        environ = os.environ | {
            "E2E_CHROMIUM": browser,
            "E2E_LINK": link,
            "E2E_ORIGIN": link.partition("/enter#")[0],
            "E2E_MODEL_URL": model.base_url,
        }
        report = Path(folder) / "journeys.json"
        reporters = ["--reporter=default", "--reporter=json", f"--outputFile.json={report}"]
        done = subprocess.run(
            ["npm", "run", "--silent", "e2e", "--", *reporters], cwd=FRONTEND, env=environ, check=False
        )
        if done.returncode != 0:
            show_logs(Path(folder))
            show_failures(report)
    sys.exit(done.returncode)


def find_browser() -> str | None:
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def install_browser() -> str | None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return None
    print("Installing Chromium for the browser tests …", flush=True)
    environ = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        done = subprocess.run(
            ["apt-get", "--quiet", *command], env=environ, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            print(done.stdout + done.stderr)
    return find_browser()


@contextmanager
def running(data_dir: Path) -> Generator[str]:
    """The sign-in link of an installation that ends with this block. It has no model key, whatever is set here."""
    profile = LocalProfile(local_environ(data_dir))
    try:
        link = profile.wait_for_link()
        print(profile.output, flush=True)
        yield link
    finally:
        profile.end(signal.SIGINT)
        EmbeddedPostgres(data_dir).remove()


def show_failures(report: Path) -> None:
    """Say last what failed and why: the end of the output is what is kept of a long run."""
    if not report.exists():
        return
    for file in json.loads(report.read_bytes())["testResults"]:
        for journey in file["assertionResults"]:
            if journey["status"] == "failed":
                print("\n".join([f"--- failed: {journey['fullName']}", *journey["failureMessages"]])[:4_000])


def show_logs(data_dir: Path) -> None:
    for log in sorted((data_dir / "logs").glob("*.log")):
        tail = log.read_text(errors="replace").splitlines()[-40:]
        print("\n".join([f"--- {log.name}", *tail]))


if __name__ == "__main__":
    main()
