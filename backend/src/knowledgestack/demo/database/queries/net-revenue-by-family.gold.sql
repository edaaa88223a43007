WITH quarter AS (
    SELECT min(d0) AS first_day, max(d1) AS last_day
    FROM fcal
    WHERE fy = 'FY27' AND pd BETWEEN 7 AND 9
), lines AS (
    SELECT
        CASE m.fam
            WHEN 'LKS' THEN 'Larkspur'
            WHEN 'TSL' THEN 'Teasel'
            WHEN 'YRW' THEN 'Yarrow'
            WHEN 'SRL' THEN 'Sorrel'
            ELSE 'not a machine'
        END AS family,
        l.q::numeric * l.px_m * (10000 - l.dsc_bp) / 10000 * f.r_e6 / 1000000 / 100 AS euro
    FROM ordh o
    JOIN ordl l ON l.ono = o.ono
    JOIN fxrt f ON f.fxi = o.fxi
    JOIN hubm h ON h.hub = o.hub
    JOIN cusm c ON c.cno = o.cno
    JOIN quarter ON o.odt BETWEEN quarter.first_day AND quarter.last_day
    LEFT JOIN mchm m ON m.mcd = l.itm AND l.kd = 'M'
    WHERE o.st IN ('S', 'I')
        AND o.ch <> 'X'
        AND h.rgc <> 90
        AND c.rgc <> 90
        AND c.tst <> 'Y'
        AND c.del_f <> 'Y'
)
SELECT
    family,
    round(sum(euro), 2) AS net_revenue_eur,
    round(100 * sum(euro) / sum(sum(euro)) OVER (), 1) AS share_percent,
    round(sum(sum(euro)) OVER (), 2) AS total_eur
FROM lines
GROUP BY family
ORDER BY net_revenue_eur DESC
