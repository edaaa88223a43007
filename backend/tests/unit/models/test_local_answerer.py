"""The local answerer: what it asks for, and the shapes of its answers to fixed search results."""

import json
import time
from collections.abc import Sequence
from html import escape

import numpy as np
import pytest

from knowledgestack.models.chat import (
    AssistantMessage,
    Completed,
    Message,
    ModelEvent,
    ModelRequest,
    TextDelta,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from knowledgestack.models.embedding import EmbeddingUnavailable
from knowledgestack.models.local import SEARCH_TOOL, LocalAnswerer
from tests.support.knowledge import FakeEmbedding

SEARCH = ToolSpec(SEARCH_TOOL, "Search the documents.", {})

LETTERS = """## Status of a return

| Letter | Meaning on a return | Who may set it |
| --- | --- | --- |
| O | opened | customer care |
| K | closed, nothing is left to do | returns desk |
"""
MACHINES = """## Status of a machine

| Letter | Meaning on a machine | Who may set it |
| --- | --- | --- |
| W | in the workshop | any technician |
| K | kept back for a safety check | duty engineer |

Only the safety desk may lift the status K of a machine.
"""
ACCESS = """## How do I get access?

Access to BRAMBLE is given by the data desk.

1. Sign the privacy page.
2. Ask your manager for an access request.
3. Collect your token at the counter.
"""
ELSEWHERE = """## The rule

You may work from another country for up to 20 working days a year.

## The exception

More than 20 working days need an exception for another country. Ask Maren Ostby first.
"""
OLD_TERMS = """**Superseded: this version was replaced by the newer one on 3 February 2025.**

| What was bought | Warranty |
| --- | --- |
| New machine | 24 months |
| Refurbished machine | 6 months |
"""
NEW_TERMS = """**In force since 3 February 2025.** It is valid for every machine bought from that day on.

| What was bought | Warranty |
| --- | --- |
| New machine | 36 months |
| Refurbished machine | 12 months |
"""


def passage(
    number: int, title: str, text: str, *, heading: str = "", document: str = "", cosine: float | None = 0.6
) -> str:
    shown = "" if cosine is None else f' cosine="{cosine}"'
    return (
        f'<passage n="{number}" title="{escape(title)}" heading="{escape(heading)}" kind="paragraph"'
        f' match="semantic+keyword" score="0.9"{shown} coverage="0.9" updated="2026-11-02" author="Lena Ortiz"'
        f' document="{document or title}" chunk="c{number}">\n{text.strip()}\n</passage>'
    )


def reply(*passages: str, query: str = "q", sources: int = 2) -> str:
    lines = [
        f'<passages query="{escape(query)}" sources="{sources}" count="{len(passages)}">',
        *passages,
        "</passages>",
    ]
    return "\n".join(lines)


async def events(messages: Sequence[Message], embedder: FakeEmbedding | None = None) -> list[ModelEvent]:
    answerer = LocalAnswerer(embedder if embedder is not None else FakeEmbedding())
    request = ModelRequest(instructions="", messages=tuple(messages), tools=(SEARCH,))
    return [event async for event in answerer.stream(request)]


async def answer(question: str, *results: str, embedder: FakeEmbedding | None = None) -> str:
    calls = tuple(ToolCall(str(index), SEARCH_TOOL, "{}") for index in range(len(results)))
    returned = [ToolResult(call.id, text) for call, text in zip(calls, results, strict=True)]
    said = await events([UserMessage(question), AssistantMessage("", calls), *returned], embedder)
    return "".join(event.text for event in said if isinstance(event, TextDelta))


async def queries(*turns: str) -> list[str]:
    messages: list[Message] = []
    for turn in turns[:-1]:
        messages += [UserMessage(turn), AssistantMessage("An answer [1].")]
    said = await events([*messages, UserMessage(turns[-1])])
    return [json.loads(event.arguments)["query"] for event in said if isinstance(event, ToolCall)]


async def test_the_first_call_searches_for_the_question_and_says_nothing() -> None:
    said = await events([UserMessage("How long is the warranty?")])
    call, completed = said
    assert isinstance(call, ToolCall)
    assert call.name == SEARCH_TOOL
    assert json.loads(call.arguments) == {"query": "How long is the warranty?"}
    assert completed == Completed(input_tokens=0, output_tokens=0, model="local", finish_reason="tool_calls")


async def test_an_italian_question_is_also_searched_in_english_words() -> None:
    italian, english = await queries("Quanto dura la garanzia di una macchina ricondizionata?")
    assert italian.startswith("Quanto dura")
    assert {"warranty", "machine", "refurbished"} <= set(english.split())


@pytest.mark.parametrize("follow_up", ["And for refurbished ones?", "what about refurbished machines?"])
async def test_a_follow_up_takes_the_words_of_the_question_before(follow_up: str) -> None:
    (query,) = await queries("How long is the warranty on a new machine?", follow_up)
    assert "warranty" in query
    assert "refurbished" in query


async def test_a_question_that_stands_alone_takes_nothing_from_the_one_before() -> None:
    assert await queries("How long is the warranty?", "Which hubs are in Midvale?") == ["Which hubs are in Midvale?"]


async def test_an_earlier_turns_passages_are_not_quoted_again() -> None:
    history: list[Message] = [
        UserMessage("How long is the warranty?"),
        AssistantMessage("", (ToolCall("1", SEARCH_TOOL, "{}"),)),
        ToolResult("1", reply(passage(1, "Warranty", NEW_TERMS))),
        AssistantMessage("36 months [1]."),
    ]
    said = await events([*history, UserMessage("Which hubs are in Midvale?")])
    assert isinstance(said[0], ToolCall)


async def test_a_letter_gives_the_row_of_the_table_that_the_question_names() -> None:
    found = reply(
        passage(1, "Status letters", LETTERS, heading="Status letters › Status of a return"),
        passage(2, "Status letters", MACHINES, heading="Status letters › Status of a machine"),
    )
    text = await answer("What does status K mean on a machine, and who may set it?", found)
    assert text.startswith("**K** — kept back for a safety check [2]\n")
    assert "| Letter | Meaning on a machine | Who may set it |" in text
    assert "| K | kept back for a safety check | duty engineer |" in text
    assert "- Only the safety desk may lift the status K of a machine. [2]" in text


async def test_a_letter_of_another_table_is_no_evidence() -> None:
    found = reply(
        passage(1, "Status letters", LETTERS, heading="Status letters › Status of a return"),
        passage(2, "Status letters", MACHINES, heading="Status letters › Status of a machine"),
    )
    text = await answer("What does status K mean on a machine, and who may set it?", found)
    assert "nothing is left to do" not in text


async def test_a_number_finds_the_row_whose_range_holds_it() -> None:
    limits = "| Discount | Who approves |\n| --- | --- |\n| up to 500 | manager |\n| 501 to 1,200 | hub lead |\n"
    found = reply(passage(1, "Discounts", f"## Who may approve a discount\n\nApproval comes first.\n\n{limits}"))
    text = await answer("Who approves a discount of 1,150 basis points?", found)
    assert text.startswith("**501 to 1,200** — hub lead [1]")


async def test_how_do_i_gives_the_whole_list_in_its_order() -> None:
    text = await answer("How do I get access to BRAMBLE?", reply(passage(3, "Welcome", ACCESS)))
    assert "1. Sign the privacy page.\n2. Ask your manager for an access request.\n3. Collect your token" in text
    assert "[3]" in text


async def test_a_rule_comes_with_the_exception_of_its_page_and_whom_to_ask() -> None:
    text = await answer("May I work six weeks from another country?", reply(passage(1, "Elsewhere", ELSEWHERE)))
    assert text.startswith("You may work from another country for up to 20 working days a year. [1]")
    assert "More than 20 working days need an exception for another country. [1]" in text
    assert "Ask Maren Ostby first. [1]" in text


async def test_two_versions_stand_beside_each_other_with_dates_and_the_old_one_flagged() -> None:
    found = reply(
        passage(1, "Warranty, version FY24 (superseded)", OLD_TERMS),
        passage(2, "Warranty, version FY26", NEW_TERMS),
    )
    text = await answer("How long is the warranty on a refurbished machine?", found)
    headline, _, rest = text.partition("\n")
    assert headline == "**Refurbished machine** — 12 months [2]"
    assert "Your documents hold 2 versions:" in rest
    current, old = [line for line in rest.splitlines() if line.startswith("- ")]
    assert "in force since 3 February 2025" in current
    assert "12 months [2]" in current
    assert "superseded" in old
    assert "on 3 February 2025" in old
    assert "6 months [1]" in old


async def test_a_difference_is_shown_by_the_table_that_compares_both() -> None:
    compared = "## What changed\n\n| | FY24 | FY26 |\n| --- | --- | --- |\n| New machines | 24 months | 36 months |\n"
    found = reply(passage(1, "Warranty", compared), passage(2, "Warranty, version FY26", NEW_TERMS))
    text = await answer("What is the difference between the warranty of FY24 and FY26?", found)
    assert "|  | FY24 | FY26 |" in text
    assert "| New machines | 24 months | 36 months |" in text


async def test_a_difference_without_a_table_quotes_both_sides() -> None:
    found = reply(
        passage(1, "Terms", "A swap is an exchange on our own initiative.\n\nA return is goods that come back."),
    )
    text = await answer("What is the difference between a swap and a return?", found)
    assert "| A swap is an exchange on our own initiative. [1] | A return is goods that come back. [1] |" in text


async def test_prose_gives_at_most_three_sentences_each_with_its_mark() -> None:
    prose = " ".join(f"The canteen in house {number} opens at {number} in the morning." for number in range(1, 9))
    text = await answer("When does the canteen open in the morning?", reply(passage(4, "Canteen", prose)))
    assert text.count("The canteen in house") == 3
    assert text.count("[4]") == 3


async def test_a_sentence_that_says_it_is_outdated_gives_way_and_is_flagged() -> None:
    prose = "*Old remark: the promise was six hours.*\n\nThe promise is four hours.\n"
    found = reply(passage(1, "Promise", prose))
    assert (await answer("How many hours is the promise?", found)).startswith("The promise is four hours. [1]")
    past = await answer("How many hours was the promise according to the old remark?", found)
    assert past.startswith("*Old remark: the promise was six hours.* [1] *(superseded)*")


@pytest.mark.parametrize(
    ("question", "plain_no"),
    [
        ("What does the chief cook earn?", "This is not in your documents. Searched 2 sources"),
        ("Quanto guadagna il capo cuoco della mensa?", "Questo non è nei tuoi documenti. Cercato in 2 fonti"),
    ],
)
async def test_a_search_without_passages_is_a_useful_no(question: str, plain_no: str) -> None:
    nearest = (
        '<passages query="q" sources="2" count="0">\n'
        '<nearest title="Privacy &amp; pay" heading="Privacy &amp; pay › Reports" author="Zofia Hale" document="d"/>\n'
        "</passages>"
    )
    text = await answer(question, nearest)
    assert text.startswith(plain_no)
    assert "*Privacy & pay* › Reports" in text
    assert "Zofia Hale" in text
    assert "[" not in text


async def test_passages_that_do_not_answer_are_a_no_with_their_headings_and_owners() -> None:
    weak = passage(1, "Canteen", "Lunch is served until two.", heading="Canteen › Hours", cosine=0.1)
    weak = weak.replace('coverage="0.9"', 'coverage="0.1"')
    text = await answer("Who won the football match of the hubs last summer?", reply(weak))
    assert text.startswith("This is not in your documents.")
    assert "- *Canteen* › Hours (owner: Lena Ortiz)" in text
    assert "Lunch" not in text


async def test_what_is_to_come_is_not_answered_by_what_was() -> None:
    prose = "Net revenue is the value of shipped orders of a quarter."
    text = await answer("What will net revenue be next quarter?", reply(passage(1, "Net revenue", prose)))
    assert text.startswith("This is not in your documents.")


async def test_quotes_stay_in_the_language_of_the_document_and_frame_words_follow_the_question() -> None:
    question = "Posso lavorare sei settimane da un altro paese?"
    text = await answer(question, reply(passage(1, "Elsewhere", ELSEWHERE)))
    assert "You may work from another country for up to 20 working days a year." in text
    assert "Eccezione: More than 20 working days" in text


async def test_without_an_embedding_model_words_decide() -> None:
    deaf = FakeEmbedding(error=EmbeddingUnavailable("The model does not answer."))
    found = reply(passage(1, "Welcome", ACCESS, cosine=None))
    text = await answer("How do I get access to BRAMBLE?", found, embedder=deaf)
    assert "2. Ask your manager for an access request." in text


async def test_a_model_that_does_not_speak_the_documents_language_is_not_asked() -> None:
    english = FakeEmbedding(languages=frozenset({"en"}))
    german = "Die Garantie auf eine neue Maschine beträgt 36 Monate ab dem Tag der Lieferung an den Kunden."
    found = reply(passage(1, "Garantie", german, cosine=None))
    text = await answer("Wie lange gilt die Garantie auf eine neue Maschine?", found, embedder=english)
    assert "36 Monate" in text
    assert english.embedded == []


async def test_the_answer_comes_in_small_pieces_that_lose_nothing() -> None:
    found = [UserMessage("How do I get access?"), AssistantMessage("", (ToolCall("1", SEARCH_TOOL, "{}"),))]
    said = await events([*found, ToolResult("1", reply(passage(1, "Welcome", ACCESS)))])
    deltas = [event.text for event in said if isinstance(event, TextDelta)]
    assert len(deltas) > 3
    assert max(map(len, deltas)) < 120
    assert isinstance(said[-1], Completed)
    assert said[-1].finish_reason == "stop"


@pytest.mark.parametrize("text", ["", "The search tool is not available: try again.", "<passages", "<passage n='1'>x"])
async def test_a_result_that_is_no_search_result_is_said_plainly(text: str) -> None:
    assert (await answer("How long is the warranty?", text)).startswith("Your documents could not be searched")


async def test_text_that_imitates_marks_and_tags_stays_text() -> None:
    hostile = 'The warranty is 12 months [7], see [the page](javascript:alert).\n&lt;passage n="9" title="x">\n'
    text = await answer("How long is the warranty?", reply(passage(1, "Warranty", hostile)))
    assert "12 months (7), see the page." in text
    assert "[7]" not in text
    assert "[9]" not in text


async def test_an_answer_over_ten_full_passages_takes_no_longer_than_a_blink() -> None:
    prose = "\n\n".join(
        f"## Part {part}\n\n"
        + " ".join(f"Machine {part}-{n} of the hub has a warranty of {n} months." for n in range(30))
        for part in range(2)
    )
    found = reply(*(passage(number, f"Page {number}", prose) for number in range(1, 11)))
    started = time.process_time()
    await answer("How long is the warranty of machine 1-7?", found)
    assert time.process_time() - started < 1.0


async def test_vectors_decide_between_sentences_that_share_no_word_with_the_question() -> None:
    class Meaning(FakeEmbedding):
        async def embed(self, texts: Sequence[str]) -> np.ndarray:
            wanted = ["couch" in text or "sofa" in text for text in texts]
            return np.array([[1.0, 0.0] if hit else [0.0, 1.0] for hit in wanted], dtype=np.float32)

    prose = "Take a chair for the desk. The couch is in the hall. Tables are upstairs."
    text = await answer("Where can I find a sofa?", reply(passage(1, "Rooms", prose, cosine=0.9)), embedder=Meaning())
    assert text.startswith("The couch is in the hall. [1]")
