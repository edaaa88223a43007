import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Link2Off } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api/errors";
import { enterWithToken } from "@/api/queries/session";
import { buttonClass } from "@/ui/Button";
import { usePageTitle } from "@/ui/hooks";
import { Logo } from "@/ui/Logo";
import { EmptyState, ErrorState } from "@/ui/States";

/** Where a sign-in link leads: hands its token in once and goes on. The token leaves the address and the history first. */
export function EnterPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const started = useRef(false);
  const { mutate, error, isIdle, isPending } = useMutation({
    mutationFn: enterWithToken,
    meta: { shownInPlace: true },
    onSuccess: () => {
      client.clear();
      return navigate({ to: "/", replace: true });
    },
  });
  usePageTitle(t("auth.entering"));
  useEffect(() => {
    const token = decodeURIComponent(location.hash.slice(1));
    if (started.current || !token) return;
    started.current = true;
    history.replaceState(history.state, "", "/enter");
    mutate(token);
  }, [mutate]);
  const refused = error instanceof ApiError && error.status < 500;
  return (
    <main className="grid place-content-center min-h-dvh p-4 gap-6">
      <Logo size={36} />
      {error && !refused && <ErrorState title={t("common.failed.page")} error={error} />}
      {(refused || (isIdle && !location.hash)) && (
        <EmptyState
          icon={<Link2Off aria-hidden />}
          title={t("auth.enterFailed")}
          actions={
            <Link to="/signin" className={buttonClass("primary")}>
              {t("auth.toSignIn")}
            </Link>
          }
        >
          {refused ? t("auth.enterFailedDetail") : t("auth.enterNone")}
        </EmptyState>
      )}
      {isPending && <p role="status">{t("auth.entering")}</p>}
    </main>
  );
}
