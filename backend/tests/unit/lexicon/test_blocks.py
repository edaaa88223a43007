import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mistletoe import block_token, block_tokenizer

from knowledgestack.lexicon import _markdown
from knowledgestack.lexicon.blocks import BlockKind, heading_text, scan_blocks

PAGE = """\
---
title: Returns
---
# Returns **policy** [link](http://x) #

First paragraph
wrapped.

Underlined
----------

- one
  - nested
- two

1. wake it
2. log in

- **Hold**: kept back
- **Ship**: sent on

| code | meaning |
|------|---------|
| K | kept |
| S | sent |

```py
# not a heading
```

> quoted
> text

<div>markup</div>

**RMA**: the number of a return.

    indented = code
"""


def outline(markdown: str) -> list[tuple[str, str]]:
    return [(block.kind.value, markdown[block.start : block.end]) for block in scan_blocks(markdown)]


def test_kinds_and_exact_places() -> None:
    assert outline(PAGE) == [
        ("code", "---\ntitle: Returns\n---"),
        ("heading", "# Returns **policy** [link](http://x) #"),
        ("paragraph", "First paragraph\nwrapped."),
        ("heading", "Underlined\n----------"),
        ("list", "- one\n  - nested\n- two"),
        ("list", "1. wake it\n2. log in"),
        ("definition", "- **Hold**: kept back"),
        ("definition", "- **Ship**: sent on"),
        ("table", "| code | meaning |\n|------|---------|\n| K | kept |\n| S | sent |"),
        ("code", "```py\n# not a heading\n```"),
        ("quote", "> quoted\n> text"),
        ("html", "<div>markup</div>"),
        ("definition", "**RMA**: the number of a return."),
        ("code", "    indented = code"),
    ]


def test_headings_have_level_and_plain_words() -> None:
    headings = [(block.level, block.text) for block in scan_blocks(PAGE) if block.kind is BlockKind.HEADING]
    assert headings == [(1, "Returns policy link"), (2, "Underlined")]


def test_rows_items_and_headers_can_be_addressed() -> None:
    by_kind = {block.kind: block for block in scan_blocks(PAGE)}
    table = by_kind[BlockKind.TABLE]
    assert [PAGE[row.start : row.end] for row in table.parts] == ["| K | kept |", "| S | sent |"]
    assert table.header is not None
    assert PAGE[table.header.start : table.header.end] == "| code | meaning |\n|------|---------|"
    steps = by_kind[BlockKind.LIST]
    assert [PAGE[item.start : item.end] for item in steps.parts] == ["1. wake it", "2. log in"]


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("**Bold** and `code`", "Bold and code"),
        ("[Guide](https://x.y) to ![logo](a.png) X", "Guide to logo X"),
        ("snake_case stays", "snake_case stays"),
        (r"\# escaped", "# escaped"),
        ("Anchor {#here}", "Anchor"),
        ("a <b>tag</b>", "a tag"),
        ("x" * 5_000, "x" * 200),
    ],
)
def test_heading_text(source: str, plain: str) -> None:
    assert heading_text(source) == plain


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_line_ends_do_not_move_places(ending: str) -> None:
    markdown = PAGE.replace("\n", ending)
    for block in scan_blocks(markdown):
        source = markdown[block.start : block.end]
        assert source == source.strip("\r\n")
        assert source.strip()


@given(st.text(alphabet=st.sampled_from(list("ab #>-*`~|=.1[]<:\n\t\r\u2028é👩")), max_size=300))
def test_blocks_ascend_and_leave_out_only_white_space(markdown: str) -> None:
    position = 0
    for block in scan_blocks(markdown):
        assert position <= block.start <= block.end <= len(markdown)
        assert markdown[position : block.start].strip() == ""
        assert block.start == 0 or markdown[block.start - 1] == "\n"
        for part in block.parts:
            assert block.start <= part.start <= part.end <= block.end
        position = block.end
    assert markdown[position:].strip() == ""


@pytest.mark.parametrize(
    "markdown",
    [
        "# h\n[x\n" * 5_000,
        ">" * 50_000 + " x",
        "- " * 50_000 + "x",
        "\n".join("  " * depth + "- item" for depth in range(500)),
        "[" * 200_000,
        "`" * 200_000,
        "|\n" * 30_000,
        "<a " + "b " * 100_000,
        "```\n" + "x\n" * 50_000,
        "- a\n  # h\n  [x\n" * 3_000,
    ],
    ids=range(10),
)
def test_hostile_markdown_is_bounded(markdown: str) -> None:
    began = time.process_time()
    scan_blocks(markdown)
    assert time.process_time() - began < 5


def test_scanning_is_safe_from_many_threads() -> None:
    pages = [PAGE, "> # Quote\n> Setext\n> ===\n", "Setext\n===\n\n```\nx\n```\n"] * 20
    alone = [scan_blocks(page) for page in pages]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(scan_blocks, pages)) == alone


@given(
    st.lists(
        st.sampled_from(
            ["a word", "  b", "# h", "- x", "  y", "1. z", "> q", "```", "===", "---", "| a | b |", "|---|---|"]
        )
        | st.sampled_from(
            ["", "    code", "***", "\ttab", "<div>", "Zwölf | x", "été", "~~~", "+ p", "a\n- b", "1) n"]
        ),
        max_size=14,
    )
)
def test_short_cuts_read_as_mistletoe_does(lines: list[str]) -> None:
    markdown = "\n".join(lines)
    plain = [kind for kind in _markdown._TYPES if kind not in (_markdown._EmptyLine, _markdown._PlainParagraph)]
    plain = [
        {_markdown._HtmlBlock: block_token.HtmlBlock, _markdown._Paragraph: block_token.Paragraph}.get(kind, kind)
        for kind in plain
    ]
    before = block_token._token_types
    block_token._token_types = plain
    try:
        shadows = [f"{line}\n" for line in markdown.split("\n")]
        expected = [(kind.__name__, line - 1) for kind, _, line in block_tokenizer.tokenize_block(shadows, plain)]
    finally:
        block_token._token_types = before
    names = {"Heading": "Paragraph"}
    found = [(block.name, block.first_line) for block in _markdown.parse_blocks(markdown.split("\n"))]
    setext = [(names.get(name, name), line) for name, line in found]
    assert [line for _, line in found] == [line for _, line in expected]
    assert setext == [(names.get(name, name), line) for name, line in expected]
