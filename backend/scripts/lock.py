"""Pins every direct and indirect dependency by version and hash, without download addresses."""

import subprocess
import sys
from pathlib import Path

BACKEND = Path(__file__).resolve().parents[1]
COMPILE = ("pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes")
LOCKS = (
    ("pyproject.toml", "-o", "requirements.lock"),
    ("pyproject.toml", "--extra", "dev", "-c", "requirements.lock", "-o", "requirements-dev.lock"),
    ("requirements-setup.in", "-c", "requirements-dev.lock", "-o", "requirements-setup.lock"),
)


def main() -> None:
    uv = str(Path(sys.executable).with_name("uv"))
    for arguments in LOCKS:
        subprocess.run([uv, *COMPILE, *sys.argv[1:], *arguments], cwd=BACKEND, check=True)
    package_lock = ["npm", "install", "--package-lock-only", "--ignore-scripts", "--omit-lockfile-registry-resolved"]
    subprocess.run(package_lock, cwd=BACKEND.parent / "frontend", check=True)


if __name__ == "__main__":
    main()
