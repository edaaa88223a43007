"""Statements on model settings."""

from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from knowledgestack.core.ids import new_id
from knowledgestack.db.repository import InstanceRepository
from knowledgestack.models._models import ChatModelServerRow, EmbeddingModelRow, InstanceSettingsRow

_SETTINGS_ID = 1


class ModelRepository(InstanceRepository):
    """Rows of the installation: the chat servers, the embedding models, and the choice between them."""

    async def list_chat_servers(self) -> list[sa.RowMapping]:
        return list((await self.tx.execute(sa.select(ChatModelServerRow.__table__))).mappings())

    async def replace_chat_server(self, held_by: str, **values: Any) -> None:
        statement = insert(ChatModelServerRow).values(held_by=held_by, **values)
        changed = {name: statement.excluded[name] for name in values} | {"updated_at": sa.func.now()}
        await self.tx.execute(statement.on_conflict_do_update(index_elements=["held_by"], set_=changed))

    async def remember_wire(self, held_by: str, base_url: str, wire: str) -> None:
        """Store what a probe found, unless the server has been changed meanwhile."""
        await self.tx.execute(
            sa.update(ChatModelServerRow)
            .where(ChatModelServerRow.held_by == held_by, ChatModelServerRow.base_url == base_url)
            .values(resolved_wire=wire)
        )

    async def delete_chat_server(self, held_by: str) -> None:
        await self.tx.execute(sa.delete(ChatModelServerRow).where(ChatModelServerRow.held_by == held_by))

    async def find_embedding_model(self, model_id: UUID) -> sa.RowMapping | None:
        query = sa.select(EmbeddingModelRow.__table__).where(EmbeddingModelRow.id == model_id)
        return (await self.tx.execute(query)).mappings().one_or_none()

    async def find_embedding_models(self, provider: str, base_url: str, name: str) -> list[sa.RowMapping]:
        """The rows of one model, the newest first: one for each number of dimensions it was used with."""
        table = EmbeddingModelRow
        query = (
            sa.select(table.__table__)
            .where(table.provider == provider, table.base_url == base_url, table.name == name)
            .order_by(table.created_at.desc(), table.id.desc())
        )
        return list((await self.tx.execute(query)).mappings())

    async def ensure_embedding_model(self, provider: str, base_url: str, name: str, dimensions: int) -> UUID:
        """The id of the row of this model, made if there is none; safe in several processes at once."""
        identity = {"provider": provider, "base_url": base_url, "name": name, "dimensions": dimensions}
        query = sa.select(EmbeddingModelRow.id).filter_by(**identity)
        known = await self.tx.scalar(query)
        if known is not None:
            return known
        made = insert(EmbeddingModelRow).values(id=new_id(), **identity)
        await self.tx.execute(made.on_conflict_do_nothing(index_elements=list(identity)))
        return (await self.tx.execute(query)).scalar_one()

    async def set_embedding_key(self, model_id: UUID, sealed: bytes | None) -> None:
        await self.tx.execute(
            sa.update(EmbeddingModelRow).where(EmbeddingModelRow.id == model_id).values(api_key=sealed)
        )

    async def read_choice(self) -> tuple[UUID | None, UUID | None]:
        """The embedding model chosen on the page, and the one that workspaces were last told to build."""
        table = InstanceSettingsRow
        query = sa.select(table.embedding_model_id, table.applied_embedding_model_id).where(table.id == _SETTINGS_ID)
        row = (await self.tx.execute(query)).one_or_none()
        return (None, None) if row is None else (row[0], row[1])

    async def write_choice(self, **columns: UUID | None) -> None:
        """Set `embedding_model_id` or `applied_embedding_model_id`."""
        statement = insert(InstanceSettingsRow).values(id=_SETTINGS_ID, **columns)
        await self.tx.execute(statement.on_conflict_do_update(index_elements=["id"], set_=dict(columns)))
