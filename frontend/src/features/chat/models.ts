import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ChatModelItem } from "@/api/generated";
import { chatModelsQuery } from "@/api/queries/models";

interface Models {
  items: ChatModelItem[];
  defaultModelId: string;
}

const NONE: Models = { items: [], defaultModelId: "local" };

/** The models that can answer, as the server names them. */
export function useModels(): Models {
  return useQuery(chatModelsQuery).data ?? NONE;
}

/** A model in words: the local answerer says what it does instead of a name. */
export function useModelLabel(id: string): string {
  const { t } = useTranslation();
  const model = useModels().items.find((item) => item.id === id);
  return id === "local" || model?.local ? t("chat.models.local") : (model?.label ?? id);
}
