import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

import { chatModelsQuery } from "@/api/queries/models";
import type { ChatModelItem } from "@/api/types";

interface Models {
  items: ChatModelItem[];
  defaultModelId: string;
  /** Why the models of a server that is set up are missing, in a sentence. */
  problem?: string | null;
}

const NONE: Models = { items: [], defaultModelId: "" };

/** The models that can answer, as the server names them. Until it has, the default has no id and the server decides. */
export function useModels(): Models {
  return useQuery(chatModelsQuery).data ?? NONE;
}

/** The model that answers when one asks for `id`: the default where that one is no longer there. */
export function useAnsweringModel(): (id: string | undefined) => string {
  const { items, defaultModelId } = useModels();
  return (id) => items.find((model) => model.id === id && model.available)?.id ?? defaultModelId;
}

/** The answerer that comes with the installation and only quotes. */
export function isQuoting(model: { id: string }): boolean {
  return model.id === "local";
}

/** A model in words: the local answerer says what it does instead of a name. */
export function useModelName(): (id: string) => string {
  const { t } = useTranslation();
  const { items } = useModels();
  return (id) =>
    isQuoting({ id }) ? t("chat.models.local") : (items.find((item) => item.id === id)?.label ?? id);
}
