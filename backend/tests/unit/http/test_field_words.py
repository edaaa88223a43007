import pytest

from knowledgestack.http.field_words import field_words


@pytest.mark.parametrize(
    ("key", "message", "path", "words"),
    [
        ("name", "Expected `str`, got `int`", "name", "has to be text"),
        ("limit", "Expected `int | null`, got `str`", "limit", "has to be a whole number or left out"),
        ("name", "Expected `str` of length >= 1", "name", "has to have at least 1 character"),
        ("name", "Expected `str` of length <= 100", "name", "has to have at most 100 characters"),
        ("source_id", "Invalid UUID", "sourceId", "is not an id"),
        ("scope.sourceIds[0]", "Invalid UUID", "scope.sourceIds[0]", "is not an id"),
        ("rating", "Invalid enum value 'sideways'", "rating", "is not one of the values that are accepted"),
        ("data", "Object missing required field `name`", "name", "is missing"),
        ("data", "Object contains unknown field `colour`", "colour", "is not a field that this request takes"),
        ("data", "'data'", "", "Send a JSON body with this request"),
    ],
)
def test_faults_of_a_field_are_said_in_words(key: str, message: str, path: str, words: str) -> None:
    assert field_words(key, message) == (path, words)
