import { Popover } from "@base-ui/react/popover";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import type { TurnScope } from "@/api/generated";
import { databasesQuery } from "@/api/queries/databases";
import { sourcesQuery } from "@/api/queries/sources";
import { DocumentChoices } from "./DocumentChoices";
import { Choice } from "./ScopeChoice";

interface ScopeLayerProps {
  scope: TurnScope | null;
  onChange: (scope: TurnScope | null) => void;
  trigger: ReactElement;
}

/** The choice of what a question looks at: everything, some sources, or some documents. Opens as soon as it is here. */
export function ScopeLayer({ scope, onChange, trigger }: ScopeLayerProps) {
  const { t } = useTranslation();
  const { data: sources } = useQuery(sourcesQuery);
  const chosenSources = scope?.sourceIds ?? [];
  const chosenDocuments = scope?.documentIds ?? [];
  const chosenDatabases = scope?.databaseConnectionIds ?? [];
  const { data: databases } = useQuery(databasesQuery);
  const set = (sourceIds: string[], documentIds: string[], databaseConnectionIds = chosenDatabases) =>
    onChange(
      sourceIds.length + documentIds.length + databaseConnectionIds.length === 0
        ? null
        : { sourceIds, documentIds, databaseConnectionIds },
    );
  const items = sources?.items ?? [];
  return (
    <Popover.Root defaultOpen>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner align="start" side="top" sideOffset={6} className="z-(--z-menu) outline-none">
          <Popover.Popup className="w-[20rem] max-w-[calc(100vw-1rem)] max-h-[min(28rem,var(--available-height))] flex flex-col bg-raised border border-line-strong rounded-md shadow-float p-[5px] outline-none transition-[opacity,translate] duration-(--duration-base) ease-out data-starting-style:opacity-0 data-starting-style:translate-y-1 data-ending-style:opacity-0">
            <Popover.Title className="caps px-[9px] pt-2 pb-1">{t("chat.scope.title")}</Popover.Title>
            <Choice checked={scope === null} onChange={() => onChange(null)}>
              {t("chat.scope.everything")}
            </Choice>
            {items.map((source) => (
              <Choice
                key={source.id}
                checked={chosenSources.includes(source.id)}
                onChange={(on) => set(toggled(chosenSources, source.id, on), [])}
              >
                {t("chat.scope.source", { name: source.name })}
              </Choice>
            ))}
            {databases?.items.map((database) => (
              <Choice
                key={database.id}
                checked={chosenDatabases.includes(database.id)}
                onChange={(on) =>
                  set(chosenSources, chosenDocuments, toggled(chosenDatabases, database.id, on))
                }
              >
                {t("chat.scope.database", { name: database.name })}
              </Choice>
            ))}
            <DocumentChoices
              sourceIds={items.map((source) => source.id)}
              chosen={chosenDocuments}
              onChange={(id, on) => set([], toggled(chosenDocuments, id, on))}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function toggled(ids: readonly string[], id: string, on: boolean): string[] {
  return on ? [...ids, id] : ids.filter((other) => other !== id);
}
