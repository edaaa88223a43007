import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledgestack.documents.chunking import MAX_CHUNK_TOKENS, MIN_CHUNK_TOKENS, Chunk, create_chunks
from knowledgestack.documents.parsers import DocumentType, ParsedDocument, parse
from knowledgestack.lexicon.tokens import count_tokens


def document(text: str, kind: DocumentType = DocumentType.MARKDOWN) -> ParsedDocument:
    return ParsedDocument(type=kind, title="A page", text=text, encoding="utf-8")


def chunk(text: str, kind: DocumentType = DocumentType.MARKDOWN) -> list[Chunk]:
    return create_chunks(document(text, kind))


def words(count: int, word: str = "word") -> str:
    return " ".join(f"{word}{number}" for number in range(count)) + "."


def assert_contract(text: str, chunks: list[Chunk]) -> None:
    position = 0
    for index, found in enumerate(chunks):
        assert found.chunk_index == index
        assert position <= found.start < found.end <= len(text)
        assert text[position : found.start].strip() == ""
        assert text[found.start : found.end] in found.text
        assert found.token_count == count_tokens(found.text) <= MAX_CHUNK_TOKENS
        assert found.text.strip()
        for block in found.blocks:
            assert found.start <= block.start <= block.end <= found.end
            assert all(block.start <= part.start <= part.end <= block.end for part in block.parts)
        position = found.end
    assert text[position:].strip() == ""


def test_a_small_page_is_one_chunk() -> None:
    (only,) = chunk("# Warranty\n\nTwo years.\n")
    assert only.text == "# Warranty\n\nTwo years."
    assert only.heading_path == ("Warranty",)
    assert [block.kind for block in only.blocks] == ["heading", "paragraph"]
    assert only.kind == "paragraph"


def test_an_empty_text_has_no_chunk() -> None:
    assert chunk("") == []
    assert chunk(" \n\n ") == []


def test_each_section_has_its_path() -> None:
    headings = ("# Guide", "## Returns", "### Europe", "## Repairs")
    text = "".join(f"{heading}\n\n{words(40)}\n\n" for heading in headings)
    paths = [found.heading_path for found in chunk(text)]
    assert paths == [("Guide",), ("Guide", "Returns"), ("Guide", "Returns", "Europe"), ("Guide", "Repairs")]
    assert_contract(text, chunk(text))


def test_blocks_of_a_section_are_packed_up_to_the_ceiling() -> None:
    text = "# Guide\n\n" + "\n\n".join(words(60) for _ in range(9)) + "\n"
    chunks = chunk(text)
    assert_contract(text, chunks)
    assert all(found.token_count > MAX_CHUNK_TOKENS // 2 for found in chunks[:-1])
    assert all(found.text.endswith(".") for found in chunks), "paragraphs that fit stay whole"


def test_what_is_below_the_floor_goes_to_its_neighbour() -> None:
    text = f"# Guide\n\nShort intro.\n\n## Returns\n\n{words(100)}\n\n## Note\n\nTiny.\n"
    (only,) = chunk(text)
    assert only.heading_path == ("Guide", "Returns")
    assert only.text == text.strip()


def test_small_neighbours_keep_what_their_paths_share() -> None:
    terms = "".join(f"### Term {number}\n\nIt means the number {number}.\n\n" for number in range(12))
    chunks = chunk(f"# Glossary\n\n## Codes\n\n{terms}")
    assert all(found.token_count >= MIN_CHUNK_TOKENS for found in chunks)
    assert all(found.heading_path[:2] == ("Glossary", "Codes") for found in chunks)


def test_a_heading_is_never_left_alone_before_a_long_paragraph() -> None:
    text = f"# Guide\n\n{words(100)}\n\n## Long\n\n{words(1200)}\n"
    chunks = chunk(text)
    assert_contract(text, chunks)
    with_heading = next(found for found in chunks if "## Long" in found.text)
    assert with_heading.token_count >= MIN_CHUNK_TOKENS
    assert with_heading.heading_path == ("Guide", "Long")


def test_a_long_table_is_split_by_row_with_its_header_repeated() -> None:
    header = "| order | state |\n| --- | --- |"
    rows = [f"| RMA-{number:05} | waiting for parts {number} |" for number in range(200)]
    text = "# Orders\n\n" + header + "\n" + "\n".join(rows) + "\n"
    chunks = chunk(text)
    assert_contract(text, chunks)
    assert len(chunks) > 3
    seen: list[str] = []
    for found in chunks:
        assert header in found.text
        table = next(block for block in found.blocks if block.kind == "table")
        seen.extend(text[row.start : row.end] for row in table.parts)
        assert table.header is not None
        assert text[table.header.start : table.header.end] == header
    assert seen == rows, "each row is whole and in exactly one chunk"
    assert {found.kind for found in chunks} == {"table"}


def test_split_code_is_fenced_again() -> None:
    lines = [f"value_{number} = compute({number})" for number in range(300)]
    text = "# Script\n\n```python\n" + "\n".join(lines) + "\n```\n"
    chunks = chunk(text)
    assert_contract(text, chunks)
    assert len(chunks) > 2
    for found in chunks:
        assert found.text.count("```") == 2
        assert "```python\n" in found.text
        assert found.text.rstrip().endswith("```")


def test_long_paragraphs_are_cut_between_sentences() -> None:
    text = " ".join(f"Sentence number {number} says something about returns." for number in range(200))
    chunks = chunk(text)
    assert_contract(text, chunks)
    assert all(found.text.endswith("returns.") and found.text.startswith("Sentence") for found in chunks)


def test_long_lists_are_cut_between_items() -> None:
    text = "\n".join(f"{number}. Step {number} of the procedure, done with care." for number in range(1, 120))
    chunks = chunk(text)
    assert_contract(text, chunks)
    assert all(found.text.split(".")[0].isdigit() and found.kind == "list" for found in chunks)


def test_csv_rows_carry_their_header() -> None:
    parsed = parse("orders.csv", b"order;state\n" + b"".join(b"RMA-%d;open\n" % number for number in range(300)))
    chunks = create_chunks(parsed)
    assert_contract(parsed.text, chunks)
    assert len(chunks) > 2
    assert all(found.text.startswith("| order | state |") and found.kind == "table" for found in chunks)


def test_json_chunks_name_the_keys_above_them() -> None:
    items = ",".join(f'{{"sku": "SL-{number:04}", "name": "Machine {number}"}}' for number in range(120))
    parsed = parse("stock.json", f'{{"meta": {{"at": 1}}, "stock": {{"machines": [{items}]}}}}'.encode())
    chunks = create_chunks(parsed)
    assert_contract(parsed.text, chunks)
    assert len(chunks) > 3
    assert {found.heading_path[:2] for found in chunks[1:]} == {("stock", "machines")}


def test_plain_text_is_cut_by_paragraph() -> None:
    text = "\n\n".join(words(90, f"p{number}w") for number in range(8))
    chunks = chunk(text, DocumentType.TEXT)
    assert_contract(text, chunks)
    assert all(found.text.endswith(".") and found.heading_path == () for found in chunks)


def test_places_are_code_points() -> None:
    text = "# 👩‍👩‍👧‍👦 Família\n\nÉtat naïve 日本語 " + "🙂 " * 400 + "\n\nEnd.\n"
    chunks = chunk(text)
    assert_contract(text, chunks)
    assert chunks[0].heading_path == ("👩‍👩‍👧‍👦 Família",)


def test_carriage_returns_keep_places_exact() -> None:
    text = f"# A\r\n\r\n{words(100)}\r\n\r\n| a | b |\r\n|---|---|\r\n| 1 | 2 |\r\n"
    assert_contract(text, chunk(text))


_MARKS = st.sampled_from(
    [
        *("# ", "## ", "### ", "- ", "1. ", "> ", "| a | b |\n|---|---|\n| ", " | ", "```py\n", "```\n", "**x**: "),
        *("\n\n", "\n", "    ", "\t", "  ", ". ", "é", "👩‍👩‍👧", "日本", "\u2028", "\r\n", "---\n", "===\n", "<div>\n"),
        *("[a]: b\n", "a" * 90),
    ]
)
_MARKDOWN = st.lists(_MARKS | st.text(max_size=12), max_size=250).map("".join)


@settings(max_examples=120)
@given(_MARKDOWN, st.sampled_from(list(DocumentType)), st.integers(1, 12))
def test_any_text_keeps_the_contract(part: str, kind: DocumentType, repeats: int) -> None:
    text = part * repeats
    chunks = chunk(text, kind)
    assert_contract(text, chunks)
    assert bool(chunks) == bool(text.strip())


@settings(max_examples=40)
@given(st.lists(st.integers(1, 400), min_size=2, max_size=25), st.randoms(use_true_random=False))
def test_no_chunk_of_prose_is_below_the_floor(lengths: list[int], random: object) -> None:
    text = "".join(
        f"{'#' * (1 + index % 4)} Heading {index}\n\n{words(length)}\n\n" for index, length in enumerate(lengths)
    )
    chunks = chunk(text)
    assert_contract(text, chunks)
    if len(chunks) > 1:
        assert min(found.token_count for found in chunks) >= MIN_CHUNK_TOKENS


@pytest.mark.parametrize(
    "text",
    [
        "word " * 1_000_000,
        "a" * 5_000_000,
        "".join(f"# h{number}\n\ntext {number}\n\n" for number in range(10_000)),
        "\n".join("  " * depth + "- item" for depth in range(500)),
        "👩‍👩‍👧‍👦" * 50_000,
        "| a |\n|---|\n" + "| x |\n" * 100_000,
        "```\n" + "x = 1\n" * 100_000,
        "- a\n" * 100_000,
    ],
    ids=["5 MB line", "5 MB word", "headings", "deep list", "emoji", "table", "open fence", "list"],
)
def test_pathological_text_is_bounded(text: str) -> None:
    began = time.process_time()
    chunks = chunk(text)
    assert time.process_time() - began < 20
    assert all(found.token_count <= MAX_CHUNK_TOKENS for found in chunks)
    assert all(left.end <= right.start for left, right in pairwise(chunks))
