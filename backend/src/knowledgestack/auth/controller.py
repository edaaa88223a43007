"""Routes of signing in and out."""

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from knowledgestack.auth.contracts import EnterRequest, SignInProviderPage
from knowledgestack.auth.guard import PUBLIC
from knowledgestack.auth.service import AuthService
from knowledgestack.core.contract import StatusOk
from knowledgestack.core.identity import Person
from knowledgestack.http.cookies import SessionCookie


class AuthController(Controller):
    path = "/api/auth"
    tags = ("auth",)

    @get("/providers", opt=PUBLIC, operation_id="listSignInProviders", sync_to_thread=False)
    def list_providers(self, auth_service: NamedDependency[AuthService]) -> SignInProviderPage:
        return SignInProviderPage(items=auth_service.providers())

    @post("/enter", opt=PUBLIC, operation_id="enter", status_code=200)
    async def enter(
        self,
        data: JSONBody[EnterRequest],
        auth_service: NamedDependency[AuthService],
        session_cookie: NamedDependency[SessionCookie],
    ) -> Response[StatusOk]:
        token = await auth_service.enter(data.token)
        return Response(StatusOk(), cookies=[session_cookie.issue(token)])

    @post("/signout", operation_id="signOut", status_code=200)
    async def sign_out(
        self,
        person: NamedDependency[Person],
        auth_service: NamedDependency[AuthService],
        session_cookie: NamedDependency[SessionCookie],
    ) -> Response[StatusOk]:
        await auth_service.sign_out(person)
        return Response(StatusOk(), cookies=[session_cookie.clear()])
