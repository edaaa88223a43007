import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "./shell";

const text = (value: unknown): string | undefined =>
  value === undefined || value === null || value === "" ? undefined : String(value);

/** The value if it is one of `allowed`. */
function oneOf<Value extends string>(value: unknown, allowed: readonly Value[]): Value | undefined {
  return allowed.find((one) => one === value);
}

/** Leaves out what is not set, so that the address stays short. */
function set<Values extends object>(values: Values): { [Key in keyof Values]?: NonNullable<Values[Key]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

const TABS = ["columns", "sample", "queries", "documents"] as const;
const DIALOGS = ["connect", "edit", "role"] as const;
const LINK_STATES = ["proposed", "confirmed", "refused"] as const;
const OUTCOMES = ["running", "answered", "rejected", "failed", "timeout", "cancelled"] as const;

/** The chosen database, its table and tab; `query` is an open verified query or "new". */
export const databasesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/databases",
  validateSearch: (search: Record<string, unknown>) =>
    set({
      connection: text(search["connection"]),
      schema: text(search["schema"]),
      table: text(search["table"]),
      tab: oneOf(search["tab"], TABS),
      query: text(search["query"]),
      dialog: oneOf(search["dialog"], DIALOGS),
    }),
  component: lazyRouteComponent(() => import("@/features/databases/DatabasesPage"), "DatabasesPage"),
});

export const statementLogRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/databases/log",
  validateSearch: (search: Record<string, unknown>) =>
    set({
      connection: text(search["connection"]),
      outcome: oneOf(search["outcome"], OUTCOMES),
      user: text(search["user"]),
    }),
  component: lazyRouteComponent(() => import("@/features/databases/StatementLogPage"), "StatementLogPage"),
});

export const documentLinksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/databases/links",
  validateSearch: (search: Record<string, unknown>) =>
    set({ connection: text(search["connection"]), state: oneOf(search["state"], LINK_STATES) }),
  component: lazyRouteComponent(() => import("@/features/databases/LinksPage"), "LinksPage"),
});
