-- Who holds the session of a cookie, the workspace that is open in it and their role there. $1: SHA-256 of the cookie.
-- The one statement of the guard, prepared once per connection; GET /api/auth/session answers from it too.
SELECT
    s.id                                            AS session_id,
    s.last_seen_at < now() - interval '5 minutes'   AS stale,
    u.id                                            AS user_id,
    u.email,
    u.name,
    u.image_url,
    u.instance_owner,
    w.id                                            AS workspace_id,
    w.name                                          AS workspace_name,
    w.slug,
    w.join_code,
    w.created_at                                    AS workspace_created_at,
    m.role,
    (SELECT count(*) FROM workspace_memberships c WHERE c.workspace_id = w.id) AS member_count
FROM user_sessions s
JOIN users u ON u.id = s.user_id
LEFT JOIN workspace_memberships m ON m.workspace_id = s.active_workspace_id AND m.user_id = s.user_id
LEFT JOIN workspaces w ON w.id = m.workspace_id
WHERE s.token_hash = $1
  AND s.expires_at > now()
  AND s.last_seen_at > now() - interval '14 days'
