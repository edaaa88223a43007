SELECT h.nm AS hub, h.hub AS code, count(t.tno) AS level_3_technicians
FROM hubm h
LEFT JOIN tchm t ON t.hub = h.hub AND t.lvl = 3
WHERE h.rgc <> 90
GROUP BY h.hub, h.nm
ORDER BY level_3_technicians, h.nm
