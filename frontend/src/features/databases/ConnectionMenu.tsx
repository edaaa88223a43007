import { useNavigate } from "@tanstack/react-router";
import { Download, Ellipsis, Link2, Pencil, RefreshCw, Shield, Trash2, Upload, Zap } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useRefreshCatalogue } from "@/api/queries/catalogue";
import { useDeleteDatabase, useTestDatabase } from "@/api/queries/databases";
import type { DatabaseConnection } from "@/api/types";
import { IconButton } from "@/ui/Button";
import { ConfirmDialog } from "@/ui/Dialog";
import { Menu, MenuItem, MenuLine } from "@/ui/Menu";
import { showErrorToast, showToast } from "@/ui/Toast";
import { useDescriptionFile } from "./useDescriptionFile";
import { useMay } from "./useMay";

/** What can be done with a database, as far as this person may. */
export function ConnectionMenu({ connection }: { connection: DatabaseConnection }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { manage, write } = useMay();
  const [asking, setAsking] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const test = useTest();
  const refresh = useRefreshCatalogue(connection.id);
  const descriptions = useDescriptionFile(connection);
  const { id, name } = connection;
  const show = (dialog: "edit" | "role") =>
    void navigate({
      to: "/databases",
      search: (now) => ({ ...(now.connection === id && now), connection: id, dialog }),
      resetScroll: false,
    });
  return (
    <>
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={t("common.actions", { name })}
            icon={<Ellipsis size={16} aria-hidden />}
          />
        }
      >
        {manage && (
          <>
            <MenuItem icon={<Pencil size={16} />} onClick={() => show("edit")}>
              {t("databases.actions.edit")}
            </MenuItem>
            <MenuItem icon={<Zap size={16} />} onClick={() => test(connection)}>
              {t("databases.actions.test")}
            </MenuItem>
            <MenuItem icon={<RefreshCw size={16} />} onClick={() => refresh.mutate()}>
              {t("databases.actions.refresh")}
            </MenuItem>
          </>
        )}
        <MenuItem icon={<Shield size={16} />} onClick={() => show("role")}>
          {t("databases.actions.role")}
        </MenuItem>
        <MenuLine />
        <MenuItem
          icon={<Link2 size={16} />}
          onClick={() => void navigate({ to: "/databases/links", search: { connection: id } })}
        >
          {t("databases.actions.links")}
        </MenuItem>
        <MenuItem icon={<Download size={16} />} onClick={() => void descriptions.save()}>
          {t("databases.actions.exportDescriptions")}
        </MenuItem>
        {write && (
          <MenuItem icon={<Upload size={16} />} onClick={() => chooser.current?.click()}>
            {t("databases.actions.importDescriptions")}
          </MenuItem>
        )}
        {manage && (
          <>
            <MenuLine />
            <MenuItem tone="bad" icon={<Trash2 size={16} />} onClick={() => setAsking(true)}>
              {t("databases.actions.delete")}
            </MenuItem>
          </>
        )}
      </Menu>
      <input
        ref={chooser}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label={t("databases.descriptions.file")}
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = "";
          if (file) void descriptions.load(file);
        }}
      />
      <DeleteDatabase connection={connection} open={asking} onOpenChange={setAsking} />
    </>
  );
}

/** Opens a database again and says what came of it. */
export function useTest(): (connection: DatabaseConnection) => void {
  const { t } = useTranslation();
  const test = useTestDatabase();
  return ({ id, name }) =>
    test.mutate(id, {
      onSuccess: ({ databaseConnection, message }) => {
        if (databaseConnection.state === "reachable") showToast(message);
        else showErrorToast(t("databases.trouble.title", { name }), message);
      },
    });
}

interface DeleteDatabaseProps {
  connection: DatabaseConnection;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function DeleteDatabase({ connection: { id, name }, open, onOpenChange }: DeleteDatabaseProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const remove = useDeleteDatabase();
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={t("databases.delete.title", { name })}
      detail={t("databases.delete.detail")}
      action={t("databases.delete.action")}
      busy={remove.isPending && t("databases.delete.busy")}
      onConfirm={() =>
        remove.mutate(id, {
          onSuccess: () => {
            showToast(t("databases.delete.done", { name }));
            void navigate({ to: "/databases", search: {}, replace: true });
          },
          onSettled: () => onOpenChange(false),
        })
      }
    />
  );
}
