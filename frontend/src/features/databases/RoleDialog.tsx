import { useTranslation } from "react-i18next";
import type { DatabaseConnection } from "@/api/types";
import { Dialog } from "@/ui/Dialog";
import { RoleAuditView } from "./RoleAuditView";

interface RoleDialogProps {
  connection: DatabaseConnection;
  onClose: () => void;
}

/** What the role of a connection was last seen to be allowed. */
export function RoleDialog({ connection, onClose }: RoleDialogProps) {
  const { t } = useTranslation();
  const { audit, name } = connection;
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onClose()}
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
