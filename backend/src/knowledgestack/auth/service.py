"""Signing in by a one-use link, and out again."""

from datetime import timedelta
from typing import Protocol
from uuid import UUID

from knowledgestack.auth._repository import AuthRepository
from knowledgestack.auth.contracts import SignInProvider
from knowledgestack.auth.tokens import hash_token, new_token
from knowledgestack.core.config import Profile
from knowledgestack.core.errors import InvalidRequest, NotFound, NotSignedIn
from knowledgestack.core.identity import Person
from knowledgestack.db.engine import Database, Transaction

SESSION_LIFETIME = timedelta(days=30)
LINK_LIFETIME = timedelta(minutes=15)
_OWNER_EMAIL = "owner@localhost"
_MAX_EMAIL_LENGTH = 320


class Memberships(Protocol):
    """What signing in asks of the workspaces."""

    async def workspace_to_open(self, tx: Transaction, user_id: UUID, last: UUID | None) -> UUID | None:
        """The workspace last open where the person still belongs to it, else their first one, else None."""
        ...


async def open_workspace(tx: Transaction, person: Person, workspace_id: UUID) -> None:
    """Make the workspace the active one of the person's session, and the one that the next sign-in opens."""
    await AuthRepository(tx).open_workspace(person.session_id, person.user_id, workspace_id)


class AuthService:
    def __init__(self, database: Database, memberships: Memberships, profile: Profile) -> None:
        self._database = database
        self._memberships = memberships
        self._profile = profile

    def providers(self) -> list[SignInProvider]:
        return [SignInProvider(id="local", label="Sign-in link", missing_variables=[])]

    async def enter(self, link_token: str) -> str:
        """Use up a sign-in link and return the only copy of the new session's token.

        Raises `NotSignedIn` with code `link_used` when the link is unknown, used or expired: they look the same.
        """
        token_hash = hash_token(link_token)
        session_token = new_token()
        async with self._database.transaction() as tx:
            repository = AuthRepository(tx)
            user_id = None if token_hash is None else await repository.use_link(token_hash)
            if user_id is None:
                raise NotSignedIn("This link was used before or is too old. Make a new one.", code="link_used")
            last = await repository.last_workspace(user_id)
            workspace_id = await self._memberships.workspace_to_open(tx, user_id, last)
            await repository.delete_expired()
            await repository.add_session(user_id, _stored(session_token), workspace_id, SESSION_LIFETIME)
        return session_token

    async def sign_out(self, person: Person) -> None:
        async with self._database.transaction() as tx:
            await AuthRepository(tx).delete_session(person.session_id)

    async def instance_owner_id(self) -> UUID:
        """The person who owns this installation, made at the first call."""
        async with self._database.transaction() as tx:
            repository = AuthRepository(tx)
            owner = await repository.find_instance_owner()
            return owner or await repository.add_user(_OWNER_EMAIL, "Owner", instance_owner=True)

    async def create_link(self, email: str | None) -> str:
        """The token of a new sign-in link, for the instance owner where no address is given.

        In the local profile an unknown address gets an account; in the server profile it raises `NotFound`.
        """
        user_id = await (self.instance_owner_id() if email is None else self._person(email))
        token = new_token()
        async with self._database.transaction() as tx:
            await AuthRepository(tx).add_link(user_id, _stored(token), LINK_LIFETIME)
        return token

    async def _person(self, email: str) -> UUID:
        address = email.strip()
        name, at, domain = address.partition("@")
        if not (name and at and domain) or len(address) > _MAX_EMAIL_LENGTH or any(c.isspace() for c in address):
            raise InvalidRequest("This is not an e-mail address.")
        async with self._database.transaction() as tx:
            repository = AuthRepository(tx)
            user_id = await repository.find_user_by_email(address)
            if user_id is None and self._profile is Profile.SERVER:
                raise NotFound("No account has this address.")
            return user_id or await repository.add_user(address, name, instance_owner=False)


def _stored(token: str) -> bytes:
    token_hash = hash_token(token)
    assert token_hash is not None
    return token_hash
