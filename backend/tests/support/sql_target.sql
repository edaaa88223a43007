CREATE SCHEMA shop;

CREATE TYPE shop.state AS ENUM ('open', 'paid', 'sent');
CREATE TYPE shop.address AS (street text, town text);
CREATE DOMAIN shop.amount AS numeric(12,2) CHECK (VALUE >= 0);

CREATE TABLE shop.customers (id int PRIMARY KEY, name varchar(80) NOT NULL, address shop.address, note text);
INSERT INTO shop.customers VALUES (1, 'Ada', ('Main St', 'Bath'), NULL), (2, 'Bo', NULL, ''), (3, '', NULL, 'x');

CREATE TABLE shop.orders (
    id int PRIMARY KEY, customer_id int REFERENCES shop.customers, state shop.state NOT NULL,
    total shop.amount NOT NULL, placed date NOT NULL);
INSERT INTO shop.orders
SELECT n, n % 3 + 1, (ARRAY['open', 'paid', 'sent'])[n % 3 + 1]::shop.state, n * 1.5, date '2026-01-01' + n % 300
FROM generate_series(1, 3000) n;

CREATE TABLE public.words (word text);
INSERT INTO public.words VALUES ('one'), ('two');
CREATE TABLE shop.written (what text);
CREATE TABLE shop.secrets (what text);
INSERT INTO shop.secrets VALUES ('the secret');

-- What a statement may use.
CREATE FUNCTION public.twice(n int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT n * 2';
CREATE FUNCTION public.thrice(n int) RETURNS int LANGUAGE sql IMMUTABLE RETURN n * 3;
CREATE FUNCTION public.order_count(customer int) RETURNS bigint LANGUAGE sql STABLE
    BEGIN ATOMIC SELECT count(*) FROM shop.orders WHERE customer_id = customer; END;
CREATE FUNCTION public.nothing() RETURNS void LANGUAGE sql STABLE AS 'SELECT NULL::void';
CREATE FUNCTION public.keep_first(a int, b int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT coalesce(a, b)';
CREATE AGGREGATE public.first_of(int) (SFUNC = public.keep_first, STYPE = int);
CREATE VIEW shop.paid AS SELECT id, total, twice(id) AS doubled FROM shop.orders WHERE state = 'paid';
CREATE VIEW shop.paid_again AS SELECT * FROM shop.paid;
CREATE VIEW shop.own_orders AS
    SELECT * FROM shop.orders WHERE customer_id::text = coalesce(current_setting('shop.customer', true), '1');
CREATE MATERIALIZED VIEW shop.totals AS SELECT customer_id, sum(total) AS total FROM shop.orders GROUP BY 1;

-- What it may not.
CREATE FUNCTION public.write_row() RETURNS int LANGUAGE plpgsql VOLATILE SECURITY DEFINER AS
    $$ BEGIN INSERT INTO shop.written VALUES ('x'); RETURN 1; END $$;
CREATE FUNCTION public.feign() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN 1; END $$;
CREATE FUNCTION public.read_secret() RETURNS SETOF text LANGUAGE sql STABLE SECURITY DEFINER AS
    'SELECT what FROM shop.secrets';
CREATE FUNCTION public.lock_it(n int) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT pg_try_advisory_lock(n)';
CREATE FUNCTION public.lock_deeper(n int) RETURNS boolean LANGUAGE sql STABLE RETURN public.lock_it(n);
CREATE FUNCTION public.with_settings() RETURNS int LANGUAGE sql STABLE
    SET standard_conforming_strings = off AS 'SELECT 1';
CREATE FUNCTION public.label(c shop.customers) RETURNS text LANGUAGE plpgsql VOLATILE AS
    $$ BEGIN INSERT INTO shop.written VALUES ('x'); RETURN c.name; END $$;
CREATE FUNCTION public.many(n int) RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN n; END $$;
CREATE OPERATOR public.### (RIGHTARG = int, FUNCTION = public.many);
CREATE FUNCTION public.keep_volatile(a int, b int) RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN b; END $$;
CREATE AGGREGATE public.many_of(int) (SFUNC = public.keep_volatile, STYPE = int);
CREATE TYPE shop.odd AS (n int);
CREATE FUNCTION shop.odd_of(n int) RETURNS shop.odd LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN ROW(n); END $$;
CREATE CAST (int AS shop.odd) WITH FUNCTION shop.odd_of(int);
CREATE FUNCTION shop.int_of(o shop.odd) RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN 1; END $$;
CREATE CAST (shop.odd AS int) WITH FUNCTION shop.int_of(shop.odd);
CREATE TABLE shop.odds (odd shop.odd);
CREATE DOMAIN shop.checked AS int CHECK (public.many(VALUE) > 0);
CREATE DOMAIN shop.sleepy AS int CHECK (pg_sleep(VALUE) IS NOT NULL);
CREATE VIEW shop.slow AS SELECT 1 AS n, pg_sleep(2)::text AS slept;
CREATE VIEW shop.slow_again AS SELECT n FROM shop.slow;
CREATE VIEW shop.locking AS SELECT pg_try_advisory_lock(n) FROM generate_series(1, 10) n;
CREATE VIEW shop.sessions AS SELECT * FROM pg_stat_activity;
CREATE VIEW shop.passwords AS SELECT rolname, rolpassword FROM pg_authid;
CREATE FUNCTION shop."Größe"() RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN 1; END $$;

DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_available_extensions WHERE name = 'adminpack') THEN CREATE EXTENSION adminpack; END IF;
END $$;
CREATE EXTENSION pg_trgm;
CREATE EXTENSION unaccent;
CREATE EXTENSION hstore;
CREATE EXTENSION dblink;
CREATE EXTENSION tablefunc;
CREATE EXTENSION postgres_fdw;
CREATE SERVER elsewhere FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1');
CREATE FOREIGN TABLE shop.far (id int) SERVER elsewhere;
CREATE TABLE shop.parts (id int) PARTITION BY RANGE (id);
CREATE TABLE shop.parts_near PARTITION OF shop.parts FOR VALUES FROM (0) TO (100);
CREATE FOREIGN TABLE shop.parts_far PARTITION OF shop.parts FOR VALUES FROM (100) TO (200) SERVER elsewhere;
CREATE DOMAIN shop.sleepier AS shop.sleepy;
CREATE TYPE shop.holder AS (n shop.sleepy);
CREATE TABLE shop.held (n shop.sleepy);
CREATE TYPE shop.sleepy_range AS RANGE (subtype = shop.sleepy);
CREATE FUNCTION public.json_value(a text, b text) RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN 1; END $$;
CREATE FUNCTION public.json_scalar(a text) RETURNS int LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN 1; END $$;
CREATE TYPE shop.soft AS (n int);
CREATE FUNCTION shop.soft_of(n int) RETURNS shop.soft LANGUAGE plpgsql VOLATILE AS $$ BEGIN RETURN ROW(n); END $$;
CREATE CAST (int AS shop.soft) WITH FUNCTION shop.soft_of(int) AS IMPLICIT;
CREATE FUNCTION public.take(s shop.soft) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT 1';
CREATE FUNCTION public.left_out(a int DEFAULT public.many(1)) RETURNS int LANGUAGE sql STABLE AS 'SELECT 1';
CREATE FUNCTION public.doubled(a int, b int DEFAULT 2) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT a * b';
CREATE FUNCTION public.gives_checked(n int) RETURNS shop.checked LANGUAGE sql STABLE AS 'SELECT n';
CREATE FUNCTION public.takes_checked(n shop.checked) RETURNS int LANGUAGE sql STABLE AS 'SELECT 1';

-- Code behind a type whose names need quotes, behind what holds such a type, behind a row, and behind an order.
CREATE SCHEMA "Odd.Names";
GRANT USAGE ON SCHEMA "Odd.Names" TO PUBLIC;
CREATE TYPE "Odd.Names"."od.d" AS (n int);
CREATE FUNCTION shop.text_of(o "Odd.Names"."od.d") RETURNS text LANGUAGE plpgsql VOLATILE AS
    $$ BEGIN PERFORM pg_advisory_lock(9); RETURN 'x'; END $$;
CREATE CAST ("Odd.Names"."od.d" AS text) WITH FUNCTION shop.text_of("Odd.Names"."od.d");
CREATE TABLE shop.quoted_odds (o "Odd.Names"."od.d");
CREATE TYPE shop.odd_holder AS (f "Odd.Names"."od.d");
CREATE TABLE shop.odd_holders (h shop.odd_holder);
CREATE DOMAIN shop.odd_domain AS "Odd.Names"."od.d";
CREATE TABLE shop.odd_domains (o shop.odd_domain);
CREATE TABLE shop.cast_rows (n int);
CREATE FUNCTION shop.row_text(r shop.cast_rows) RETURNS text LANGUAGE plpgsql VOLATILE AS
    $$ BEGIN PERFORM pg_advisory_lock(9); RETURN 'x'; END $$;
CREATE CAST (shop.cast_rows AS text) WITH FUNCTION shop.row_text(shop.cast_rows) AS IMPLICIT;
CREATE TYPE shop.ranked AS (n int);
CREATE FUNCTION shop.ranked_compare(a shop.ranked, b shop.ranked) RETURNS int LANGUAGE plpgsql IMMUTABLE AS
    $$ BEGIN PERFORM pg_advisory_lock(9); RETURN 0; END $$;
CREATE OPERATOR CLASS shop.ranked_order DEFAULT FOR TYPE shop.ranked USING btree AS
    FUNCTION 1 shop.ranked_compare(shop.ranked, shop.ranked);
CREATE TABLE shop.ranks (r shop.ranked);

-- Code behind what belongs to a table: the planner evaluates what is constant in it.
CREATE FUNCTION shop.loud() RETURNS int LANGUAGE plpgsql IMMUTABLE AS
    $$ BEGIN IF current_setting('application_name') = 'knowledgestack' THEN RAISE EXCEPTION 'loud'; END IF;
    RETURN 0; END $$;
CREATE TABLE shop.indexed (id int);
CREATE INDEX ON shop.indexed ((id + shop.loud()));
CREATE TABLE shop.partly_indexed (id int);
CREATE INDEX ON shop.partly_indexed (id) WHERE shop.loud() = 0;
CREATE TABLE shop.counted (id int, b int);
CREATE STATISTICS shop.counted_together ON (id + shop.loud()), b FROM shop.counted;
CREATE TABLE shop.parted (id int) PARTITION BY RANGE ((id + shop.loud()));
CREATE TABLE shop.parent (id int);
CREATE TABLE shop.child () INHERITS (shop.parent);
CREATE INDEX ON shop.child ((id + shop.loud()));
-- What a table may well have.
CREATE FUNCTION shop.tidy(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN lower(t); END $$;
CREATE TABLE shop.tidied (id int, name text CHECK (shop.tidy(name) <> ''));
CREATE INDEX ON shop.tidied (shop.tidy(name)) WHERE name <> lower('X');
INSERT INTO shop.tidied VALUES (1, 'Lakes');
CREATE TYPE shop.span AS RANGE (subtype = int4);
CREATE TABLE shop.spans (s shop.span, b int);
INSERT INTO shop.spans VALUES ('[1,3)', 7);
