"""Sets up a checkout: Python packages, Node packages and the built web client, each only where something changed.

Runs on the standard library alone, before anything is installed. `python3 bootstrap.py python|run|dev|client|contract`.
"""

import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BACKEND, FRONTEND, VENV = ROOT / "backend", ROOT / "frontend", ROOT / ".venv"
VENV_PYTHON = VENV / "bin/python"
NODE_MODULES, DIST = FRONTEND / "node_modules", FRONTEND / "dist"
PYTHON_LOCKS = {"run": BACKEND / "requirements.lock", "dev": BACKEND / "requirements-dev.lock"}
SETUP_LOCK = BACKEND / "requirements-setup.lock"
LEAST_NODE = (20, 19)
NOT_SOURCE = {"node_modules", "dist", "generated", "test-results", "e2e", "routeTree.gen.ts"}


class SetupError(Exception):
    """Something is missing or failed; the text says what, and how to get it."""


def main() -> None:
    goal = sys.argv[1] if len(sys.argv) > 1 else ""
    goals = {
        "python": python_goal,
        "run": run_goal,
        "dev": dev_goal,
        "client": client_goal,
        "contract": contract_goal,
    }
    if goal not in goals:
        sys.exit(f"usage: bootstrap.py {'|'.join(goals)}")
    give_home()
    try:
        goals[goal]()
    except SetupError as error:
        sys.exit(f"\n{error}")
    except KeyboardInterrupt:
        sys.exit(130)


def python_goal() -> None:
    install_python("run")


def run_goal() -> None:
    check_node()
    install_python("run")
    build_client()


def client_goal() -> None:
    check_node()
    build_client()


def contract_goal() -> None:
    check_node()
    install_node()
    generate_client()


def dev_goal() -> None:
    check_node()
    install_python("dev")
    install_node()
    generate_client()


def give_home() -> None:
    """Installers keep caches under HOME; where it is unset or cannot be written they get a folder of ours."""
    home = os.environ.get("HOME", "")
    if not home or not os.access(home, os.W_OK):
        ours = ROOT / ".data/home"
        ours.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.environ["HOME"] = str(ours)


# Python packages


def install_python(kind: str) -> None:
    wanted, present = python_key(kind), installed_keys()
    if present.get(kind) != wanted or not packages_are_whole():
        install_packages(kind, wanted)
    # Every process of the product would else compile what it imports, where Python may not keep bytecode.
    run_quietly(VENV_PYTHON, "-m", "compileall", "-q", BACKEND / "src")


def install_packages(kind: str, wanted: str) -> None:
    with step("Python packages"):
        if not packages_are_whole() or not venv_works():
            make_venv()
        stamp = VENV / "installed.json"
        stamp.unlink(missing_ok=True)
        pip("install", "--require-hashes", "-r", SETUP_LOCK)
        uv_or_pip("install", "--require-hashes", "-r", PYTHON_LOCKS[kind])
        uv_or_pip("install", "--no-deps", "--no-build-isolation", "--editable", BACKEND)
        keys = {"run": python_key("run"), "dev": wanted} if kind == "dev" else {"run": wanted}
        stamp.write_text(json.dumps(keys))


def python_key(kind: str) -> str:
    """Changes with the locked packages, the entry points of our own, the interpreter and the place of the checkout."""
    project = BACKEND / "pyproject.toml"
    return digest([PYTHON_LOCKS[kind], SETUP_LOCK, project], kind, sys.version, str(ROOT), platform.machine())


def installed_keys() -> dict[str, str]:
    try:
        return dict(json.loads((VENV / "installed.json").read_text()))
    except (OSError, ValueError):
        return {}


def venv_works() -> bool:
    """Whether interpreter and pip run, and our command was made for this place."""
    asked = [str(VENV_PYTHON), "-c", "import pip, sys; print(sys.version, sys.prefix, sep='|')"]
    try:
        answer = subprocess.run(asked, capture_output=True, text=True, check=False)
    except OSError:
        return False
    scripts_fit = all(str(VENV) in first_line_of(script) for script in (VENV / "bin").glob("knowledgestack"))
    return answer.returncode == 0 and answer.stdout.strip() == f"{sys.version}|{VENV}" and scripts_fit


def first_line_of(path: Path) -> str:
    return path.read_text(errors="replace").partition("\n")[0]


def make_venv() -> None:
    if VENV.is_symlink() or VENV.is_file():
        VENV.unlink()
    shutil.rmtree(VENV, ignore_errors=True)
    made = subprocess.run([sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True, check=False)
    if made.returncode == 0:
        return
    shutil.rmtree(VENV, ignore_errors=True)
    if os.geteuid() == 0 and shutil.which("apt-get"):
        run_quietly("apt-get", "update")
        run_quietly("apt-get", "install", "--yes", "--no-install-recommends", "python3-venv")
        run_quietly(sys.executable, "-m", "venv", VENV)
        return
    raise SetupError(
        "Python cannot make virtual environments here. On Debian and Ubuntu: apt install python3-venv\n"
        f"{made.stdout}{made.stderr}".strip()
    )


def packages_are_whole() -> bool:
    return os.access(VENV_PYTHON, os.X_OK) and all(
        is_whole(info) for info in VENV.glob("lib/python*/site-packages/*.dist-info")
    )


def is_whole(info: Path) -> bool:
    with suppress(OSError):
        lines = (info / "RECORD").read_text(encoding="utf-8").splitlines()
        names = (line.split(",")[0] for line in lines if not line.startswith('"'))
        return all((info.parent / name).exists() for name in names if not name.endswith(".pyc"))
    return False


def uv_or_pip(*arguments) -> None:
    """uv is several times faster; pip knows settings of the machine that uv does not read, such as pip.conf."""
    command, *others = map(str, arguments)
    uv = [str(VENV / "bin/uv"), "pip", command, "--quiet", "--no-progress", "--compile-bytecode", *others]
    environ = dict(os.environ, VIRTUAL_ENV=str(VENV), UV_LINK_MODE="copy")
    try:
        installed = subprocess.run(uv, env=environ, capture_output=True, check=False).returncode == 0
    except OSError:
        installed = False
    if not installed:
        pip(*arguments)


def pip(*arguments) -> None:
    run_quietly(VENV_PYTHON, "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments)


# Node packages and the web client


def check_node() -> None:
    how = "Get it from https://nodejs.org, or on Debian 13 and Ubuntu 25.04 and newer: apt install nodejs npm"
    wanted = ".".join(map(str, LEAST_NODE))
    if not shutil.which("node") or not shutil.which("npm"):
        raise SetupError(f"Node.js {wanted} or newer with npm is needed and was not found. {how}")
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False).stdout.strip()
    numbers = said.lstrip("v").split(".")
    if len(numbers) < 2 or tuple(int(n) for n in numbers[:2]) < LEAST_NODE:
        raise SetupError(f"Node.js {wanted} or newer is needed, this is {said or 'unknown'}. {how}")


def install_node() -> None:
    key = digest([FRONTEND / "package-lock.json"], platform.machine())
    stamp = NODE_MODULES / ".installed"
    if stamp.exists() and stamp.read_text() == key and (NODE_MODULES / ".bin/vite").exists():
        return
    with step("Node packages"):
        options = ("--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
        run_quietly("npm", "ci", *options, cwd=FRONTEND)
        stamp.write_text(key)


def generate_client() -> None:
    key = digest([ROOT / "openapi.json", FRONTEND / "openapi-ts.config.ts", FRONTEND / "package-lock.json"])
    generated, stamp = FRONTEND / "src/api/generated", NODE_MODULES / ".generated"
    if stamp.exists() and stamp.read_text() == key and any(generated.glob("*.ts")):
        return
    with step("API client"):
        run_quietly("npm", "run", "generate", cwd=FRONTEND)
        stamp.write_text(key)


def build_client() -> None:
    key = digest([*client_sources(), ROOT / "openapi.json"])
    stamp = DIST / ".built"
    if stamp.exists() and stamp.read_text() == key and (DIST / "index.html").exists():
        return
    install_node()
    generate_client()
    with step("Web client"):
        stamp.unlink(missing_ok=True)
        run_quietly("npm", "run", "build", cwd=FRONTEND)
        stamp.write_text(key)


def client_sources() -> Iterator[Path]:
    for folder, folders, files in os.walk(FRONTEND):
        folders[:] = sorted(name for name in folders if name not in NOT_SOURCE)
        yield from (Path(folder, name) for name in sorted(files) if name not in NOT_SOURCE)


# Helpers


def digest(paths, *words: str) -> str:
    total = hashlib.sha256("\0".join(words).encode())
    for path in paths:
        if not path.exists():
            raise SetupError(f"{path} is missing: this checkout is not whole.")
        total.update(f"\0{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return total.hexdigest()


def run_quietly(*command, cwd: Path = ROOT) -> None:
    """Run it and show what it said only where it failed."""
    words = [str(word) for word in command]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    answer = subprocess.run(words, cwd=cwd, text=True, check=False, **pipes)
    if answer.returncode != 0:
        raise SetupError(f"{answer.stdout.strip()}\n\nThis failed: {' '.join(words)}")


@contextmanager
def step(name: str) -> Iterator[None]:
    print(f"{time.strftime('%H:%M:%S')}  {name} …", flush=True)
    began = time.monotonic()
    yield
    print(f"{time.strftime('%H:%M:%S')}  {name + ' ready':<60}{time.monotonic() - began:8.1f} s", flush=True)


if __name__ == "__main__":
    main()
