import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { enterRoute, signInRoute } from "./auth";
import { askRoute, chatRoute } from "./chat";
import { databasesRoute, documentLinksRoute, statementLogRoute } from "./databases";
import { documentRoute, searchRoute, settingsRoute, sourcesRoute, workspacesRoute } from "./library";
import { rootRoute } from "./root";
import { shellRoute } from "./shell";

const routeTree = rootRoute.addChildren([
  signInRoute,
  enterRoute,
  shellRoute.addChildren([
    askRoute,
    chatRoute,
    searchRoute,
    sourcesRoute,
    documentRoute,
    databasesRoute,
    statementLogRoute,
    documentLinksRoute,
    workspacesRoute,
    settingsRoute,
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
