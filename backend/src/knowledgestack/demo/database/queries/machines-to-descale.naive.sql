SELECT u.uno AS machine
FROM untm u
JOIN tlmr r ON r.uno = u.uno AND r.d = (SELECT max(d) FROM tlmr)
WHERE r.alm & 4 > 0
ORDER BY u.uno
