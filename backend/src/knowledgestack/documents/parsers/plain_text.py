"""Plain text: kept as written."""

from knowledgestack.documents.parsers._base import DocumentType, ParsedDocument, document, title_from_name
from knowledgestack.documents.parsers._decoding import decode


class TextParser:
    type = DocumentType.TEXT
    label = "Text"
    extensions = (".txt", ".text", ".log", ".rst", ".adoc")

    def parse(self, name: str, data: bytes) -> ParsedDocument:
        text, encoding, notes = decode(data)
        return document(self.type, title_from_name(name), text, encoding, notes)
