import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "./shell";

const text = (value: unknown): string | undefined => (typeof value === "string" && value ? value : undefined);
const number = (value: unknown): number | undefined =>
  Number.isInteger(Number(value)) && value !== "" && value !== undefined && value !== null
    ? Number(value)
    : undefined;

export const searchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/search",
  validateSearch: (search): { q?: string; source?: string; type?: string } => {
    const q = search["q"] === undefined ? "" : String(search["q"]);
    const source = text(search["source"]);
    const type = text(search["type"]);
    return { ...(q && { q }), ...(source && { source }), ...(type && { type }) };
  },
  component: lazyRouteComponent(() => import("@/features/search/SearchPage"), "SearchPage"),
});

export const sourcesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/sources",
  validateSearch: (search): { open?: string } =>
    typeof search["open"] === "string" ? { open: search["open"] } : {},
  component: lazyRouteComponent(() => import("@/features/sources/SourcesPage"), "SourcesPage"),
});

export const documentRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/documents/$documentId",
  validateSearch: (search): { start?: number; end?: number; view?: "text"; from?: string } => {
    const start = number(search["start"]);
    const end = number(search["end"]);
    return {
      ...(start !== undefined && { start }),
      ...(end !== undefined && { end }),
      ...(search["view"] === "text" && { view: "text" as const }),
      ...(typeof search["from"] === "string" && { from: search["from"] }),
    };
  },
  component: lazyRouteComponent(() => import("@/features/documents/DocumentPage"), "DocumentPage"),
});

export const workspacesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/workspaces",
  component: lazyRouteComponent(() => import("@/features/workspaces/WorkspacesPage"), "WorkspacesPage"),
});

export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/settings",
  component: lazyRouteComponent(() => import("@/features/settings/SettingsPage"), "SettingsPage"),
});
