import { ChevronDown } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { Menu, MenuChoice } from "@/ui/Menu";
import { isQuoting, useModelName, useModels } from "./models";

interface ModelPickerProps {
  modelId: string;
  onChange: (modelId: string) => void;
}

/** Who answers, from what the server offers. */
export function ModelPicker({ modelId, onChange }: ModelPickerProps) {
  const { t } = useTranslation();
  const { items } = useModels();
  const name = useModelName();
  if (items.length === 0) return null;
  return (
    <Menu
      side="top"
      wide
      trigger={
        <Button
          tone="quiet"
          size="sm"
          className="min-w-0"
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
          detail: isQuoting(model) ? t("chat.models.localDetail") : model.provider,
          disabled: !model.available,
        }))}
      />
    </Menu>
  );
}
