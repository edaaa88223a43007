import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useRenameSource } from "@/api/queries/sources";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { Field } from "@/ui/Field";

interface RenameSourceProps {
  id: string;
  name: string;
  onClose: () => void;
}

/** Gives a source another name. */
export function RenameSource({ id, name, onClose }: RenameSourceProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState(name);
  const [touched, setTouched] = useState(false);
  const rename = useRenameSource();
  const wanted = value.trim();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("sources.renameSource.title", { name })}
    >
      <form
        className="mt-4 grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          setTouched(true);
          if (wanted) rename.mutate({ id, name: wanted }, { onSuccess: onClose });
        }}
      >
        <Field
          label={t("sources.renameSource.name")}
          value={value}
          maxLength={200}
          onChange={(event) => setValue(event.target.value)}
          error={touched && !wanted ? t("sources.renameSource.empty") : null}
        />
        <div className="flex justify-end gap-2">
          <Button tone="quiet" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" tone="primary" busy={rename.isPending && t("sources.renameSource.busy")}>
            {t("sources.renameSource.action")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
