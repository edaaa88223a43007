WITH visits AS (
    SELECT
        v.vno,
        v.wx,
        v.disp_ts AT TIME ZONE 'UTC' AT TIME ZONE h.tz AS dispatched,
        v.arr_ts AT TIME ZONE 'UTC' AT TIME ZONE h.tz AS arrived
    FROM svcv v
    JOIN tchm t ON t.tno = v.tno
    JOIN hubm h ON h.hub = t.hub
    WHERE v.typ = 'B' AND h.rgc IN (41, 42)
), october AS (
    SELECT vno, wx, dispatched, arrived
    FROM visits
    WHERE dispatched >= TIMESTAMP '2026-10-01 00:00' AND dispatched < TIMESTAMP '2026-11-01 00:00'
), business AS (
    SELECT
        o.vno,
        coalesce(sum(extract(epoch FROM
            least(o.arrived, days.day + INTERVAL '18 hours') - greatest(o.dispatched, days.day + INTERVAL '8 hours')
        ) / 60) FILTER (
            WHERE least(o.arrived, days.day + INTERVAL '18 hours') > greatest(o.dispatched, days.day + INTERVAL '8 hours')
        ), 0) AS minutes
    FROM october o
    CROSS JOIN LATERAL generate_series(date_trunc('day', o.dispatched), o.arrived, INTERVAL '1 day') AS days(day)
    WHERE o.wx <> 'Y' AND extract(isodow FROM days.day) < 6
    GROUP BY o.vno
)
SELECT
    count(*) AS counted_visits,
    count(*) FILTER (WHERE minutes <= 240) AS kept,
    round(100.0 * count(*) FILTER (WHERE minutes <= 240) / count(*), 1) AS kept_percent,
    95 AS needed_percent,
    (SELECT count(*) FROM october WHERE wx = 'Y') AS weather_stops_left_out
FROM business
