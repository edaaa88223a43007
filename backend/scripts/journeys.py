"""The browser tests: starts the local profile on a data directory of its own and runs them against it.

They need Chromium. Where it is missing, root installs it by apt; else they are skipped, and under CI=true they fail.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from knowledgestack.app._ports import free_port
from knowledgestack.app.postgres import EmbeddedPostgres

FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LINK = re.compile(r"(https?://\S+)/enter#\S+")
START_SECONDS = 300.0
STOP_SECONDS = 30.0


def main() -> None:
    browser = find_browser() or install_browser()
    if browser is None:
        advice = "Chromium was not found. Install it, on Debian: apt install chromium"
        if os.environ.get("CI") == "true":
            sys.exit(advice)
        print(f"Browser tests skipped. {advice}")
        return
    with tempfile.TemporaryDirectory(prefix="ks-journeys-") as folder, running(Path(folder)) as link:
        environ = os.environ | {"E2E_LINK": link, "E2E_ORIGIN": link.partition("/enter#")[0], "E2E_CHROMIUM": browser}
        done = subprocess.run(["npm", "run", "--silent", "e2e"], cwd=FRONTEND, env=environ, check=False)
        if done.returncode != 0:
            show_logs(Path(folder))
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
    """The sign-in link of a stack that ends with this block; it has no model key, whatever the environment says."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "KS_"))}
    environ.pop("DATABASE_URL", None)
    environ |= {"KS_DATA_DIR": str(data_dir), "KS_PORT": str(free_port(18400)), "PYTHONUNBUFFERED": "1"}
    supervisor = start(environ)
    try:
        yield wait_for_link(supervisor)
    finally:
        supervisor.send_signal(signal.SIGINT)
        try:
            supervisor.wait(STOP_SECONDS)
        finally:
            supervisor.kill()
            EmbeddedPostgres(data_dir).remove()


def start(environ: Mapping[str, str]) -> "subprocess.Popen[str]":
    command = [str(Path(sys.executable).with_name("knowledgestack")), "up"]
    return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for_link(supervisor: "subprocess.Popen[str]") -> str:
    lines: list[str] = []
    assert supervisor.stdout is not None
    stdout = supervisor.stdout

    def read() -> None:  # all of it, so that a full pipe never holds the supervisor up
        for line in stdout:
            print(f"  {line}", end="", flush=True)
            lines.append(line)

    Thread(target=read, daemon=True).start()
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and supervisor.poll() is None:
        link = next((found.group() for line in list(lines) if (found := LINK.search(line))), None)
        if link is not None:
            return link
        time.sleep(0.1)
    sys.exit("KnowledgeStack did not start for the browser tests.")


def show_logs(data_dir: Path) -> None:
    for log in sorted((data_dir / "logs").glob("*.log")):
        tail = log.read_text(errors="replace").splitlines()[-40:]
        print("\n".join([f"--- {log.name}", *tail]))


if __name__ == "__main__":
    main()
