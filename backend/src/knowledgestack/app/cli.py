"""The command `knowledgestack`."""

import argparse
import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from knowledgestack.app import commands
from knowledgestack.core.config import SettingsError
from knowledgestack.core.errors import AppError


def main() -> None:
    arguments = _parser().parse_args()
    run: Callable[[argparse.Namespace], None] = arguments.run
    try:
        run(arguments)
    except SettingsError as error:
        sys.exit("\n".join(["KnowledgeStack cannot start:", *(f"  {problem}" for problem in error.problems)]))
    except AppError as error:
        sys.exit(error.detail)
    except KeyboardInterrupt:
        sys.exit(130)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="knowledgestack", description="Ask a company's documents.")
    verbs = parser.add_subparsers(required=True, metavar="COMMAND")
    everything = _verb(
        verbs, "up", "start everything on this machine", lambda a: commands.up(with_parent=a.with_parent)
    )
    everything.add_argument("--with-parent", action="store_true", help="end when the program that started it ends")
    _verb(verbs, "api", "serve the API and the web client", lambda _: commands.serve_api())
    _verb(verbs, "worker", "run jobs", lambda _: commands.work())
    _verb(verbs, "migrate", "bring the database up to date", lambda _: commands.migrate_database())
    _verb(verbs, "openapi", "print the schema of the API", lambda _: commands.print_openapi())
    _verb(verbs, "demo", "put the demo company into its workspace", lambda _: asyncio.run(commands.fill_demo()))
    link = _verb(verbs, "link", "print a link that signs in once", lambda a: asyncio.run(commands.print_link(a.email)))
    link.add_argument("--email", help="the person to sign in; without it the owner of the installation")
    evaluate = _verb(verbs, "eval", "measure the quality of search", lambda a: asyncio.run(commands.evaluate(a)))
    evaluate.add_argument("what", choices=["retrieval"])
    evaluate.add_argument("--collection", type=Path, required=True, help="folder with corpus, queries and qrels")
    evaluate.add_argument("--json", action="store_true", help="print JSON instead of a table")
    return parser


def _verb(verbs: Any, name: str, help_text: str, run: Callable[[argparse.Namespace], None]) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=help_text, description=help_text)
    parser.set_defaults(run=run)
    return parser
