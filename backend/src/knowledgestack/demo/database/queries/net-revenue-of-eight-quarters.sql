WITH today AS (
    SELECT v::date AS day FROM ctld WHERE k = 'BUSDAY'
), quarters AS (
    SELECT fy, (pd - 1) / 3 + 1 AS quarter, min(d0) AS first_day, max(d1) AS last_day, count(*) AS weeks
    FROM fcal
    GROUP BY fy, (pd - 1) / 3 + 1
), last_eight AS (
    SELECT q.fy, q.quarter, q.first_day, q.last_day, q.weeks
    FROM quarters q
    JOIN today ON q.last_day < today.day
    ORDER BY q.last_day DESC
    LIMIT 8
)
SELECT
    e.fy || ' Q' || e.quarter AS quarter,
    e.weeks,
    round(sum(l.q::numeric * l.px_m * (10000 - l.dsc_bp) / 10000 * f.r_e6 / 1000000 / 100), 2) AS net_revenue_eur
FROM last_eight e
JOIN ordh o ON o.odt BETWEEN e.first_day AND e.last_day
JOIN ordl l ON l.ono = o.ono
JOIN fxrt f ON f.fxi = o.fxi
JOIN hubm h ON h.hub = o.hub
JOIN cusm c ON c.cno = o.cno
WHERE o.st IN ('S', 'I')
    AND o.ch <> 'X'
    AND h.rgc <> 90
    AND c.rgc <> 90
    AND c.tst <> 'Y'
    AND c.del_f <> 'Y'
GROUP BY e.fy, e.quarter, e.first_day, e.weeks
ORDER BY e.first_day
