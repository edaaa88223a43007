"""Wire shapes of signing in."""

from knowledgestack.core.contract import Contract


class SignInProvider(Contract):
    """A way to sign in; one with missing variables is shown with their names and cannot be used."""

    id: str
    label: str
    missing_variables: list[str]


class SignInProviderPage(Contract):
    items: list[SignInProvider]


class EnterRequest(Contract):
    """The token that stood after `#` in a sign-in link."""

    token: str
