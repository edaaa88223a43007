import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { announceSignOut, announceWorkspace, request, send, setPageWorkspace } from "../client";
import type { Session, SignInProviderPage, Workspace, WorkspacePage } from "../types";

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }) => {
    const session = await request<Session>("/api/auth/session", { signal });
    setPageWorkspace(session.activeWorkspace?.id ?? null);
    return session;
  },
  staleTime: 60_000,
});

export const providersQuery = queryOptions({
  queryKey: ["auth", "providers"],
  queryFn: ({ signal }) => request<SignInProviderPage>("/api/auth/providers", { signal, public: true }),
});

/** Uses up a one-time sign-in link. */
export function enterWithToken(token: string): Promise<Response> {
  return send("/api/auth/enter", { method: "POST", body: { token }, public: true });
}

export function useSignOut() {
  return useMutation({
    mutationFn: () => send("/api/auth/signout", { method: "POST" }),
    onSuccess: () => {
      announceSignOut();
      location.assign("/signin");
    },
  });
}

export const workspacesQuery = queryOptions({
  queryKey: ["workspaces"],
  queryFn: ({ signal }) => request<WorkspacePage>("/api/workspaces?limit=200", { signal }),
});

export function useCreateWorkspace() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => request<Workspace>("/api/workspaces", { method: "POST", body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["workspaces"] }),
  });
}

/** Opens another workspace: this tab and all others load anew in it. */
export function useSelectWorkspace() {
  return useMutation({
    mutationFn: (id: string) => send(`/api/workspaces/${id}/select`, { method: "POST" }),
    onSuccess: (_answer, id) => {
      announceWorkspace(id);
      location.assign("/");
    },
  });
}
