SELECT s.nm AS supplier, sum(p.q * m.cst_m) AS cost
FROM svcv v
JOIN svcp p ON p.vno = v.vno
JOIN prtm m ON m.pcd = p.pcd
JOIN supm s ON s.sup = m.sup
WHERE v.typ = 'W' AND v.disp_ts >= DATE '2026-01-01'
GROUP BY s.nm
ORDER BY cost DESC
