WITH year AS (
    SELECT min(f.d0) AS first_day, max(t.v::date) AS last_day
    FROM ctld t
    JOIN fcal f ON f.fy = (SELECT fy FROM fcal WHERE t.v::date BETWEEN d0 AND d1)
    WHERE t.k = 'BUSDAY'
), used AS (
    SELECT p.pcd, p.q, u.hub, (v.arr_ts AT TIME ZONE 'UTC' AT TIME ZONE h.tz)::date AS day
    FROM svcv v
    JOIN svcp p ON p.vno = v.vno
    JOIN untm u ON u.uno = v.uno
    JOIN hubm h ON h.hub = u.hub
    WHERE v.typ = 'W'
), of_year AS (
    SELECT used.pcd, used.q, used.hub, used.day
    FROM used
    JOIN year ON used.day BETWEEN year.first_day AND year.last_day
), with_supplier AS (
    SELECT
        o.pcd,
        o.q,
        coalesce(
            (
                SELECT s.sup FROM stkm s
                WHERE s.mv = 'I' AND s.pcd = o.pcd AND s.hub = o.hub AND s.mdt <= o.day
                ORDER BY s.mdt DESC LIMIT 1
            ),
            (
                SELECT s.sup FROM stkm s
                WHERE s.mv = 'I' AND s.pcd = o.pcd AND s.mdt <= o.day
                ORDER BY s.mdt DESC LIMIT 1
            )
        ) AS sup
    FROM of_year o
)
SELECT s.nm AS supplier, round(sum(w.q * p.cst_m) / 100.0, 2) AS cost_eur, sum(w.q) AS parts
FROM with_supplier w
JOIN prtm p ON p.pcd = w.pcd
LEFT JOIN supm s ON s.sup = w.sup
GROUP BY s.nm
ORDER BY cost_eur DESC, supplier
