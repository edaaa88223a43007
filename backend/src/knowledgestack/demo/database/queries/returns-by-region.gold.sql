WITH today AS (
    SELECT v::date AS day FROM ctld WHERE k = 'BUSDAY'
), quarters AS (
    SELECT fy, (pd - 1) / 3 + 1 AS quarter, min(d0) AS first_day, max(d1) AS last_day
    FROM fcal
    GROUP BY fy, (pd - 1) / 3 + 1
), two_quarters AS (
    SELECT first_day, last_day, row_number() OVER (ORDER BY last_day DESC) AS back
    FROM quarters
    JOIN today ON quarters.last_day < today.day
    ORDER BY last_day DESC
    LIMIT 2
), returned AS (
    SELECT
        CASE h.rgc WHEN 10 THEN 'Northmarch' WHEN 20 THEN 'Midvale' WHEN 30 THEN 'Southreach' ELSE 'Islands' END AS region,
        two_quarters.back,
        rl.q AS units
    FROM rtnh r
    JOIN rtnl rl ON rl.rno = r.rno
    JOIN ordh o ON o.ono = r.ono
    JOIN hubm h ON h.hub = o.hub
    JOIN cusm c ON c.cno = o.cno
    JOIN two_quarters ON r.rdt BETWEEN two_quarters.first_day AND two_quarters.last_day
    WHERE r.st IN ('R', 'T', 'K')
        AND r.rsn < 70
        AND o.ch <> 'X'
        AND h.rgc <> 90
        AND c.rgc <> 90
        AND c.tst <> 'Y'
        AND c.del_f <> 'Y'
), totals AS (
    SELECT
        region,
        coalesce(sum(units) FILTER (WHERE back = 2), 0) AS quarter_before,
        coalesce(sum(units) FILTER (WHERE back = 1), 0) AS last_quarter
    FROM returned
    GROUP BY region
)
SELECT
    region,
    quarter_before,
    last_quarter,
    last_quarter - quarter_before AS rise,
    round(100.0 * (last_quarter - quarter_before) / nullif(quarter_before, 0), 1) AS rise_percent
FROM totals
ORDER BY rise DESC, region
