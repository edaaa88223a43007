import pytest

from knowledgestack.lexicon.language import detect


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What does status K mean?", "en"),
        ("How long is the warranty for refurbished machines?", "en"),
        ("Cosa significa lo stato K?", "it"),
        ("Quanti giorni di ferie spettano a un dipendente?", "it"),
        ("Wie viele Urlaubstage habe ich im ersten Jahr?", "de"),
        ("Combien de jours de congé par an ?", "fr"),
        ("¿Cuántos días de vacaciones tengo este año?", "es"),
        ("日本語の文章です", "ja"),
        ("ما هي سياسة الإرجاع؟", "ar"),
    ],
)
def test_questions(text: str, language: str) -> None:
    assert detect(text) == language


@pytest.mark.parametrize("text", ["", "   ", "ciao", "hello", "warranty", "SL-0726", "12345 67", "return policy", "!?"])
def test_too_short_is_undetermined(text: str) -> None:
    assert detect(text) == "und"


def test_code_and_addresses_do_not_decide() -> None:
    text = "La garanzia dura due anni.\n\n```python\n" + "if value is None: return the_value\n" * 80 + "```\n"
    assert detect(text) == "it"


def test_a_long_text_is_judged_by_its_beginning() -> None:
    assert detect("The warranty covers every machine that was bought from us. " * 20_000) == "en"
