SELECT
    count(*) AS visits,
    count(*) FILTER (WHERE v.arr_ts - v.disp_ts <= INTERVAL '4 hours') AS kept,
    round(100.0 * count(*) FILTER (WHERE v.arr_ts - v.disp_ts <= INTERVAL '4 hours') / count(*), 1) AS kept_percent
FROM svcv v
JOIN untm u ON u.uno = v.uno
JOIN hubm h ON h.hub = u.hub
WHERE h.rgc IN (41, 42) AND v.disp_ts >= DATE '2026-10-01' AND v.disp_ts < DATE '2026-11-01'
