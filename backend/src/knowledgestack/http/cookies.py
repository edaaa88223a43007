"""The session cookie: HttpOnly, SameSite=Lax and, on https, Secure with the `__Host-` prefix."""

from dataclasses import dataclass
from datetime import timedelta

from litestar.datastructures import Cookie


@dataclass(frozen=True, slots=True)
class SessionCookie:
    secure: bool
    lifetime: timedelta

    @property
    def name(self) -> str:
        return "__Host-ks_session" if self.secure else "ks_session"

    def issue(self, token: str) -> Cookie:
        return self._cookie(token, int(self.lifetime.total_seconds()))

    def clear(self) -> Cookie:
        return self._cookie("", 0)

    def _cookie(self, value: str, max_age: int) -> Cookie:
        return Cookie(
            key=self.name, value=value, max_age=max_age, httponly=True, samesite="lax", secure=self.secure, path="/"
        )
