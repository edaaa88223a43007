"""The pages of the documentation that state facts of the code."""

import re
from pathlib import Path
from typing import overload

from knowledgestack.core.config import load_settings
from knowledgestack.core.identity import ROLE_PERMISSIONS, Permission, Role

ROOT = Path(__file__).resolve().parents[4]


class RecordingEnvironment(dict[str, str]):
    """Remembers which variables were asked for."""

    def __init__(self, values: dict[str, str]) -> None:
        super().__init__(values)
        self.asked: set[str] = set()

    @overload
    def get(self, key: str, default: None = None, /) -> str | None: ...
    @overload
    def get(self, key: str, default: str, /) -> str: ...
    def get(self, key: str, default: str | None = None, /) -> str | None:
        self.asked.add(key)
        return super().get(key, default)


def test_settings_page_lists_every_variable_and_no_other() -> None:
    required = {"DATABASE_URL": "postgresql://localhost/x", "TOKEN_ENCRYPTION_KEY": "A" * 43}
    asked: set[str] = set()
    for profile in (
        {},
        {"KS_PROFILE": "server", "WEB_APP_URL": "https://x.example", "KS_OBJECT_STORE_URL": "file:///x"},
    ):
        environment = RecordingEnvironment(required | profile)
        load_settings(environment)
        asked |= environment.asked
    listed = re.findall(r"^\| `([A-Z_]+)` \|", (ROOT / "docs/settings.md").read_text(), flags=re.MULTILINE)
    assert sorted(listed) == sorted(asked)


def test_permissions_page_says_what_the_code_allows() -> None:
    header, *rows = re.findall(r"^\| (.+) \|$", (ROOT / "docs/permissions.md").read_text(), flags=re.MULTILINE)
    roles = [Role(name.strip()) for name in header.split("|")[1:]]
    stated = {
        (name.strip(" `"), role): cell.strip() == "yes"
        for name, *cells in (row.split("|") for row in rows if not row.startswith("---"))
        for role, cell in zip(roles, cells, strict=True)
    }
    assert stated == {(p.value, role): p in ROLE_PERMISSIONS[role] for p in Permission for role in Role}


def test_links_between_pages_lead_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
    broken = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_makefile_has_at_most_twelve_targets_and_help_names_them() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = re.findall(r"^\.PHONY: (.+)$", makefile, flags=re.MULTILINE)[0].split()
    assert len(phony) <= 12
    assert re.findall(r"^([a-z]+):.*## ", makefile, flags=re.MULTILINE) == phony


def test_files_stay_short() -> None:
    limits = {"backend/src/**/*.py": 400, "frontend/src/**/*.tsx": 250}
    long = [
        str(path.relative_to(ROOT))
        for pattern, limit in limits.items()
        for path in ROOT.glob(pattern)
        if len(path.read_text().splitlines()) > limit
    ]
    assert long == []


def test_lock_files_name_no_download_address() -> None:
    locks = [*(ROOT / "backend").glob("*.lock"), ROOT / "frontend/package-lock.json"]
    address = re.compile(r'"resolved":|https?://\S+\.(tgz|whl|tar\.gz)')
    assert [lock.name for lock in locks if address.search(lock.read_text())] == []
