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
       CASE WHEN c.relkind = 'v' AND c.oid >= 16384 THEN pg_get_viewdef(c.oid) END
FROM pg_class c
JOIN pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (
    SELECT array_agg(attname::text ORDER BY attnum) AS names,
           array_agg(format_type(atttypid, atttypmod) ORDER BY attnum) AS types
    FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns
WHERE c.relname = ANY($1::name[])
"""

# Code of the target that runs without being called by name: operators, casts, and the checks of domains.
CODE = """
WITH RECURSIVE held (type, holder) AS (
    SELECT typbasetype, oid FROM pg_type WHERE typtype = 'd'
    UNION ALL SELECT typelem, oid FROM pg_type WHERE typcategory = 'A' AND typelem >= 16384
    UNION ALL SELECT a.atttypid, t.oid FROM pg_attribute a JOIN pg_type t ON t.typrelid = a.attrelid
              WHERE a.atttypid >= 16384 AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL SELECT rngsubtype, rngtypid FROM pg_range WHERE rngsubtype >= 16384
), checked (type, check_oid) AS (
    SELECT contypid, oid FROM pg_constraint WHERE contypid <> 0 AND contype = 'c' AND oid >= 16384
    UNION SELECT held.holder, checked.check_oid FROM checked JOIN held ON held.type = checked.type
)
SELECT 'operator', n.nspname, o.oprname, o.oprcode::oid, NULL::text
FROM pg_operator o JOIN pg_namespace n ON n.oid = o.oprnamespace WHERE o.oid >= 16384
UNION ALL
SELECT CASE t.oid WHEN c.casttarget THEN 'type' ELSE 'source' END, n.nspname, t.typname, c.castfunc, NULL
FROM pg_cast c JOIN pg_type t ON t.oid IN (c.casttarget, c.castsource) JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE c.oid >= 16384 AND c.castfunc <> 0 AND t.oid >= 16384
UNION ALL
SELECT 'implicit', n.nspname, t.typname, c.castfunc, NULL
FROM pg_cast c JOIN pg_type t ON t.oid = c.casttarget JOIN pg_namespace n ON n.oid = t.typnamespace
WHERE c.oid >= 16384 AND c.castfunc <> 0 AND c.castcontext = 'i' AND t.oid >= 16384
UNION ALL
SELECT 'type', n.nspname, t.typname, check_oid, pg_get_constraintdef(check_oid)
FROM checked JOIN pg_type t ON t.oid = checked.type JOIN pg_namespace n ON n.oid = t.typnamespace
"""

TYPE_NAMES = "SELECT o, format_type(o, NULL) FROM unnest($1::oid[]) AS o"
