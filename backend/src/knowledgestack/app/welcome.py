"""What a person needs who opens a fresh installation: the demo company and a link that signs in."""

from knowledgestack.app.container import Container
from knowledgestack.app.up import Progress
from knowledgestack.demo.seed import DemoSeeder


class LocalWelcome:
    """Implements `up.Welcome` over the services."""

    def __init__(self, container: Container) -> None:
        self._container = container
        self._seeder = DemoSeeder(
            container.database,
            container.workspace_service,
            container.upload_service,
            container.document_service,
            container.auth_service,
        )

    async def seed(self) -> None:
        await self._container.model_service.ensure_embedding_models()
        await self._seeder.seed()

    async def progress(self) -> Progress:
        total, waiting, failed = await self._seeder.progress()
        return Progress(total=total, waiting=waiting, failed=failed)

    async def sign_in_link(self) -> str:
        return await sign_in_link(self._container, None)

    async def close(self) -> None:
        await self._container.close()


async def sign_in_link(container: Container, email: str | None) -> str:
    """The address of a new sign-in link. The token stands after `#`, so that no server log ever holds it."""
    token = await container.auth_service.create_link(email)
    return f"{container.settings.web_app_url}/enter#{token}"
