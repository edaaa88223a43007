"""Serves the built web client: its files as they are, and its page for every other address."""

import mimetypes
from pathlib import Path
from typing import Any

from litestar import Request, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.response import File

from knowledgestack.auth.guard import PUBLIC

_IMMUTABLE = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"


def client_files(dist: Path) -> HTTPRouteHandler:
    """A handler for every address outside /api. Files under assets/ carry their hash in their name."""
    root = dist.resolve()

    @get(["/", "/{path:path}"], opt=PUBLIC, include_in_schema=False, name="client", sync_to_thread=False)
    def serve_client(request: Request[Any, Any, Any]) -> File:
        relative = request.scope["path"].lstrip("/")
        if relative == "api" or relative.startswith("api/"):
            raise NotFoundException("There is nothing here.")
        file = (root / relative).resolve()
        if not (file.is_relative_to(root) and file.is_file()):
            file = root / "index.html"
        if not file.is_file():
            raise NotFoundException("The web client is not built.")
        cache = _IMMUTABLE if file.is_relative_to(root / "assets") else _REVALIDATE
        media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        headers = {"Cache-Control": cache}
        return File(file, filename=file.name, media_type=media_type, content_disposition_type="inline", headers=headers)

    return serve_client
