import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { DatabaseConnection } from "@/api/types";
import { Dialog } from "@/ui/Dialog";
import { ConnectionForm } from "./ConnectionForm";
import { RoleAuditView } from "./RoleAuditView";

const route = getRouteApi("/shell/databases");

/** The dialogs about a connection; the address says which one is open. */
export function ConnectionDialogs({ connection }: { connection: DatabaseConnection | undefined }) {
  const { t } = useTranslation();
  const { dialog } = route.useSearch();
  const navigate = route.useNavigate();
  const close = (connectionId?: string) =>
    void navigate({
      search: ({ dialog: _open, ...rest }) => (connectionId ? { connection: connectionId } : rest),
      replace: true,
      resetScroll: false,
    });
  if (dialog === "connect") return <ConnectionForm onClose={close} />;
  if (!connection) return null;
  if (dialog === "edit") return <ConnectionForm connection={connection} onClose={close} />;
  if (dialog !== "role") return null;
  const { audit, name } = connection;
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && close()}
      title={audit ? t("databases.audit.dialog", { role: audit.role, name }) : t("databases.audit.title")}
    >
      <div className="mt-4">
        {audit ? (
          <RoleAuditView audit={audit} tls={connection.tls} version={connection.serverVersion} />
        ) : (
          <p className="text-ink-2">{t("databases.audit.none")}</p>
        )}
      </div>
    </Dialog>
  );
}
