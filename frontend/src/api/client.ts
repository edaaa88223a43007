import { type ApiError, NetworkError, readProblem } from "./errors";
import { reportReachable } from "./reachability";

interface RequestOptions {
  method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** Answers 401 as an ordinary error where the page itself is the way in. */
  public?: boolean;
}

type WorkspaceMessage = { type: "workspace-changed"; workspaceId: string | null } | { type: "signed-out" };

let workspaceId: string | null = null;
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel("knowledgestack") : null;

channel?.addEventListener("message", (event: MessageEvent<WorkspaceMessage>) => {
  if (event.data.type === "signed-out") goToSignIn();
  else if (workspaceId !== null && event.data.workspaceId !== workspaceId) location.assign("/");
});

/** States which workspace this page shows; every request says so, and the server refuses where that is no longer true. */
export function setPageWorkspace(id: string | null): void {
  workspaceId = id;
}

/** Tells the other tabs of this browser that another workspace is open now. */
export function announceWorkspace(id: string | null): void {
  channel?.postMessage({ type: "workspace-changed", workspaceId: id } satisfies WorkspaceMessage);
}

/** Tells the other tabs of this browser that nobody is signed in any more. */
export function announceSignOut(): void {
  channel?.postMessage({ type: "signed-out" } satisfies WorkspaceMessage);
}

function goToSignIn(): void {
  const here = location.pathname + location.search;
  if (location.pathname === "/signin" || location.pathname === "/enter") return;
  location.assign(here === "/" ? "/signin" : `/signin?next=${encodeURIComponent(here)}`);
}

/** Headers of the page's own state that every request carries. */
export function pageHeaders(): Record<string, string> {
  return workspaceId ? { "X-Workspace-Id": workspaceId } : {};
}

/** What follows from a refusal for the whole page: to sign in again, or to load anew in the workspace now open. */
export function followRefusal(error: ApiError): void {
  if (error.status === 401) goToSignIn();
  if (error.code === "workspace_changed") location.assign("/");
}

/** Sends one request and gives back the answer. Throws ApiError for a refusal and NetworkError where nothing answered. */
export async function send(path: string, options: RequestOptions = {}): Promise<Response> {
  const headers: Record<string, string> = {
    Accept: "application/json",
    ...pageHeaders(),
    ...options.headers,
  };
  const init: RequestInit = { method: options.method ?? "GET", credentials: "same-origin", headers };
  if (options.signal) init.signal = options.signal;
  if (options.body !== undefined) {
    init.body = JSON.stringify(options.body);
    headers["Content-Type"] = "application/json";
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (failure) {
    if (options.signal?.aborted) throw failure;
    reportReachable(false);
    throw new NetworkError("The server cannot be reached.", { cause: failure });
  }
  reportReachable(true);
  if (response.ok) return response;
  const error = await readProblem(response);
  if (!options.public) followRefusal(error);
  throw error;
}

/** Sends one request and gives back its JSON. */
export async function request<Result>(path: string, options: RequestOptions = {}): Promise<Result> {
  const response = await send(path, options);
  return (await response.json()) as Result;
}

/** A path with its query; values that are not set are left out. */
export function withQuery(path: string, query: Record<string, string | number | null | undefined>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === "") continue;
    parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text ? `${path}?${text}` : path;
}
