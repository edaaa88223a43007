"""What a person sends to register a database, as a log would show it."""

from knowledgestack.databases.contracts import DatabaseConnectionChange, NewDatabaseConnection


def test_a_registration_shows_no_password() -> None:
    sent = NewDatabaseConnection(name="Warehouse", host="h", database="d", username="u", password="hunter2")
    assert "hunter2" not in repr(sent)


def test_a_change_shows_what_is_changed_and_no_password() -> None:
    assert repr(DatabaseConnectionChange(host="h", password="hunter2")) == "DatabaseConnectionChange(host, password)"
