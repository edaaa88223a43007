import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { shellRoute } from "./shell";

/** `ask` is a question that is put at once, as the command palette does; `draft` only stands in the composer. */
export const askRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/",
  validateSearch: (search): { ask?: string; draft?: string } => {
    const ask = search["ask"] === undefined ? "" : String(search["ask"]);
    const draft = search["draft"] === undefined ? "" : String(search["draft"]);
    return { ...(ask && { ask }), ...(draft && { draft }) };
  },
  component: lazyRouteComponent(() => import("@/features/chat/AskPage"), "AskPage"),
});

const QUERY_MARK = /^Q[1-9]\d{0,3}$/;

/**
 * `turn` and `citation` name the citation that stands open beside the answer: a number for words of a document, Q1
 * for rows of a query. `figure` is the place of a number of the answer in the turn's figures, where one was picked.
 */
export const chatRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: "/chat/$chatId",
  validateSearch: (search): { turn?: string; citation?: number | string; figure?: number } => {
    const mark = String(search["citation"] ?? "");
    const citation = QUERY_MARK.test(mark) ? mark : Number(mark);
    const figure = Number(search["figure"] ?? -1);
    return {
      ...(typeof search["turn"] === "string" && { turn: search["turn"] }),
      ...((typeof citation === "string" || (Number.isInteger(citation) && citation > 0)) && { citation }),
      ...(Number.isInteger(figure) && figure >= 0 && { figure }),
    };
  },
  component: lazyRouteComponent(() => import("@/features/chat/ChatPage"), "ChatPage"),
});
