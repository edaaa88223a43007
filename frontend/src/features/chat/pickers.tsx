import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ChevronDown, Layers, Sparkles } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { TurnScope } from "@/api/generated";
import { sourceDocumentsQuery } from "@/api/queries/documents";
import { sessionQuery } from "@/api/queries/session";
import { sourcesQuery } from "@/api/queries/sources";
import { Button } from "@/ui/Button";
import { Menu, MenuCheck, MenuChoice, MenuHeading, MenuItem, MenuLine } from "@/ui/Menu";
import { useModels } from "./models";

interface ScopePickerProps {
  scope: TurnScope | null;
  onChange: (scope: TurnScope | null) => void;
}

/** What a question may look at: everything, some sources, or some documents. */
export function ScopePicker({ scope, onChange }: ScopePickerProps) {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const { data: sources } = useQuery(sourcesQuery);
  const items = sources?.items ?? [];
  const chosenSources = scope?.sourceIds ?? [];
  const chosenDocuments = scope?.documentIds ?? [];
  const set = (sourceIds: string[], documentIds: string[]) =>
    onChange(sourceIds.length + documentIds.length === 0 ? null : { sourceIds, documentIds });
  const label =
    chosenDocuments.length > 0
      ? t("chat.scope.documents", { count: chosenDocuments.length })
      : chosenSources.length > 0
        ? t("chat.scope.sources", { count: chosenSources.length })
        : t("chat.scope.all", { workspace: session?.activeWorkspace?.name ?? "" });
  return (
    <Menu
      align="start"
      side="top"
      wide
      trigger={
        <Button
          tone="quiet"
          size="sm"
          icon={<Layers size={15} aria-hidden />}
          aria-label={t("chat.scope.label", { scope: label })}
        >
          <span className="truncate max-w-[11rem] max-sm:max-w-[7.5rem]">{label}</span>
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      <MenuItem onClick={() => onChange(null)}>{t("chat.scope.everything")}</MenuItem>
      <MenuLine />
      <MenuHeading>{t("shell.sources")}</MenuHeading>
      {items.map((source) => (
        <MenuCheck
          key={source.id}
          checked={chosenSources.includes(source.id)}
          onChange={(on) => set(toggled(chosenSources, source.id, on), [])}
        >
          {source.name}
        </MenuCheck>
      ))}
      {items[0] && (
        <DocumentChoices
          sourceId={items[0].id}
          chosen={chosenDocuments}
          onChange={(id, on) => set([], toggled(chosenDocuments, id, on))}
        />
      )}
    </Menu>
  );
}

interface DocumentChoicesProps {
  sourceId: string;
  chosen: readonly string[];
  onChange: (id: string, on: boolean) => void;
}

function DocumentChoices({ sourceId, chosen, onChange }: DocumentChoicesProps) {
  const { t } = useTranslation();
  const { data } = useInfiniteQuery(sourceDocumentsQuery(sourceId, false));
  const documents = (data?.pages.flatMap((page) => page.items) ?? []).filter(
    (item) => item.state === "ready",
  );
  if (documents.length === 0) return null;
  return (
    <>
      <MenuLine />
      <MenuHeading>{t("chat.scope.documentsHeading")}</MenuHeading>
      {documents.map((document) => (
        <MenuCheck
          key={document.id}
          checked={chosen.includes(document.id)}
          onChange={(on) => onChange(document.id, on)}
        >
          {document.title}
        </MenuCheck>
      ))}
    </>
  );
}

function toggled(ids: readonly string[], id: string, on: boolean): string[] {
  return on ? [...ids, id] : ids.filter((other) => other !== id);
}

interface ModelPickerProps {
  modelId: string;
  onChange: (modelId: string) => void;
}

/** Who answers. With one way to answer it only says which. */
export function ModelPicker({ modelId, onChange }: ModelPickerProps) {
  const { t } = useTranslation();
  const { items } = useModels();
  const name = (id: string) => {
    const model = items.find((item) => item.id === id);
    return !model || model.local ? t("chat.models.local") : model.label;
  };
  return (
    <Menu
      side="top"
      wide
      trigger={
        <Button
          tone="quiet"
          size="sm"
          icon={<Sparkles size={15} aria-hidden />}
          aria-label={t("chat.models.label", { model: name(modelId) })}
        >
          <span className="truncate max-w-[11rem] max-sm:max-w-[6.5rem]">{name(modelId)}</span>
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    >
      <MenuChoice
        value={modelId}
        onChange={onChange}
        options={items.map((model) => ({
          value: model.id,
          label: name(model.id),
          detail: model.local ? t("chat.models.localDetail") : model.provider,
          disabled: !model.available,
        }))}
      />
    </Menu>
  );
}
