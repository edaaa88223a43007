"""JSON and JSON Lines: indented, every number and key as it was written."""

import msgspec

from knowledgestack.documents.parsers._base import DocumentType, ParsedDocument, document, title_from_name
from knowledgestack.documents.parsers._decoding import decode

_LINES_EXTENSIONS = (".jsonl", ".ndjson")
_NOT_JSON = "This file is not valid JSON; it was kept as plain text."


class JsonParser:
    type = DocumentType.JSON
    label = "JSON"
    extensions = (".json", *_LINES_EXTENSIONS)

    def parse(self, name: str, data: bytes) -> ParsedDocument:
        text, encoding, notes = decode(data)
        title = title_from_name(name)
        try:
            if name.lower().endswith(_LINES_EXTENSIONS):
                formatted = "\n".join(_indented(line) for line in text.split("\n") if line.strip())
            else:
                formatted = _indented(text)
        except (msgspec.DecodeError, RecursionError):
            return document(DocumentType.TEXT, title, text, encoding, (*notes, _NOT_JSON))
        return document(self.type, title, formatted + "\n", encoding, notes)


def _indented(text: str) -> str:
    return msgspec.json.format(text, indent=2)
