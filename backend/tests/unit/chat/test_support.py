import json
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledgestack.chat.support import check_answer, check_sentence
from knowledgestack.documents.contracts import TextRange
from knowledgestack.retrieval.contracts import Citation

SUPPORT = Path(__file__).parents[2] / "support"
ITALIAN = {"resi", "ferie", "sicurezza"}


def citation(text: str, index: int = 1) -> Citation:
    return Citation(
        index=index,
        chunk_id=UUID(int=index),
        document_id=UUID(int=1),
        title="Handbook",
        url=None,
        provider="upload",
        heading_path=["Handbook", "Returns"],
        text=text,
        similarity_score=0.7,
        match_kind="both",
        range=TextRange(start=0, end=len(text)),
        author=None,
        updated_at=None,
    )


PASSAGE = "An unopened machine can be returned within 30 days of delivery. The restocking fee is 1,500 EUR."


def verdicts(answer: str, *passages: str) -> list[tuple[str, str, list[str]]]:
    figures = check_answer(answer, [citation(text, index) for index, text in enumerate(passages, start=1)])
    return [(answer[figure.start : figure.end], figure.kind, figure.refs) for figure in figures]


def test_a_sentence_is_checked_with_the_marks_in_and_behind_it() -> None:
    answer = "Übersicht.\nAn unopened machine can be returned within 30 days [1]. The fee is 2 EUR. [1] No mark here."
    assert verdicts(answer, PASSAGE) == [
        ("An unopened machine can be returned within 30 days [1].", "passage", ["1"]),
        ("The fee is 2 EUR.", "unsupported", ["1"]),
    ]


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("The restocking fee is 1500 EUR.", "supported"),
        ("The restocking fee is 1.500 EUR.", "supported"),
        ("The restocking fee is 1 500 EUR.", "unsupported"),
        ("The restocking fee is 1,600 EUR.", "unsupported"),
        ("An unopened machine cannot be returned within 30 days of delivery.", "unsupported"),
        ("Lunch is served in the canteen at noon.", "unsupported"),
        ("Machine SL-0726 can be returned within 30 days.", "unsupported"),
        ("A 30-day delivery return of an unopened machine.", "supported"),
        ("Yes.", None),
    ],
)
def test_numbers_codes_and_negations_decide(sentence: str, verdict: str | None) -> None:
    assert check_sentence(sentence, [PASSAGE], "en") == verdict


def test_a_sentence_in_bold_ends_where_it_ends() -> None:
    passage = "**The numbers are not granted to the reporting role.** No report can read the two columns."
    assert check_sentence("The numbers are not granted to the reporting role.", [passage], "en") == "supported"


def test_an_answer_in_another_language_is_judged_by_its_numbers_alone() -> None:
    right = "Una macchina non aperta si può restituire entro 30 giorni dalla consegna."
    assert check_sentence(right, [PASSAGE], "it") == "supported"
    assert check_sentence(right.replace("30", "60"), [PASSAGE], "it") == "unsupported"
    assert check_sentence("Si può restituire una macchina non aperta dopo la consegna.", [PASSAGE], "it") is None


@given(st.text(alphabet="ab [1].\n|`*0", max_size=80))
def test_ranges_lie_in_the_answer_whatever_it_is(answer: str) -> None:
    for figure in check_answer(answer, [citation(PASSAGE)]):
        assert 0 <= figure.start < figure.end <= len(answer)


def test_the_precision_on_the_labelled_sentences_holds() -> None:
    """The figures of docs/sentence-check.md."""
    passages = json.loads((SUPPORT / "labelled_passages.json").read_text())
    counts = {"supported": [0, 0], "unsupported": [0, 0]}
    lines = (SUPPORT / "labelled_sentences.jsonl").read_text().splitlines()
    for line in lines:
        labelled = msgspec.json.decode(line)
        language = "it" if labelled["passages"][0] in ITALIAN else "en"
        verdict = check_sentence(labelled["sentence"], [passages[name] for name in labelled["passages"]], language)
        if verdict is not None:
            counts[verdict][labelled["supported"] == (verdict == "supported")] += 1
    assert len(lines) == 100
    precision = {verdict: right / (right + wrong) for verdict, (wrong, right) in counts.items()}
    assert precision["supported"] >= 0.9
    assert precision["unsupported"] >= 0.9
    assert sum(map(sum, counts.values())) >= 90
