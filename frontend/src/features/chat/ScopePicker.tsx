import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Layers } from "lucide-react";
import { type ComponentProps, lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TurnScope } from "@/api/generated";
import { sessionQuery } from "@/api/queries/session";
import { Button } from "@/ui/Button";

interface ScopePickerProps {
  scope: TurnScope | null;
  onChange: (scope: TurnScope | null) => void;
}

const load = () => import("./ScopeLayer");
const ScopeLayer = lazy(() => load().then((module) => ({ default: module.ScopeLayer })));

/** What a question may look at. The layer to choose it is fetched when the pointer comes near or it is first opened. */
export function ScopePicker({ scope, onChange }: ScopePickerProps) {
  const [opened, setOpened] = useState(false);
  const closed = (
    <ScopeButton
      scope={scope}
      aria-haspopup="dialog"
      aria-expanded={false}
      onPointerEnter={() => void load()}
      onClick={() => setOpened(true)}
    />
  );
  if (!opened) return closed;
  return (
    <Suspense fallback={closed}>
      <ScopeLayer scope={scope} onChange={onChange} trigger={<ScopeButton scope={scope} />} />
    </Suspense>
  );
}

interface ScopeButtonProps extends ComponentProps<"button"> {
  scope: TurnScope | null;
}

function ScopeButton({ scope, ...rest }: ScopeButtonProps) {
  const { t } = useTranslation();
  const label = useScopeLabel(scope);
  return (
    <Button
      {...rest}
      tone="quiet"
      size="sm"
      className="min-w-0"
      icon={<Layers size={15} aria-hidden className="flex-none" />}
      aria-label={t("chat.scope.label", { scope: label })}
    >
      <span className="truncate max-w-[13rem] max-sm:max-w-[7.5rem]">{label}</span>
      <ChevronDown size={14} aria-hidden className="flex-none" />
    </Button>
  );
}

function useScopeLabel(scope: TurnScope | null): string {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery);
  const documents = scope?.documentIds?.length ?? 0;
  const sources = scope?.sourceIds?.length ?? 0;
  const databases = scope?.databaseConnectionIds?.length ?? 0;
  const parts = [
    documents > 0 && t("chat.scope.documents", { count: documents }),
    sources > 0 && t("chat.scope.sources", { count: sources }),
    databases > 0 && t("chat.scope.databases", { count: databases }),
  ].filter(Boolean);
  if (parts.length > 0) return parts.join(", ");
  return t("chat.scope.all", { workspace: session?.activeWorkspace?.name ?? "" });
}
