"""What a person needs who opens a fresh installation: the demo company and a link that signs in."""

from knowledgestack.app.container import Container
from knowledgestack.demo.seed import DemoSeeder


async def seed_demo(container: Container) -> DemoSeeder:
    """Put the demo company's handbook into its workspace; pages that are there stay as people left them."""
    seeder = DemoSeeder(
        container.database,
        container.workspace_service,
        container.upload_service,
        container.document_service,
        container.auth_service,
    )
    await container.model_service.ensure_embedding_models()
    await seeder.seed()
    return seeder


async def sign_in_link(container: Container, email: str | None) -> str:
    """The address of a new sign-in link. The token stands after `#`, so that no server log ever holds it."""
    token = await container.auth_service.create_link(email)
    return f"{container.settings.web_app_url}/enter#{token}"
