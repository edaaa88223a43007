import type { TlsMode } from "@/api/types";

export interface ParsedAddress {
  host: string;
  port: string;
  database: string;
  username: string;
  password: string;
  tls: TlsMode | null;
}

const MODES: Record<string, TlsMode> = {
  disable: "off",
  allow: "require",
  prefer: "require",
  require: "require",
  "verify-ca": "verify",
  "verify-full": "verify",
};

/** The parts of a `postgres://user:password@host:port/database?sslmode=…` address, or null where the text is none. */
export function parseConnectionString(text: string): ParsedAddress | null {
  if (!/^postgres(ql)?:\/\//i.test(text.trim())) return null;
  let url: URL;
  try {
    // The browser reads user, host and port only of schemes that it knows.
    url = new URL(text.trim().replace(/^postgres(ql)?:/i, "https:"));
  } catch {
    return null;
  }
  const port = /:(\d+)$/.exec(authority(text))?.[1];
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: port ?? "5432",
    database: decoded(url.pathname.slice(1)),
    username: decoded(url.username),
    password: decoded(url.password),
    tls: MODES[url.searchParams.get("sslmode") ?? ""] ?? null,
  };
}

/** Host and port as they were written: 443 too, which a browser leaves out of https addresses. */
function authority(text: string): string {
  const rest = text.trim().replace(/^[a-z]+:\/\//i, "");
  return rest.split(/[/?#]/)[0]?.split("@").at(-1) ?? "";
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
