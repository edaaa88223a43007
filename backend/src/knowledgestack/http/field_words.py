"""What the decoder found wrong with a field, in words for a person."""

import re

_BODY = "data"
"""The name of the handler's argument that is the body; faults of the whole body come under it."""

_NO_BODY = "'data'"
_NAMED = re.compile(r"field `([^`]+)`")
_SHORT = re.compile(r"of length >= (\d+)")
_LONG = re.compile(r"of length <= (\d+)")
_EXPECTED = re.compile(r"Expected `([^`]+)`")
_KINDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "uuid": "an id",
    "null": "left out",
}


def field_words(key: str, message: str) -> tuple[str, str]:
    """The field's path as it is named on the wire, and a phrase that follows it: `name`, `has to be text`."""
    if key == _BODY:
        named = _NAMED.search(message)
        return (named[1] if named else "", _whole_body(message))
    path = re.sub(r"_([a-z])", lambda letter: letter[1].upper(), key)
    return path, _one_field(message)


def _whole_body(message: str) -> str:
    if message == _NO_BODY:
        return "Send a JSON body with this request"
    if "unknown field" in message:
        return "is not a field that this request takes"
    return "is missing" if "missing required" in message else _one_field(message)


def _one_field(message: str) -> str:
    if short := _SHORT.search(message):
        return f"has to have at least {short[1]} character{'' if short[1] == '1' else 's'}"
    if long := _LONG.search(message):
        return f"has to have at most {long[1]} characters"
    if message.startswith("Invalid UUID"):
        return "is not an id"
    if message.startswith("Invalid enum value"):
        return "is not one of the values that are accepted"
    if expected := _EXPECTED.match(message):
        kinds = [_KINDS.get(kind, kind) for kind in expected[1].split(" | ")]
        return f"has to be {' or '.join(kinds)}"
    return message
