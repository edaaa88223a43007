WITH today AS (
    SELECT v::date AS day FROM ctld WHERE k = 'BUSDAY'
), accounts AS (
    SELECT cno, coalesce(par, cno) AS customer
    FROM cusm
    WHERE tst <> 'Y' AND del_f <> 'Y' AND rgc <> 90
), orders AS (
    SELECT o.cno, o.st, today.day - o.odt AS days_ago
    FROM ordh o
    JOIN hubm h ON h.hub = o.hub
    CROSS JOIN today
    WHERE o.ch <> 'X' AND h.rgc <> 90
)
SELECT
    (
        SELECT count(DISTINCT a.customer)
        FROM accounts a
        WHERE EXISTS (SELECT 1 FROM subc s WHERE s.cno = a.cno AND s.st IN ('A', 'N', 'K'))
            OR EXISTS (SELECT 1 FROM orders o WHERE o.cno = a.cno AND o.st IN ('S', 'I') AND o.days_ago < 365)
    ) AS active_customers_fy26_rule,
    (
        SELECT count(*)
        FROM accounts a
        WHERE EXISTS (SELECT 1 FROM orders o WHERE o.cno = a.cno AND o.st <> 'C' AND o.days_ago < 730)
    ) AS active_customers_fy25_rule
