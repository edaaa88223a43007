import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "./shell";

/** `ask` is a question that is put at once, as the command palette does. */
export const askRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: (search): { ask?: string } => {
    const ask = search["ask"] === undefined ? "" : String(search["ask"]);
    return ask ? { ask } : {};
  },
  component: lazyRouteComponent(() => import("@/features/chat/AskPage"), "AskPage"),
});

/** `turn` and `citation` name the citation that stands open beside the answer. */
export const chatRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/chat/$chatId",
  validateSearch: (search): { turn?: string; citation?: number } => {
    const citation = Number(search["citation"]);
    return {
      ...(typeof search["turn"] === "string" && { turn: search["turn"] }),
      ...(Number.isInteger(citation) && citation > 0 && { citation }),
    };
  },
  component: lazyRouteComponent(() => import("@/features/chat/ChatPage"), "ChatPage"),
});
