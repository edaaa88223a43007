import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { request } from "../client";
import type {
  ChatModelPage,
  ChatServerChange,
  EmbeddingChange,
  ModelSettings,
  ModelTestOutcome,
  NearbyServerList,
} from "../types";

export const chatModelsQuery = queryOptions({
  queryKey: ["models", "chat"],
  queryFn: ({ signal }) => request<ChatModelPage>("/api/chat/models", { signal }),
  staleTime: 60_000,
});

export const modelSettingsQuery = queryOptions({
  queryKey: ["models", "settings"],
  queryFn: ({ signal }) => request<ModelSettings>("/api/settings/models", { signal }),
  refetchInterval: ({ state }) => (state.data && state.data.embedding.workspacesBuilding > 0 ? 3000 : false),
});

export const nearbyServersQuery = queryOptions({
  queryKey: ["models", "nearby"],
  queryFn: ({ signal }) => request<NearbyServerList>("/api/settings/models/nearby", { signal }),
  staleTime: 60_000,
});

function useSettingsChange<Change>(path: string, method: "PUT" | "DELETE") {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Change) =>
      request<ModelSettings>(path, { method, ...(body !== undefined && { body }) }),
    onSuccess: (settings) => {
      client.setQueryData(modelSettingsQuery.queryKey, settings);
      return client.invalidateQueries({ queryKey: chatModelsQuery.queryKey });
    },
    meta: { shownInPlace: true },
  });
}

export function useSaveChatServer() {
  return useSettingsChange<ChatServerChange>("/api/settings/models/chat", "PUT");
}

export function useDeleteChatServer() {
  return useSettingsChange<undefined>("/api/settings/models/chat", "DELETE");
}

export function useSaveEmbeddingModel() {
  return useSettingsChange<EmbeddingChange>("/api/settings/models/embedding", "PUT");
}

export function useTestChatServer() {
  return useMutation({
    mutationFn: (body: ChatServerChange) =>
      request<ModelTestOutcome>("/api/settings/models/chat/test", { method: "POST", body }),
    meta: { shownInPlace: true },
  });
}

export function useTestEmbeddingModel() {
  return useMutation({
    mutationFn: (body: EmbeddingChange) =>
      request<ModelTestOutcome>("/api/settings/models/embedding/test", { method: "POST", body }),
    meta: { shownInPlace: true },
  });
}
