"""What is found in a text about the tables and columns of a database."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.catalogue._mentions import LEAST_SCORE, Find, find_mentions, locate
from knowledgestack.catalogue._names import Names
from knowledgestack.demo import database as demo_database
from knowledgestack.documents.parsers import parse
from knowledgestack.lexicon.language import detect
from tests.support.labelled_links import HANDBOOK

PAGES = Path(demo_database.__file__).parents[1] / "handbook"
SHOP = Names(
    [
        ("public", "ordh", ["ono", "cno", "st", "net_m"]),
        ("public", "ordl", ["ono", "q", "net_m"]),
        ("public", "order", ["id", "status", "total"]),
        ("public", "customer", ["id", "name", "rental_rate"]),
    ]
)


def found(text: str, names: Names = SHOP) -> dict[str, Find]:
    return {str(find.thing).removeprefix("public."): find for find in find_mentions(text, "en", names)}


def demo_names() -> Names:
    """Tables and columns of the demo's schema, read from its own statements."""
    sql = Path(demo_database.__file__).with_name("schema.sql").read_text()
    tables: list[tuple[str, str, list[str]]] = []
    for name, body in re.findall(r"CREATE TABLE (\w+) \((.*?)\);", sql, re.DOTALL):
        parts = re.split(r",\s*(?![^()]*\))", body)
        columns = [part.split()[0] for part in parts if part.split()[0].islower()]
        tables.append(("public", name, columns))
    return Names(tables)


def test_precision_and_recall_on_the_handbook_stay_where_they_were_measured() -> None:
    names = demo_names()
    right = proposed = labelled = 0
    for page in sorted(PAGES.iterdir()):
        document = parse(page.name, page.read_bytes())
        things = set(found(document.text, names))
        gold = set(HANDBOOK[page.name].split())
        right, proposed, labelled = right + len(things & gold), proposed + len(things), labelled + len(gold)
    assert right / proposed >= 0.97
    assert right / labelled >= 0.85


def test_a_qualified_name_in_code_explains_its_column() -> None:
    finds = found("The customer stands in `ORDH.cno` and nowhere else.")
    assert finds["ordh.cno"].quote == "The customer stands in ORDH.cno and nowhere else."
    assert finds["ordh.cno"].score > 0.85


def test_a_column_belongs_to_the_table_that_its_sentence_names() -> None:
    finds = found("`ORDL` holds lines: `q` the quantity and `net_m` the value.")
    assert set(finds) == {"ordl", "ordl.q", "ordl.net_m"}


def test_a_column_belongs_to_the_table_of_its_heading() -> None:
    text = "## ordh\n\nHeads of orders.\n\n- **net_m**: value in cents\n- **cno**: the customer\n"
    finds = found(text)
    assert finds["ordh.net_m"].quote == "net_m: value in cents"
    assert finds["ordh"].quote == "Heads of orders."
    assert "ordl.net_m" not in finds


def test_a_data_dictionary_links_each_row_to_its_column() -> None:
    rows = ("| order | total | sum of the lines |", "| customer | name | full name |")
    text = "\n".join(("| Table | Column | Meaning |", "|---|---|---|", *rows))
    finds = found(text)
    assert finds["order.total"].quote == "Table: order · Column: total · Meaning: sum of the lines"
    assert "customer.name" in finds


def test_a_rule_about_a_suffix_is_a_rule_about_every_column_that_has_it() -> None:
    finds = found("| Suffix | Unit |\n|---|---|\n| `_m` | minor units, such as cents |\n\nSee `ORDH` and `ORDL`.")
    assert finds["ordh.net_m"].quote == finds["ordl.net_m"].quote == "Suffix: _m · Unit: minor units, such as cents"


def test_a_table_of_codes_explains_the_column_that_heads_it() -> None:
    text = "The table `ordh` knows:\n\n| `st` | Status |\n|---|---|\n| A | accepted |\n| S | shipped |\n"
    assert found(text)["ordh.st"].quote == "st / Status: A = accepted; S = shipped"


def test_a_term_of_a_glossary_names_a_column_of_the_same_words() -> None:
    text = "| Term | Meaning |\n|---|---|\n| Rental rate | cost of a week |\n\nThe `customer` table has it."
    assert "customer.rental_rate" in found(text)


def test_ordinary_words_are_not_names() -> None:
    assert found("Every customer may order again. The total of an order and its status stand on the invoice.") == {}
    assert found("- **name**: the name of the API\n- **status**: the HTTP status\n- `total`: how many") == {}


def test_an_ordinary_word_is_a_name_where_it_is_called_one() -> None:
    finds = found("The customer table lists people. Its `name` column holds the full name.")
    assert {"customer", "customer.name"} <= set(finds)


def test_examples_in_code_blocks_explain_nothing() -> None:
    assert found("```sql\nSELECT ordh.cno FROM ordh\n```\n") == {}


def test_of_two_places_the_one_that_explains_is_kept() -> None:
    text = "See `ordh.st`, please.\n\nLater:\n\n`ordh.st` is the status letter of an order.\n"
    assert found(text)["ordh.st"].quote == "ordh.st is the status letter of an order."


def test_a_sentence_that_leans_on_the_one_before_brings_it_along() -> None:
    text = "The value of an order is kept in cents. It stands in `ordh.net_m`."
    find = found(text)["ordh.net_m"]
    assert find.quote == "The value of an order is kept in cents. It stands in ordh.net_m."
    assert text[find.start : find.end] == text


def test_words_are_found_again_where_they_moved_to() -> None:
    text = "The customer stands in `ORDH.cno`, always.\n"
    moved = "# New\n\nOne more line before it.\n\n" + text
    quote = found(text)["ordh.cno"].quote
    place = locate(moved, "en", quote)
    assert place is not None
    assert (moved[place[0] : place[1]], place[2]) == ("The customer stands in `ORDH.cno`, always.", ("New",))
    assert locate("Nothing of it.", "en", quote) is None


@pytest.mark.parametrize(
    "text", ["", "\n\n", "|", "| |\n|-|\n| |", "`", "**", "# \n", "_ __ ___", "`a.b.c.d`", "|a|\n|-|\n|`_m`|"]
)
def test_odd_texts_are_read_without_harm(text: str) -> None:
    found(text)


@given(st.text(alphabet="ordhcn_m.st`*|#-: \n_(),qAO1", max_size=400))
def test_every_find_lies_in_its_text_and_is_good_enough(text: str) -> None:
    for find in find_mentions(text, detect(text) or "en", SHOP):
        assert 0 <= find.start < find.end <= len(text)
        assert LEAST_SCORE <= find.score <= 1
        assert find.quote
