import type {
  DatabaseConnection,
  DatabaseConnectionChange,
  NewDatabaseConnection,
  TlsMode,
} from "@/api/types";
import { parseConnectionString } from "./connectionString";

/** A connection as it stands in the form: every value is text. */
export interface ConnectionDraft {
  name: string;
  description: string;
  host: string;
  port: string;
  database: string;
  username: string;
  password: string;
  tls: TlsMode;
  certificate: string;
  removeCertificate: boolean;
  /** One `schema.table.column` a line. */
  denied: string;
}

export type Needed = "name" | "host" | "port" | "database" | "username" | "password";

export function draftOf(connection: DatabaseConnection | undefined): ConnectionDraft {
  return {
    name: connection?.name ?? "",
    description: connection?.description ?? "",
    host: connection?.host ?? "",
    port: String(connection?.port ?? 5432),
    database: connection?.database ?? "",
    username: connection?.username ?? "",
    password: "",
    tls: connection?.tls ?? "verify",
    certificate: "",
    removeCertificate: false,
    denied: connection?.deniedColumns.join("\n") ?? "",
  };
}

/** The draft with what a pasted `postgres://` address says; any other text is a host. */
export function withHost(draft: ConnectionDraft, text: string): ConnectionDraft {
  const parsed = parseConnectionString(text);
  if (!parsed) return { ...draft, host: text };
  return {
    ...draft,
    host: parsed.host,
    port: parsed.port,
    database: parsed.database || draft.database,
    username: parsed.username || draft.username,
    password: parsed.password || draft.password,
    tls: parsed.tls ?? draft.tls,
  };
}

/** What is still missing before the database can be opened. A stored password may stay. */
export function missingIn(draft: ConnectionDraft, passwordStored: boolean): Needed[] {
  const port = Number(draft.port);
  const missing: Needed[] = (["name", "host", "database", "username"] as const).filter(
    (key) => !draft[key].trim(),
  );
  if (!Number.isInteger(port) || port < 1 || port > 65_535) missing.push("port");
  if (!draft.password && !passwordStored) missing.push("password");
  return missing;
}

export function newConnection(draft: ConnectionDraft): NewDatabaseConnection {
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    host: draft.host.trim(),
    port: Number(draft.port),
    database: draft.database.trim(),
    username: draft.username.trim(),
    password: draft.password,
    tls: draft.tls,
    ...(draft.tls === "verify" && draft.certificate.trim() && { caCertificate: draft.certificate.trim() }),
  };
}

/** Only what differs from the stored connection: what is left out stays. */
export function changeOf(draft: ConnectionDraft, stored: DatabaseConnection): DatabaseConnectionChange {
  const change: DatabaseConnectionChange = {};
  for (const key of ["name", "description", "host", "database", "username"] as const) {
    if (draft[key].trim() !== stored[key]) change[key] = draft[key].trim();
  }
  if (Number(draft.port) !== stored.port) change.port = Number(draft.port);
  if (draft.tls !== stored.tls) change.tls = draft.tls;
  if (draft.password) change.password = draft.password;
  if (draft.certificate.trim()) change.caCertificate = draft.certificate.trim();
  else if (draft.removeCertificate) change.caCertificate = null;
  const denied = deniedIn(draft.denied);
  if (denied.join("\n") !== stored.deniedColumns.join("\n")) change.deniedColumns = denied;
  return change;
}

function deniedIn(text: string): string[] {
  const names = text.split(/[\n,]/).map((line) => line.trim());
  return [...new Set(names.filter(Boolean))];
}
