import { HttpResponse, http } from "msw";
import { afterEach, describe, expect, it } from "vitest";
import { server } from "@/testing/server";
import { request, setPageWorkspace, withQuery } from "./client";
import { ApiError, NetworkError } from "./errors";
import { isReachable } from "./reachability";

describe("request", () => {
  afterEach(() => setPageWorkspace(null));

  it("says which workspace the page shows", async () => {
    setPageWorkspace("w-1");
    server.use(
      http.get("/api/sources", ({ request: sent }) => HttpResponse.json(sent.headers.get("X-Workspace-Id"))),
    );
    expect(await request("/api/sources")).toBe("w-1");
  });

  it("turns a problem into an error with its code, sentence and number", async () => {
    const problem = {
      title: "Too large",
      status: 413,
      detail: "a.md is larger than 100 MB.",
      code: "too_large",
    };
    server.use(
      http.post("/api/chat", () => HttpResponse.json({ ...problem, requestId: "7F3A" }, { status: 413 })),
    );
    const failure = await request("/api/chat", { method: "POST", body: {} }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({
      code: "too_large",
      message: "a.md is larger than 100 MB.",
      requestId: "7F3A",
    });
  });

  it("keeps the status of an answer that is no problem", async () => {
    server.use(http.get("/api/sources", () => new HttpResponse("<html>", { status: 502 })));
    await expect(request("/api/sources")).rejects.toMatchObject({ status: 502, code: "unknown" });
  });

  it("knows from a silent server that it cannot be reached, until it answers again", async () => {
    server.use(http.get("/api/sources", () => HttpResponse.error()));
    await expect(request("/api/sources")).rejects.toBeInstanceOf(NetworkError);
    expect(isReachable()).toBe(false);
    server.use(http.get("/api/sources", () => HttpResponse.json({})));
    await request("/api/sources");
    expect(isReachable()).toBe(true);
  });
});

describe("withQuery", () => {
  it("leaves out what is not set and escapes what is", () => {
    expect(withQuery("/api/search", { q: "a&b c", type: undefined, cursor: null, limit: 5 })).toBe(
      "/api/search?q=a%26b+c&limit=5",
    );
  });
});
