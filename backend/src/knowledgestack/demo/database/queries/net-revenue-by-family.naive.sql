SELECT m.fam AS family, sum(l.q * l.px_m) / 100.0 AS revenue
FROM ordh o
JOIN ordl l ON l.ono = o.ono
JOIN mchm m ON m.mcd = l.itm
WHERE o.odt BETWEEN DATE '2026-07-01' AND DATE '2026-09-30'
GROUP BY m.fam
ORDER BY revenue DESC
