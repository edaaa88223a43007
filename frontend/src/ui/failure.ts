import { useTranslation } from "react-i18next";

interface Failure {
  detail: string;
  requestId: string | null;
}

/** Puts a failed request into words: the server's own sentence where it gave one, and the number to quote. */
export function useFailure(): (error: unknown) => Failure {
  const { t } = useTranslation();
  return (error) => {
    if (!(error instanceof Error)) return { detail: t("common.failed.unknown"), requestId: null };
    const requestId = "requestId" in error && typeof error.requestId === "string" ? error.requestId : null;
    if (error.name === "ApiError") return { detail: error.message, requestId };
    if (error.name === "NetworkError") return { detail: t("common.failed.network"), requestId };
    return { detail: t("common.failed.unknown"), requestId };
  };
}
