import { useTranslation } from "react-i18next";
import { readDescriptions, useImportDescriptions } from "@/api/queries/catalogue";
import type { DatabaseConnection, DescriptionFile } from "@/api/types";
import { download } from "@/lib/files";
import { useFailure } from "@/ui/failure";
import { showErrorToast, showToast } from "@/ui/Toast";

const NAMED = 5;

/** Saves all descriptions of a database to a file, and takes those of a file over. */
export function useDescriptionFile({ id, name }: DatabaseConnection) {
  const { t } = useTranslation();
  const failure = useFailure();
  const take = useImportDescriptions(id);
  const save = async () => {
    try {
      const file = await readDescriptions(id);
      const text = JSON.stringify(file, null, 2);
      download(`${name} descriptions.json`, new Blob([text], { type: "application/json" }));
    } catch (error) {
      const { detail, requestId } = failure(error);
      showErrorToast(t("common.failed.action"), detail, requestId);
    }
  };
  const load = async (chosen: File) => {
    const file = parse(await chosen.text());
    if (!file) {
      showErrorToast(t("databases.descriptions.unreadableTitle"), t("databases.descriptions.unreadable"));
      return;
    }
    take.mutate(file, {
      onSuccess: ({ applied, unknown }) => {
        showToast(t("databases.descriptions.imported", { count: applied }));
        if (unknown.length === 0) return;
        const names = unknown.slice(0, NAMED).join(t("common.and")) + (unknown.length > NAMED ? " …" : "");
        showErrorToast(
          t("databases.descriptions.unknownTitle", { count: unknown.length, database: name }),
          t("databases.descriptions.unknown", { names }),
        );
      },
    });
  };
  return { save, load };
}

function parse(text: string): DescriptionFile | null {
  try {
    const value: unknown = JSON.parse(text);
    const items = typeof value === "object" && value !== null && "items" in value ? value.items : null;
    return Array.isArray(items) ? { items } : null;
  } catch {
    return null;
  }
}
