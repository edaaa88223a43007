import { Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { setPreferences } from "@/lib/preferences";
import { usePreferences } from "@/ui/hooks";
import { Segments } from "@/ui/Segments";
import { Switch } from "@/ui/Switch";
import { SettingRow } from "./SettingRow";

/** Theme and language of this browser. */
export function AppearanceRows() {
  const { t } = useTranslation();
  const { theme, language } = usePreferences();
  return (
    <>
      <SettingRow title={t("settings.theme")}>
        <Segments
          label={t("settings.theme")}
          value={theme}
          onChange={(value) => setPreferences({ theme: value })}
          options={[
            { value: "system", label: t("settings.themes.system"), icon: <Monitor aria-hidden /> },
            { value: "light", label: t("settings.themes.light"), icon: <Sun aria-hidden /> },
            { value: "dark", label: t("settings.themes.dark"), icon: <Moon aria-hidden /> },
          ]}
        />
      </SettingRow>
      <SettingRow title={t("settings.language")} detail={t("settings.languageHelp")}>
        <Segments
          label={t("settings.language")}
          value={language}
          onChange={(value) => setPreferences({ language: value })}
          options={[
            { value: "en", label: "English" },
            { value: "it", label: "Italiano" },
          ]}
        />
      </SettingRow>
    </>
  );
}

export function KeyRows() {
  const { t } = useTranslation();
  const { singleKeys } = usePreferences();
  return (
    <SettingRow title={t("settings.singleKeys")} detail={t("settings.singleKeysHelp")}>
      <Switch
        label={t("settings.singleKeys")}
        checked={singleKeys}
        onChange={(value) => setPreferences({ singleKeys: value })}
      />
    </SettingRow>
  );
}
