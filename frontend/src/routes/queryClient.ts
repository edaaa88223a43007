import { MutationCache, QueryClient } from "@tanstack/react-query";
import i18next from "i18next";
import { ApiError } from "@/api/errors";
import { showErrorToast } from "@/ui/Toast";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** The component shows the failure itself, beside what failed. */
      shownInPlace?: boolean;
    };
  }
}

/** The one cache of what the server said. A refusal is never asked again; a silent server twice. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: (count, error) => !(error instanceof ApiError) && count < 2 },
    },
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (mutation.meta?.shownInPlace) return;
        const refused = error instanceof ApiError;
        const detail = refused ? error.message : i18next.t("common.failed.network");
        showErrorToast(i18next.t("common.failed.action"), detail, refused ? error.requestId : null);
      },
    }),
  });
}
