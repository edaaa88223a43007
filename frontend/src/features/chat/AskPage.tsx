import { useTranslation } from "react-i18next";
import { Page } from "@/ui/Page";

export function AskPage() {
  const { t } = useTranslation();
  return <Page title={t("chat.title")}>{null}</Page>;
}
