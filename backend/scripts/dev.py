"""Starts the local profile and, before it, Vite, which reloads the web client and forwards /api."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from knowledgestack.app._ports import free_port

FRONTEND = Path(__file__).resolve().parents[2] / "frontend"
VITE_ORIGIN = "http://localhost:5173"


def main() -> None:
    port = str(free_port(int(os.environ.get("KS_PORT", "8400"))))
    environ = os.environ | {"KS_PORT": port, "WEB_APP_URL": VITE_ORIGIN, "KS_API_ORIGIN": f"http://127.0.0.1:{port}"}
    up = subprocess.Popen([str(Path(sys.executable).with_name("knowledgestack")), "up", "--with-parent"], env=environ)
    vite = subprocess.Popen(["npm", "run", "dev", "--", "--strictPort"], cwd=FRONTEND, env=environ)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to both, and both end by it
    try:
        up.wait()
    finally:
        vite.terminate()
        vite.wait()
    sys.exit(up.returncode)


if __name__ == "__main__":
    main()
