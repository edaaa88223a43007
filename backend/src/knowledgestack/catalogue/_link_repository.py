"""Statements on links from documents to tables and columns."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

import msgspec
import sqlalchemy as sa

from knowledgestack.catalogue._aliases import Explained, Passage
from knowledgestack.catalogue._mentions import Find
from knowledgestack.catalogue._models import DocumentLinkRow
from knowledgestack.catalogue.schema import Thing
from knowledgestack.core.ids import new_id
from knowledgestack.db.repository import WorkspaceRepository

_LINK = DocumentLinkRow.__table__.c

MOST_NOTES = 20
"""A table or a column comes with no more notes than this, the best; all of them are in the list of links."""

# The chunk is found by its place, so that no link has to follow the ids of chunks that are replaced.
_NOTES = """
    SELECT link.*, document.title,
        (SELECT chunk.id FROM document_chunks AS chunk
         WHERE chunk.workspace_id = :workspace_id AND chunk.document_id = link.document_id
           AND chunk.range_start <= link.range_start AND chunk.range_end > link.range_start
         ORDER BY chunk.chunk_index LIMIT 1) AS chunk_id
    FROM document_links AS link
    JOIN documents AS document ON document.workspace_id = :workspace_id AND document.id = link.document_id
    WHERE link.workspace_id = :workspace_id
"""
_OF_TABLES = """
    AND link.id IN (
        SELECT id FROM (
            SELECT id, row_number() OVER (PARTITION BY schema_name, table_name, column_name
                                          ORDER BY state = 'confirmed' DESC, score DESC, id) AS place
            FROM document_links
            WHERE workspace_id = :workspace_id AND connection_id = :connection_id AND present AND state <> 'refused'
              AND (schema_name, table_name) IN (
                  SELECT * FROM unnest(CAST(:schemas AS text[]), CAST(:tables AS text[])))) AS ranked
        WHERE place <= :most)
    ORDER BY link.state = 'confirmed' DESC, link.score DESC, link.id
"""
_PASSAGES = """
    SELECT chunk.document_id, document.title, chunk.text FROM document_chunks AS chunk
    JOIN documents AS document ON document.workspace_id = :workspace_id AND document.id = chunk.document_id
    WHERE chunk.workspace_id = :workspace_id AND chunk.text ILIKE :pattern AND chunk.document_id IN (
        SELECT document_id FROM document_links WHERE workspace_id = :workspace_id
        AND connection_id = :connection_id AND present AND state <> 'refused')
"""
_PUT = """
    INSERT INTO document_links (id, workspace_id, connection_id, document_id, schema_name, table_name, column_name,
                                state, present, score, heading_path, quote, range_start, range_end, decided_by,
                                decided_at)
    VALUES (:id, :workspace_id, :connection_id, :document_id, :schema, :table, :column, :state, true, :score,
            :heading_path, :quote, :start, :end, :decided_by, CASE WHEN :state = 'proposed' THEN NULL ELSE now() END)
    ON CONFLICT (workspace_id, connection_id, schema_name, table_name, column_name, document_id)
    DO UPDATE SET state = excluded.state, present = true, score = excluded.score, quote = excluded.quote,
                  heading_path = excluded.heading_path, range_start = excluded.range_start,
                  range_end = excluded.range_end, decided_by = excluded.decided_by, decided_at = excluded.decided_at
    RETURNING id
"""

# A link that a person decided meanwhile stays as it is.
_PROPOSE = """
    INSERT INTO document_links (id, workspace_id, connection_id, document_id, schema_name, table_name, column_name,
                                state, present, score, heading_path, quote, range_start, range_end)
    SELECT id, :workspace_id, :connection_id, :document_id, schema_name, table_name, column_name, 'proposed', true,
           score, ARRAY(SELECT jsonb_array_elements_text(CAST(path AS jsonb))), quote, range_start, range_end
    FROM unnest(CAST(:ids AS uuid[]), CAST(:schemas AS text[]), CAST(:tables AS text[]), CAST(:columns AS text[]),
                CAST(:scores AS float8[]), CAST(:paths AS text[]), CAST(:quotes AS text[]), CAST(:starts AS integer[]),
                CAST(:ends AS integer[]))
         AS found (id, schema_name, table_name, column_name, score, path, quote, range_start, range_end)
    ON CONFLICT (workspace_id, connection_id, schema_name, table_name, column_name, document_id)
    DO UPDATE SET present = true, score = excluded.score, quote = excluded.quote,
                  heading_path = excluded.heading_path, range_start = excluded.range_start,
                  range_end = excluded.range_end
    WHERE document_links.state = 'proposed'
"""


class LinkRepository(WorkspaceRepository):
    """The links of one workspace."""

    async def document(self, document_id: UUID) -> sa.Row[Any] | None:
        """Title, text, language and the hash of what was indexed; None where there is nothing indexed."""
        rows = await self.run_sql(
            """SELECT title, text, language, indexed_hash FROM documents
               WHERE workspace_id = :workspace_id AND id = :document_id AND chunk_count > 0""",
            document_id=document_id,
        )
        return rows.one_or_none()

    async def still_indexed(self, document_id: UUID, indexed_hash: str | None) -> bool:
        """Lock the document; False where it is gone or was indexed anew."""
        rows = await self.run_sql(
            "SELECT indexed_hash FROM documents WHERE workspace_id = :workspace_id AND id = :document_id FOR SHARE",
            document_id=document_id,
        )
        row = rows.one_or_none()
        return row is not None and row.indexed_hash == indexed_hash

    async def document_ids(self, after: UUID | None, limit: int) -> list[UUID]:
        rows = await self.run_sql(
            """SELECT id FROM documents WHERE workspace_id = :workspace_id AND chunk_count > 0
               AND (CAST(:after AS uuid) IS NULL OR id > :after) ORDER BY id LIMIT :limit""",
            after=after,
            limit=limit,
        )
        return list(rows.scalars())

    async def of_document(self, connection_id: UUID, document_id: UUID) -> list[sa.Row[Any]]:
        query = self.select(DocumentLinkRow).where(
            _LINK.connection_id == connection_id, _LINK.document_id == document_id
        )
        return list((await self.tx.execute(query.with_for_update())).all())

    async def find(self, link_id: UUID) -> sa.Row[Any] | None:
        return (await self.tx.execute(self.select(DocumentLinkRow).where(_LINK.id == link_id))).one_or_none()

    async def lock(self, link_id: UUID) -> sa.Row[Any] | None:
        query = self.select(DocumentLinkRow).where(_LINK.id == link_id).with_for_update()
        return (await self.tx.execute(query)).one_or_none()

    async def put(self, connection_id: UUID, document_id: UUID, thing: Thing, **values: Any) -> UUID:
        """Write the link of this pair over the one that stands; return its id."""
        rows = await self.run_sql(
            _PUT,
            id=new_id(),
            connection_id=connection_id,
            document_id=document_id,
            schema=thing.schema,
            table=thing.table,
            column=thing.column or "",
            **values,
        )
        return rows.scalar_one()

    async def propose(self, connection_id: UUID, document_id: UUID, finds: Sequence[Find]) -> None:
        """Write what was found in the document, in the place of what was proposed of the same things before."""
        await self.run_sql(
            _PROPOSE,
            connection_id=connection_id,
            document_id=document_id,
            ids=[new_id() for _ in finds],
            schemas=[find.thing.schema for find in finds],
            tables=[find.thing.table for find in finds],
            columns=[find.thing.column or "" for find in finds],
            scores=[find.score for find in finds],
            paths=[msgspec.json.encode(find.path).decode() for find in finds],
            quotes=[find.quote for find in finds],
            starts=[find.start for find in finds],
            ends=[find.end for find in finds],
        )

    async def decide(self, link_id: UUID, state: str, user_id: UUID) -> None:
        await self.change(link_id, state=state, decided_by=user_id, decided_at=sa.func.now())

    async def change(self, link_id: UUID, **values: Any) -> None:
        await self.tx.execute(self.update(DocumentLinkRow).where(_LINK.id == link_id).values(**values))

    async def remove(self, link_ids: Sequence[UUID]) -> None:
        await self.tx.execute(self.delete(DocumentLinkRow).where(_LINK.id.in_(link_ids)))

    async def notes(self, connection_id: UUID, tables: Collection[tuple[str, str]]) -> list[sa.Row[Any]]:
        """What documents say of these tables and their columns now, the best `MOST_NOTES` of each thing.

        Confirmed ones first, then by score.
        """
        rows = await self.run_sql(
            _NOTES + _OF_TABLES,
            connection_id=connection_id,
            most=MOST_NOTES,
            schemas=[schema for schema, _ in tables],
            tables=[table for _, table in tables],
        )
        return list(rows.all())

    async def page(
        self, connection_id: UUID, state: str | None, after: tuple[str, str, str, UUID] | None, limit: int
    ) -> list[sa.Row[Any]]:
        """Links whose words stand in their document now, by thing."""
        after = after or ("", "", "", UUID(int=0))
        rows = await self.run_sql(
            _NOTES
            + """ AND link.connection_id = :connection_id AND link.present
                  AND (CAST(:state AS text) IS NULL OR link.state = :state)
                  AND (link.schema_name, link.table_name, link.column_name, link.id) > (:schema, :table, :column, :id)
                  ORDER BY link.schema_name, link.table_name, link.column_name, link.id LIMIT :limit""",
            connection_id=connection_id,
            state=state,
            schema=after[0],
            table=after[1],
            column=after[2],
            id=after[3],
            limit=limit,
        )
        return list(rows.all())

    async def one(self, link_id: UUID) -> sa.Row[Any]:
        return (await self.run_sql(_NOTES + " AND link.id = :link_id", link_id=link_id)).one()

    async def best_quotes(self, connection_id: UUID) -> list[sa.Row[Any]]:
        """Thing and quote of what documents say, the best of each thing, for lists and searches."""
        rows = await self.run_sql(
            """SELECT DISTINCT ON (schema_name, table_name, column_name) schema_name, table_name, column_name, quote
               FROM document_links
               WHERE workspace_id = :workspace_id AND connection_id = :connection_id AND present AND state <> 'refused'
               ORDER BY schema_name, table_name, column_name, state = 'confirmed' DESC, score DESC, id""",
            connection_id=connection_id,
        )
        return list(rows.all())

    async def passages(
        self, connection_id: UUID, word: str, source_ids: Collection[UUID] = (), document_ids: Collection[UUID] = ()
    ) -> list[Passage]:
        """Chunks that hold the word, of documents that explain something of this database.

        `source_ids` and `document_ids` limit the documents; an empty one limits nothing.
        """
        pattern = "%" + word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        limits: dict[str, list[UUID]] = {}
        statement = _PASSAGES
        if source_ids:
            limits["source_ids"] = list(source_ids)
            statement += " AND document.source_id = ANY(:source_ids)"
        if document_ids:
            limits["document_ids"] = list(document_ids)
            statement += " AND document.id = ANY(:document_ids)"
        rows = await self.run_sql(
            statement + " ORDER BY chunk.document_id, chunk.chunk_index LIMIT 40",
            connection_id=connection_id,
            pattern=pattern,
            **limits,
        )
        return [Passage(row.document_id, row.title, row.text) for row in rows]

    async def explained_in(self, connection_id: UUID, document_ids: Collection[UUID]) -> list[Explained]:
        """What these documents explain, and in which words."""
        query = self.select(
            DocumentLinkRow, _LINK.document_id, _LINK.schema_name, _LINK.table_name, _LINK.column_name, _LINK.quote
        ).where(
            _LINK.connection_id == connection_id,
            _LINK.document_id.in_(document_ids),
            _LINK.present,
            _LINK.state != "refused",
        )
        rows = await self.tx.execute(query)
        return [Explained(row[0], Thing(row[1], row[2], row[3] or None), row[4]) for row in rows]
