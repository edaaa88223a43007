"""The statements that read the target's catalogue; fixed texts, names are parameters."""

_FUNCTIONS = """
SELECT p.oid, n.nspname, p.proname, p.provolatile::text, p.prosecdef, l.lanname, p.prokind::text,
       p.pronargs, p.pronargdefaults, p.provariadic <> 0, p.proconfig IS NOT NULL, e.extname,
       ARRAY(SELECT t.typname::text
             FROM unnest(p.proargtypes::oid[] || p.prorettype || coalesce(p.proallargtypes, '{}')) AS a
             JOIN pg_type t ON t.oid = a),
       CASE WHEN p.oid >= 16384 AND l.lanname = 'sql' THEN coalesce(pg_get_function_sqlbody(p.oid), p.prosrc) END,
       CASE WHEN p.oid >= 16384 AND p.prokind = 'a' THEN
           (SELECT ARRAY[aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn, aggmtransfn,
                         aggminvtransfn, aggmfinalfn]::oid[]
            FROM pg_aggregate WHERE aggfnoid = p.oid) END,
       CASE WHEN p.oid >= 16384 THEN pg_get_expr(p.proargdefaults, 0) END
FROM pg_proc p
JOIN pg_namespace n ON n.oid = p.pronamespace
JOIN pg_language l ON l.oid = p.prolang
LEFT JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
LEFT JOIN pg_extension e ON e.oid = d.refobjid
"""
FUNCTIONS_BY_NAME = f"{_FUNCTIONS} WHERE p.proname = ANY($1::name[])"
FUNCTIONS_BY_OID = f"{_FUNCTIONS} WHERE p.oid = ANY($1::oid[])"

RELATIONS = """
SELECT c.oid, n.nspname, c.relname, c.relkind::text,
       c.relhassubclass AND EXISTS (
           WITH RECURSIVE children AS (
               SELECT c.oid AS oid
               UNION SELECT i.inhrelid FROM pg_inherits i JOIN children ON i.inhparent = children.oid)
           SELECT FROM children JOIN pg_class f ON f.oid = children.oid WHERE f.relkind = 'f'),
       coalesce(columns.names, '{}'), coalesce(columns.types, '{}'),
       CASE WHEN c.relkind = 'v' AND c.oid >= 16384 THEN pg_get_viewdef(c.oid) END,
       coalesce(columns.type_schemas, '{}'), coalesce(columns.type_names, '{}'),
       CASE WHEN c.oid >= 16384 THEN ARRAY(
           WITH RECURSIVE parts AS (
               SELECT c.oid AS oid
               UNION SELECT i.inhrelid FROM pg_inherits i JOIN parts ON i.inhparent = parts.oid
           ), written (expression) AS (
               SELECT pg_get_expr(indexprs, indrelid) FROM pg_index JOIN parts ON indrelid = oid
               UNION SELECT pg_get_expr(indpred, indrelid) FROM pg_index JOIN parts ON indrelid = oid
               UNION SELECT pg_get_expr(partexprs, partrelid) FROM pg_partitioned_table JOIN parts ON partrelid = oid
               UNION SELECT unnest(pg_get_statisticsobjdef_expressions(s.oid))
                     FROM pg_statistic_ext s JOIN parts ON s.stxrelid = parts.oid
           ) SELECT expression FROM written WHERE expression IS NOT NULL) ELSE '{}' END
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (
    SELECT array_agg(attname::text ORDER BY attnum) AS names,
           array_agg(format_type(atttypid, atttypmod) ORDER BY attnum) AS types,
           array_agg(tn.nspname::text ORDER BY attnum) AS type_schemas,
           array_agg(t.typname::text ORDER BY attnum) AS type_names
    FROM pg_attribute JOIN pg_type t ON t.oid = atttypid JOIN pg_namespace tn ON tn.oid = t.typnamespace
    WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns
WHERE c.relname = ANY($1::name[])
"""

# Code of the target that runs without being called by name: operators, casts, the checks of domains, and what orders
# and compares values of a type. What is made for PostgreSQL's own types runs everywhere. What belongs to a type belongs
# to every type that holds it: domains over it, arrays and ranges of it, composites and rows of tables with it.
CODE = """
WITH RECURSIVE held (type, holder) AS (
    SELECT typbasetype, oid FROM pg_type WHERE typtype = 'd'
    UNION ALL SELECT typelem, oid FROM pg_type WHERE typcategory = 'A' AND typelem >= 16384
    UNION ALL SELECT a.atttypid, t.oid FROM pg_attribute a JOIN pg_type t ON t.typrelid = a.attrelid
              WHERE a.atttypid >= 16384 AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL SELECT rngsubtype, rngtypid FROM pg_range WHERE rngsubtype >= 16384
), families (type, family) AS (
    SELECT opcintype, opcfamily FROM pg_opclass WHERE oid >= 16384
), casts AS (
    -- Without those that the server makes by itself, from a range to its multirange.
    SELECT castsource, casttarget, castcontext, castfunc::oid AS code FROM pg_cast c
    WHERE oid >= 16384 AND castfunc <> 0 AND NOT EXISTS (
        SELECT FROM pg_depend d
        WHERE d.classid = 'pg_proc'::regclass AND d.objid = c.castfunc AND d.deptype = 'i')
), ranges (type, code) AS (
    SELECT rngtypid, code FROM pg_range, unnest(ARRAY[rngcanonical::oid, rngsubdiff::oid]) AS code
    WHERE rngtypid >= 16384 AND code <> 0
), code (kind, type, code, is_check) AS (
    SELECT 'type', casttarget, code, false FROM casts
    UNION SELECT 'source', castsource, code, false FROM casts
    UNION SELECT kind, type, code, false FROM ranges, unnest(ARRAY['type', 'source']) AS kind
    UNION SELECT 'source', type, amproc::oid, false
        FROM families JOIN pg_amproc ON amprocfamily = family AND amproclefttype = type
    UNION SELECT 'source', type, oprcode::oid, false
        FROM families JOIN pg_amop ON amopfamily = family AND amoplefttype = type
        JOIN pg_operator o ON o.oid = amopopr
    UNION SELECT 'type', contypid, oid, true FROM pg_constraint
        WHERE contypid <> 0 AND contype = 'c' AND oid >= 16384
    UNION SELECT kind, holder, code, is_check FROM code JOIN held ON held.type = code.type
)
SELECT 'operator', n.nspname, o.oprname, o.oprcode::oid, NULL::text
FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace WHERE o.oid >= 16384
UNION ALL
SELECT 'implicit', n.nspname, t.typname, c.code, NULL
FROM casts c JOIN pg_type t ON t.oid = c.casttarget JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE c.castcontext = 'i' AND t.oid >= 16384
UNION ALL
SELECT 'everywhere', 'pg_catalog', '', code, NULL
FROM (SELECT code FROM casts WHERE castsource < 16384 AND casttarget < 16384
      UNION SELECT code FROM code WHERE type < 16384 AND kind = 'source' AND NOT is_check
            AND code NOT IN (SELECT code FROM casts)) AS built_in
UNION ALL
SELECT kind, n.nspname, t.typname, code, CASE WHEN is_check THEN pg_get_constraintdef(code) END
FROM code JOIN pg_type t ON t.oid = code.type JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE t.oid >= 16384
"""

TYPE_NAMES = "SELECT o, format_type(o, NULL) FROM unnest($1::oid[]) AS o"
