import { useQuery } from "@tanstack/react-query";
import { Server } from "lucide-react";
import { useTranslation } from "react-i18next";
import { nearbyServersQuery, useSaveChatServer } from "@/api/queries/models";
import type { NearbyServer } from "@/api/types";
import { Button } from "@/ui/Button";
import { useFailure } from "@/ui/failure";
import { showErrorToast, showToast } from "@/ui/Toast";
import { SettingRow } from "./SettingRow";

/** Model servers that answer on this machine; one click uses one. */
export function NearbyServers() {
  const { t } = useTranslation();
  const { data, isFetching, refetch } = useQuery(nearbyServersQuery);
  const servers = data?.items ?? [];
  return (
    <>
      <SettingRow
        title={t("settings.nearby.title")}
        detail={servers.length === 0 && data ? t("settings.nearby.none") : null}
      >
        <Button size="sm" busy={isFetching && t("settings.nearby.looking")} onClick={() => void refetch()}>
          {t("settings.nearby.look")}
        </Button>
      </SettingRow>
      {servers.map((server) => (
        <NearbyRow key={server.baseUrl} server={server} />
      ))}
    </>
  );
}

function NearbyRow({ server }: { server: NearbyServer }) {
  const { t } = useTranslation();
  const failure = useFailure();
  const save = useSaveChatServer();
  const use = () =>
    save.mutate(
      { baseUrl: server.baseUrl, models: server.models, defaultModelId: server.models[0] ?? null },
      {
        onSuccess: () => showToast(t("settings.server.saved")),
        onError: (error) =>
          showErrorToast(t("common.failed.action"), failure(error).detail, failure(error).requestId),
      },
    );
  return (
    <div className="flex items-center gap-3 py-3 border-b border-line">
      <Server size={16} aria-hidden className="text-ink-3 flex-none" />
      <div className="grow min-w-0">
        <p className="font-medium truncate">{server.label}</p>
        <p className="text-xs text-ink-3 truncate">
          {t("settings.nearby.models", {
            count: server.models.length,
            names: server.models.join(t("common.and")),
          })}
        </p>
      </div>
      <Button size="sm" busy={save.isPending && t("settings.server.saving")} onClick={use}>
        {t("settings.nearby.use")}
      </Button>
    </div>
  );
}
