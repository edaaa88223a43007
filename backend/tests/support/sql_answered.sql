SELECT 1
-- next
SELECT 1;
-- next
 ;; SELECT 1 ; ; 
-- next
-- a comment first
SELECT 1 -- and last
-- next
/* a /* nested */ comment */ SELECT 1 /* ; DROP TABLE x */
-- next
(SELECT 1)
-- next
((SELECT 1) UNION ALL (SELECT 2)) ORDER BY 1
-- next
VALUES (1, 'a'), (2, NULL)
-- next
TABLE shop.orders
-- next
SELECT ';' AS semicolon, 'DROP TABLE x' AS text, $$; -- $$ AS dollar, 'it''s' AS quote
-- next
SELECT 1 AS "a;b", 2 AS "--", 3 AS "select"
-- next
SELECT E'a\'b' AS escaped, U&'\0061' AS unicode, 'ü€🎈' AS wide
-- next
SELECT 'a\', 'b'
-- next
SELECT $tag$ ; $$ -- $tag$
-- next
WITH insert AS (SELECT 1 AS n) SELECT * FROM insert
-- next
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT sum(n) FROM r
-- next
WITH pg_proc AS (SELECT 1 AS a), orders AS (SELECT 2 AS b) SELECT * FROM pg_class c, orders LIMIT 1
-- next
SELECT c.name, count(*) AS orders, sum(o.total) FROM shop.orders o JOIN shop.customers c ON c.id = o.customer_id WHERE o.placed BETWEEN '2026-01-01' AND '2026-06-30' GROUP BY c.name HAVING count(*) > 1 ORDER BY 2 DESC
-- next
SELECT date_trunc('month', placed) AS month, sum(total) OVER (PARTITION BY state ORDER BY placed) FROM shop.orders
-- next
SELECT DISTINCT ON (customer_id) customer_id, placed FROM shop.orders ORDER BY customer_id, placed DESC
-- next
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) FROM shop.orders
-- next
SELECT state, count(*) FILTER (WHERE total > 10) FROM shop.orders GROUP BY ROLLUP (state)
-- next
SELECT * FROM shop.orders o, LATERAL (SELECT o.total * 2 AS double) AS d LIMIT 3
-- next
SELECT * FROM generate_series(date '2026-01-01', date '2026-03-01', interval '1 month') AS month
-- next
SELECT * FROM unnest(ARRAY[1, 2], ARRAY['a', 'b']) WITH ORDINALITY AS u(n, word, position)
-- next
SELECT * FROM shop.orders TABLESAMPLE system (10)
-- next
SELECT string_agg(word, ',' ORDER BY word), array_agg(word), jsonb_agg(word) FROM words
-- next
SELECT json_build_object('a', 1) -> 'a', jsonb_path_query('{"a": 1}', '$.a'), '{"a": {"b": 1}}'::jsonb #>> '{a,b}'
-- next
SELECT * FROM jsonb_to_recordset('[{"a": 1}]') AS x(a int)
-- next
SELECT extract(year FROM placed), age(placed), to_char(placed, 'YYYY-MM'), placed::timestamp AT TIME ZONE 'Europe/Rome' FROM shop.orders LIMIT 1
-- next
SELECT now(), current_date, current_timestamp, localtime, clock_timestamp(), random(), gen_random_uuid()
-- next
SELECT current_user, session_user, current_database(), current_schema, version()
-- next
SELECT coalesce(NULL, 1), nullif(1, 2), greatest(1, 2), CASE WHEN true THEN 1 ELSE 2 END, 1 IS DISTINCT FROM 2
-- next
SELECT 'abc' LIKE 'a%', 'abc' ILIKE 'A%', 'abc' ~ '^a', 'abc' SIMILAR TO 'a%', 'b' BETWEEN SYMMETRIC 'c' AND 'a'
-- next
SELECT trim(both 'x' from 'xax'), substring('abc' from 2 for 1), position('b' in 'abc'), overlay('abc' placing 'x' from 2)
-- next
SELECT regexp_replace('abc', 'b', 'x'), split_part('a,b', ',', 1), format('%s-%s', 1, 2), md5('a'), encode('a', 'hex')
-- next
SELECT (c.address).town, c.address, c FROM shop.customers c
-- next
SELECT c.name, c.note FROM shop.customers AS c(key, name, place, note)
-- next
SELECT sub.renamed FROM (SELECT id AS renamed FROM shop.orders) AS sub LIMIT 1
-- next
SELECT twice(2), public.thrice(3), order_count(1), first_of(id) FROM shop.orders
-- next
SELECT twice(n => 2)
-- next
SELECT nothing()
-- next
SELECT * FROM shop.paid_again LIMIT 1
-- next
SELECT count(*) FROM shop.own_orders
-- next
SELECT * FROM shop.totals
-- next
SELECT * FROM shop.parts_near
-- next
SELECT 5::shop.amount, 'open'::shop.state, ROW('a', 'b')::shop.address, '{open}'::shop.state[]
-- next
SELECT similarity('word', 'words'), 'word' % 'words', unaccent('é'), hstore('a', '1') -> 'a', word <-> 'x' FROM words
-- next
SELECT table_name FROM information_schema.tables WHERE table_schema = 'shop'
-- next
SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'orders'
-- next
SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'shop'
-- next
SELECT pg_size_pretty(pg_total_relation_size('shop.orders')), obj_description('shop.orders'::regclass)
-- next
SELECT 1 EXCEPT SELECT 2 INTERSECT SELECT 3
-- next
SELECT * FROM shop.orders ORDER BY total USING > FETCH FIRST 3 ROWS WITH TIES
-- next
SELECT 1 WHERE (1, 2) IN (SELECT 1, 2) AND 1 = ANY (ARRAY[1]) AND 1 > ALL (SELECT 0) AND NOT EXISTS (SELECT 1 LIMIT 0)
-- next
SELECT 'b'
'c'
-- next
SELECT b'101', x'1F', 1e3, .5
-- next
SELECT count(*), count(DISTINCT state), bool_and(total > 0), stddev(total), corr(id, id) FROM shop.orders
-- next
SELECT rank() OVER w, lag(total) OVER w, ntile(4) OVER w FROM shop.orders WINDOW w AS (ORDER BY placed ROWS 1 PRECEDING)
-- next
SELECT doubled(4)
