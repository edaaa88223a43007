"""Imports every table, so that the metadata is whole. The one module that may import the `_models` of others."""

from knowledgestack.auth import _models as auth
from knowledgestack.catalogue import _models as catalogue
from knowledgestack.chat import _models as chat
from knowledgestack.databases import _models as databases
from knowledgestack.db.base import metadata
from knowledgestack.demo import _models as demo
from knowledgestack.documents import _models as documents
from knowledgestack.jobs import _models as jobs
from knowledgestack.models import _models as models
from knowledgestack.sources import _models as sources
from knowledgestack.verified_queries import _models as verified_queries
from knowledgestack.workspaces import _models as workspaces

__all__ = [
    "auth",
    "catalogue",
    "chat",
    "databases",
    "demo",
    "documents",
    "jobs",
    "metadata",
    "models",
    "sources",
    "verified_queries",
    "workspaces",
]
