from typing import ClassVar

from mistletoe.block_tokenizer import FileWrapper

_token_types: list[type[BlockToken]]

class BlockToken:
    @classmethod
    def start(cls, line: str) -> object: ...
    @classmethod
    def read(cls, lines: FileWrapper) -> object: ...

class SetextHeading(BlockToken):
    level: int
    def __init__(self, lines: list[str]) -> None: ...

class Heading(BlockToken):
    level: int
    @classmethod
    def check_interrupts_paragraph(cls, lines: FileWrapper) -> object: ...

class Paragraph(BlockToken):
    parse_setext: ClassVar[bool]
    @classmethod
    def is_setext_heading(cls, line: str) -> object: ...

class HtmlBlock(BlockToken):
    @classmethod
    def check_interrupts_paragraph(cls, lines: FileWrapper) -> object: ...

class BlockCode(BlockToken): ...
class CodeFence(BlockToken):
    @classmethod
    def check_interrupts_paragraph(cls, lines: FileWrapper) -> object: ...

class List(BlockToken):
    @classmethod
    def check_interrupts_paragraph(cls, lines: FileWrapper) -> object: ...

class Quote(BlockToken):
    @classmethod
    def check_interrupts_paragraph(cls, lines: FileWrapper) -> object: ...

class Table(BlockToken):
    @classmethod
    def check_interrupts_paragraph(cls, lines: FileWrapper) -> object: ...


class ThematicBreak(BlockToken):
    @classmethod
    def check_interrupts_paragraph(cls, lines: FileWrapper) -> object: ...
