"""The tables of the queue, as the pinned version of PgQueuer declares them."""

from pgqueuer.adapters.persistence import schema_ddl
from pgqueuer.domain.schema.declaration import target
from pgqueuer.domain.settings import DBSettings

# Fixed here instead of read from PGQUEUER_* variables: migration and worker have to agree for ever.
QUEUE_SETTINGS = DBSettings.model_construct(
    prefix="",
    db_schema=None,
    channel="ch_pgqueuer",
    function="fn_pgqueuer_changed",
    statistics_table="pgqueuer_statistics",
    queue_status_type="pgqueuer_status",
    queue_table="pgqueuer",
    queue_table_log="pgqueuer_log",
    trigger="tg_pgqueuer_changed",
    schedules_table="pgqueuer_schedules",
)


def schema_statements() -> list[str]:
    """DDL that makes the queue in an empty database: one statement each, in the order they need."""
    schema = target(QUEUE_SETTINGS)
    return [
        *(schema_ddl.render_enum(entry, QUEUE_SETTINGS) for entry in schema.enums),
        *(schema_ddl.render_table(entry, QUEUE_SETTINGS) for entry in schema.tables),
        *(schema_ddl.render_index(entry, QUEUE_SETTINGS) for entry in schema.indexes),
        *(schema_ddl.render_function(entry, QUEUE_SETTINGS) for entry in schema.functions),
        *(schema_ddl.render_trigger(entry, QUEUE_SETTINGS) for entry in schema.triggers),
    ]


def drop_statements() -> list[str]:
    """DDL that removes what `schema_statements` made, one statement each."""
    return [line for line in schema_ddl.render_uninstall(QUEUE_SETTINGS).splitlines() if line.strip()]
