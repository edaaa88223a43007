"""What a person sends to register a database, as a log would show it."""

from knowledgestack.databases.contracts import NewDatabaseConnection


def test_a_registration_shows_no_password() -> None:
    sent = NewDatabaseConnection(name="Warehouse", host="h", database="d", username="u", password="hunter2")
    assert "hunter2" not in repr(sent)
