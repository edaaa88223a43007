SELECT c.rgc AS region, sum(CASE WHEN r.rdt >= DATE '2026-07-01' THEN rl.q ELSE -rl.q END) AS rise
FROM rtnh r
JOIN rtnl rl ON rl.rno = r.rno
JOIN ordh o ON o.ono = r.ono
JOIN cusm c ON c.cno = o.cno
WHERE r.rdt BETWEEN DATE '2026-04-01' AND DATE '2026-09-30'
GROUP BY c.rgc
ORDER BY rise DESC
