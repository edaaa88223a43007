"""Names as PostgreSQL's SQL writes them."""


def quoted(name: str) -> str:
    """An identifier, as PostgreSQL reads it whatever it holds."""
    return '"' + name.replace('"', '""') + '"'
