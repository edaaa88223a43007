import pytest

from knowledgestack.lexicon.questions import may_ask_for_figures


@pytest.mark.parametrize(
    "question",
    [
        "How many customers do we have?",
        "How many orders does each region have?",
        "Which hubs have the fewest technicians of level 3?",
        "Did we keep the four-hour promise on the Islands in October?",
        "Net revenue by product family",
        "What was the revenue last quarter?",
        "What is the average discount by region?",
        "Show the returns of last week",
        "Quanti clienti abbiamo?",
        "Quale fornitore ci è costato di più?",
        "Qual è il numero di clienti attivi?",
    ],
)
def test_figures(question: str) -> None:
    assert may_ask_for_figures(question)


@pytest.mark.parametrize(
    "question",
    [
        "What does status K mean on a machine, and who may set it?",
        "How long is the warranty on a refurbished machine bought last March?",
        "May I work six weeks from another country?",
        "What is the four-hour promise?",
        "How is net revenue calculated?",
        "How many minutes does the four-hour promise allow between dispatch and arrival?",
        "What counts as a return?",
        "Who approves a discount of 1,500 basis points?",
        "What will revenue be next quarter?",
        "Delete the test customers",
        "Che cosa significa lo stato K?",
        "Quanto dura la garanzia?",
        "Quale sarà il fatturato del prossimo trimestre?",
        "Chi approva uno sconto?",
    ],
)
def test_texts(question: str) -> None:
    assert not may_ask_for_figures(question)
