WITH today AS (
    SELECT v::date AS day FROM ctld WHERE k = 'BUSDAY'
), thresholds (region_code, region, threshold) AS (
    VALUES (10, 'Northmarch', 780), (20, 'Midvale', 560), (30, 'Southreach', 680), (41, 'Skerries', 780), (42, 'Long Isle', 450)
), connected AS (
    SELECT u.uno, u.mcd, u.hub, t.region, t.threshold
    FROM untm u
    JOIN hubm h ON h.hub = u.hub
    JOIN thresholds t ON t.region_code = h.rgc
    WHERE u.st IN ('R', 'S') AND EXISTS (SELECT 1 FROM tlmr WHERE tlmr.uno = u.uno)
), latest AS (
    SELECT DISTINCT ON (r.uno) r.uno, r.d, r.lsi
    FROM tlmr r
    CROSS JOIN today
    WHERE r.alm & 32 = 0 AND r.d <= today.day
    ORDER BY r.uno, r.d DESC
), judged AS (
    SELECT
        CASE
            WHEN l.d IS NULL OR l.d < today.day - 7 THEN 'unknown'
            WHEN l.lsi >= c.threshold THEN 'due'
        END AS finding,
        c.uno, c.mcd, c.hub, c.region, c.threshold, l.lsi, l.d
    FROM connected c
    CROSS JOIN today
    LEFT JOIN latest l ON l.uno = c.uno
)
SELECT
    finding,
    count(*) OVER (PARTITION BY finding) AS machines,
    hub,
    count(*) OVER (PARTITION BY finding, hub) AS machines_of_hub,
    region,
    uno AS machine,
    mcd AS type,
    lsi AS limescale_index,
    threshold,
    d AS last_valid_reading
FROM judged
WHERE finding IS NOT NULL
ORDER BY finding, hub, limescale_index DESC, machine
