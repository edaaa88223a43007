"""One suite over every parser, then what each kind promises of its own."""

import os
import time

import pytest

from knowledgestack.core.errors import UnsupportedFile
from knowledgestack.documents.parsers import (
    PARSERS,
    DocumentType,
    ParsedDocument,
    ParseFailed,
    Parser,
    accepted_extensions,
    choose_parser,
    parse,
)

SAMPLES: dict[DocumentType, str] = {
    DocumentType.MARKDOWN: "# Résumé 日本\n\nText\n",
    DocumentType.TEXT: "Résumé 日本\nText\n",
    DocumentType.CSV: "name,city\nRésumé,日本\n",
    DocumentType.JSON: '{"name": "Résumé 日本"}\n',
    DocumentType.HTML: "<h1>Résumé 日本</h1><p>Text</p>\n",
}
BINARIES = {
    "PNG": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "JPEG": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "GIF": b"GIF89a\x01\x00",
    "PDF": b"%PDF-1.7\n<html><script>alert(1)</script></html>",
    "ZIP": b"PK\x03\x04\x14\x00",
    "Office": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "gzip": b"\x1f\x8b\x08\x00",
    "program": b"\x7fELF\x02\x01",
    "SQLite": b"SQLite format 3\x00",
    "video": b"\x00\x00\x00\x18ftypmp42",
    "NUL": b"plain words\x00and a NUL",
}

every_parser = pytest.mark.parametrize("parser", PARSERS, ids=lambda parser: parser.label)


def name_of(parser: Parser) -> str:
    return "folder/A page" + parser.extensions[0]


def parsed(parser: Parser, data: bytes) -> ParsedDocument:
    return parse(name_of(parser), data)


@every_parser
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_encodings_give_the_same_text(parser: Parser, encoding: str) -> None:
    expected = parsed(parser, SAMPLES[parser.type].encode())
    found = parsed(parser, SAMPLES[parser.type].encode(encoding))
    assert found.text == expected.text
    assert "Résumé" in found.text
    assert "日本" in found.text
    assert found.type is parser.type
    assert found.notes == ()


@every_parser
def test_line_ends_are_the_same_on_every_system(parser: Parser) -> None:
    for ending in ("\r\n", "\r"):
        found = parsed(parser, SAMPLES[parser.type].replace("\n", ending).encode())
        assert found.text == parsed(parser, SAMPLES[parser.type].encode()).text


@every_parser
def test_another_encoding_is_recognised_and_said(parser: Parser) -> None:
    text = SAMPLES[parser.type].replace("日本", "perché l'università è così già più")
    found = parsed(parser, text.encode("cp1252"))
    assert "perché l'università è così già più" in found.text
    assert "cp1252" in found.notes[0]


@every_parser
def test_one_broken_byte_does_not_garble_the_rest(parser: Parser) -> None:
    found = parsed(parser, SAMPLES[parser.type].encode().replace(b"R", b"\xffR", 1))
    assert "日本" in found.text
    assert "\ufffd" in found.text
    assert found.notes


@every_parser
def test_zero_bytes_are_refused(parser: Parser) -> None:
    with pytest.raises(ParseFailed) as refused:
        parsed(parser, b"")
    assert refused.value.code == "empty_file"


@every_parser
def test_white_space_alone_is_no_text(parser: Parser) -> None:
    with pytest.raises(ParseFailed) as refused:
        parsed(parser, b" \n\t\n")
    assert refused.value.code == "no_text"


@every_parser
def test_bytes_that_no_encoding_fits_are_refused(parser: Parser) -> None:
    noise = bytes(byte or 1 for byte in os.urandom(4_000))
    with pytest.raises(ParseFailed) as refused:
        parsed(parser, b"\x81\x8d\x01\x02\x03" + noise)
    assert refused.value.code == "undecodable"
    assert "UTF-8" in refused.value.detail


@every_parser
@pytest.mark.parametrize("binary", BINARIES)
def test_a_binary_file_is_refused_whatever_its_name(parser: Parser, binary: str) -> None:
    with pytest.raises(UnsupportedFile) as refused:
        choose_parser(name_of(parser), BINARIES[binary])
    assert refused.value.detail.startswith("A page" + parser.extensions[0])


@every_parser
def test_a_title_is_always_there(parser: Parser) -> None:
    assert parsed(parser, b"7\n").title == "A page"


@every_parser
def test_upper_case_extensions_are_known(parser: Parser) -> None:
    assert choose_parser("PAGE" + parser.extensions[0].upper(), b"x") is parser


@every_parser
@pytest.mark.parametrize("unit", ["<", "[", "{", "`", '"', "a", "|\n", "- ", "<a ", "\u2028"])
def test_hostile_input_is_bounded(parser: Parser, unit: str) -> None:
    began = time.process_time()
    found = parsed(parser, ("x" + unit * 100_000).encode())
    assert time.process_time() - began < 10
    assert found.text.strip()


def test_each_extension_belongs_to_one_parser() -> None:
    extensions = [extension for parser in PARSERS for extension in parser.extensions]
    assert accepted_extensions() == extensions
    assert len(set(extensions)) == len(extensions)
    assert all(extension == extension.lower() and extension.startswith(".") for extension in extensions)


@pytest.mark.parametrize("name", ["report.pdf", "notes", "archive.tar.gz", ".md", "x.md.exe"])
def test_other_kinds_are_refused_with_a_sentence(name: str) -> None:
    with pytest.raises(UnsupportedFile) as refused:
        parse(name, b"text")
    assert "Markdown, Text, CSV, JSON and HTML" in refused.value.detail


def test_a_png_named_md_is_named_for_what_it_is() -> None:
    with pytest.raises(UnsupportedFile, match=r"logo\.md is a PNG image, not a text file"):
        parse("brand/logo.md", BINARIES["PNG"])


class TestMarkdown:
    def test_title_from_front_matter_heading_or_name(self) -> None:
        assert parse("a.md", b'---\ntitle: "Returns 2026"\n---\n# Other\n').title == "Returns 2026"
        assert parse("a.md", b"intro\n\n# Returns **policy**\n").title == "Returns policy"
        assert parse("a.md", b"```\n# not this\n```\n").title == "a"

    def test_embedded_images_are_taken_out(self) -> None:
        source = (
            "![chart](data:image/png;base64,"
            + "A" * 5_000
            + ") after\n[1]: <data:image/gif;base64,"
            + "B" * 500
            + ">\n"
        )
        text = parse("a.md", source.encode()).text
        assert text == "![chart](data:,) after\n[1]: <data:,>\n"

    def test_text_is_kept_as_written(self) -> None:
        source = "# A\n\n<b>x</b>  \n\ttab `code`\n"
        assert parse("a.md", source.encode()).text == source


class TestCsv:
    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    def test_delimiters(self, delimiter: str) -> None:
        data = "\n".join(delimiter.join(row) for row in (["sku", "price"], ["SL-1", "1.5"], ["SL-2", "2"]))
        assert parse("a.csv", data.encode()).text == ("| sku | price |\n| --- | --- |\n| SL-1 | 1.5 |\n| SL-2 | 2 |\n")

    def test_quotes_bars_and_line_ends_in_cells(self) -> None:
        text = parse("a.csv", b'name,note\n"x|y","line one\nline two"\n"say ""hi""",\n').text
        assert text.splitlines()[2:] == ["| x\\|y | line one line two |", '| say "hi" |  |']

    def test_columns_without_names_are_numbered(self) -> None:
        assert parse("a.csv", b"1,2\n3,4\n").text.startswith("| Column 1 | Column 2 |\n| --- | --- |\n| 1 | 2 |")

    def test_ragged_rows_lose_nothing(self) -> None:
        text = parse("a.csv", b"a,b\n1\n1,2,3\n").text
        assert text == "| a | b | Column 3 |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 | 2 | 3 |\n"

    def test_what_is_no_table_is_kept_as_text(self) -> None:
        found = parse("a.csv", b'a,b\n"' + b"x" * 200_000)
        assert found.type is DocumentType.TEXT
        assert "plain text" in found.notes[0]


class TestJson:
    def test_numbers_and_repeated_keys_stay_as_written(self) -> None:
        text = parse("a.json", b'{"a":1.50,"a":[1e5,{"b":"c"}]}').text
        assert text == '{\n  "a": 1.50,\n  "a": [\n    1e5,\n    {\n      "b": "c"\n    }\n  ]\n}\n'

    def test_lines(self) -> None:
        assert parse("a.jsonl", b'{"a":1}\n\n{"b":2}\n').text == '{\n  "a": 1\n}\n{\n  "b": 2\n}\n'

    @pytest.mark.parametrize("data", [b"{bad", b'{"a": 1,}', b"[" * 100_000])
    def test_what_is_no_json_is_kept_as_text(self, data: bytes) -> None:
        found = parse("a.json", data)
        assert found.type is DocumentType.TEXT
        assert found.text == data.decode()
        assert "not valid JSON" in found.notes[0]


class TestHtml:
    def test_structure_becomes_markdown(self) -> None:
        page = (
            "<title>Guide &amp; rules</title><h1>Returns</h1><p>Within <b>30</b> days.</p><ul><li>one</li></ul>"
            "<table><tr><th>code</th></tr><tr><td>K</td></tr></table><dl><dt>RMA</dt><dd>A number.</dd></dl>"
            '<pre><code class="language-sql">SELECT 1 &lt; 2</code></pre>'
        )
        found = parse("a.html", page.encode())
        assert found.title == "Guide & rules"
        for part in (
            "# Returns\n",
            "Within **30** days.",
            "- one",
            "| code |\n| --- |\n| K |",
            "RMA\n:   A number.",
            "```sql\nSELECT 1 < 2\n```",
        ):
            assert part in found.text

    @pytest.mark.parametrize(
        "markup",
        [
            "<script>alert(1)</script>",
            "<style>x{}</style>",
            "<iframe src=javascript:alert(1)></iframe>",
            "<svg onload=alert(1)><script>alert(1)</script></svg>",
            "<img src=x onerror=alert(1)>",
            "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
            "<p>&lt;img src=x onerror=alert(1)&gt;</p>",
            "<a href='javascript:alert(1)'>go</a>",
            "<a href='JaVaScRiPt:alert(1)'>go</a>",
            "<a href='data:text/html,<script>alert(1)</script>'>go</a>",
            "<math><mtext><script>alert(1)</script></mtext></math>",
            "<noscript><p title='</noscript><script>alert(1)</script>'></noscript>",
            "<object data=x></object><embed src=x><form action=x><input></form>",
            "<!-- <script>alert(1)</script> -->",
            "<template><script>alert(1)</script></template>",
            "<p>` &lt;script&gt;alert(1)&lt;/script&gt;</p>",
            "<p>&lt;!--</p>",
        ],
    )
    def test_no_markup_survives(self, markup: str) -> None:
        text = parse("a.html", f"<body><p>before</p>{markup}<p>after</p></body>".encode()).text
        assert "before" in text
        unescaped = text.replace("\\<", "").lower()
        assert not any(sign in unescaped for sign in ("<script", "<img", "<svg", "<iframe", "<style", "<!--", "</"))
        assert not any(scheme in unescaped for scheme in ("](javascript:", "](<javascript:", "](data:", "](vbscript:"))

    def test_embedded_images_leave_their_words(self) -> None:
        text = parse("a.html", b'<p>x</p><img alt="a chart" src="data:image/png;base64,' + b"A" * 9_000 + b'">').text
        assert "a chart" in text
        assert "AAAA" not in text

    def test_comparison_signs_in_code_and_text_stay(self) -> None:
        text = parse("a.html", b"<p>3 &lt; 4 and <code>a &lt;b&gt;</code></p><pre>x &lt;y&gt;</pre>").text
        assert "3 < 4 and `a <b>`" in text
        assert "x <y>" in text

    def test_declared_encoding(self) -> None:
        page = '<meta charset="shift_jis"><p>日本語の文章</p>'
        found = parse("a.html", page.encode("shift_jis"))
        assert "日本語の文章" in found.text
        assert found.encoding == "shift_jis"

    def test_a_page_beyond_the_memory_of_the_converter_is_refused(self) -> None:
        with pytest.raises(ParseFailed, match="32 MB") as refused:
            parse("a.html", b"<p>x</p>" + b" " * 32 * 1024 * 1024)
        assert refused.value.code == "too_large"

    def test_hidden_text_is_left_out(self) -> None:
        text = parse("a.html", b"<p>seen</p><p hidden>unseen</p><p style='display:none'>unseen</p>").text
        assert "seen" in text
        assert "unseen" not in text
