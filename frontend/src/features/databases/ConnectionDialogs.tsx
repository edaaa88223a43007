import { getRouteApi } from "@tanstack/react-router";
import type { DatabaseConnection } from "@/api/types";
import { ConnectionForm, RoleDialog } from "./layers";

const route = getRouteApi("/shell/databases");

/** The dialogs about a connection; the address says which one is open. */
export function ConnectionDialogs({ connection }: { connection: DatabaseConnection | undefined }) {
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
  return dialog === "role" ? <RoleDialog connection={connection} onClose={() => close()} /> : null;
}
