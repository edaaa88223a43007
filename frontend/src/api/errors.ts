import type { Problem } from "./types";

/** What a request came to when the server refused it: the sentence for the person, a stable code and the number to quote. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly fields: readonly { path: string; message: string }[];

  constructor(status: number, problem: Partial<Problem>) {
    super(problem.detail || problem.title || `The server answered ${status}.`);
    this.status = status;
    this.code = problem.code ?? "unknown";
    this.requestId = problem.requestId ?? null;
    this.fields = problem.errors ?? [];
  }
}

/** The server could not be reached at all: no network, or nothing answers there. */
export class NetworkError extends Error {
  override readonly name = "NetworkError";
}

/** Reads a refused answer into an ApiError; a body that is no problem still keeps its status. */
export async function readProblem(response: Response): Promise<ApiError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  const requestId = problem.requestId ?? response.headers.get("X-Request-Id");
  return new ApiError(response.status, requestId ? { ...problem, requestId } : problem);
}
