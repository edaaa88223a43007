import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { getPreferences, type Language, subscribePreferences } from "@/lib/preferences";
import { en } from "./en";

declare module "i18next" {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
    returnNull: false;
  }
}

async function applyLanguage(language: Language): Promise<void> {
  if (language === "it" && !i18next.hasResourceBundle("it", "translation")) {
    const { it } = await import("./it");
    i18next.addResourceBundle("it", "translation", it);
  }
  await i18next.changeLanguage(language);
}

/** Sets up the words of the page in the reader's language; English is there at once, Italian is fetched when chosen. */
export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
  });
  subscribePreferences(() => void applyLanguage(getPreferences().language));
  await applyLanguage(getPreferences().language);
}
