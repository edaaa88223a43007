"""What a person needs who opens a fresh installation: the demo company and a link that signs in."""

from knowledgestack.app.container import Container
from knowledgestack.app.local_profile import DataDirectory
from knowledgestack.core.identity import Actor
from knowledgestack.demo.database.seeding import DemoDatabaseSeeder
from knowledgestack.demo.seed import DemoSeeder


async def seed_demo(container: Container) -> tuple[DemoSeeder, Actor]:
    """Put the demo company's handbook into its workspace; pages that are there stay as people left them.

    Answers the owner of the workspace as well.
    """
    seeder = DemoSeeder(
        container.database,
        container.workspace_service,
        container.upload_service,
        container.document_service,
        container.auth_service,
    )
    await container.model_service.ensure_embedding_models()
    return seeder, await seeder.seed()


def demo_database(container: Container) -> DemoDatabaseSeeder | None:
    """What makes the demo company's database; none on a server of somebody's own, where nothing is made unasked."""
    if DataDirectory(container.settings.data_dir).database_url() != container.settings.database_url:
        return None
    return DemoDatabaseSeeder(
        container.database,
        container.connection_service,
        container.verified_query_service,
        container.settings.database_url,
    )


async def sign_in_link(container: Container, email: str | None) -> str:
    """The address of a new sign-in link. The token stands after `#`, so that no server log ever holds it."""
    token = await container.auth_service.create_link(email)
    return f"{container.settings.web_app_url}/enter#{token}"
