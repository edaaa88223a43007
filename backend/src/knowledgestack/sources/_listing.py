"""From what a connector lists to what `documents` observes."""

from knowledgestack.connectors.protocol import ListedDocument as Listed
from knowledgestack.documents.indexing import ListedDocument


def document_of(provider: str, listed: Listed) -> ListedDocument:
    return ListedDocument(
        external_id=listed.external_id,
        title=listed.title,
        provider=provider,
        url=listed.url,
        type=listed.type,
        author=listed.author,
        author_id=listed.author_id,
        edited_at=listed.edited_at,
        content_hash=listed.content_hash,
    )
