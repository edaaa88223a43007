import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { CircleAlert, KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { providersQuery } from "@/api/queries/session";
import type { SignInProvider } from "@/api/types";
import { ownPath } from "@/lib/links";
import { buttonClass } from "@/ui/Button";
import { usePageTitle } from "@/ui/hooks";
import { Logo } from "@/ui/Logo";
import { ErrorState } from "@/ui/States";
import { SignInExample } from "./SignInExample";

const route = getRouteApi("/signin");
const KNOWN_ERRORS = ["state_mismatch", "access_denied", "link_used", "not_allowed"] as const;

export function SignInPage() {
  const { t } = useTranslation();
  const { error, next } = route.useSearch();
  const providers = useQuery(providersQuery);
  usePageTitle(t("auth.title"));
  const remote = providers.data?.items.filter((provider) => provider.id !== "local") ?? [];
  const local = providers.data?.items.some((provider) => provider.id === "local") ?? false;
  return (
    <div className="min-h-dvh grid lg:grid-cols-[minmax(0,0.9fr)_minmax(0,1fr)]">
      <main className="flex flex-col px-14 py-10 max-sm:px-5 max-sm:py-6">
        <p className="flex items-center gap-2.5">
          <Logo size={24} />
          <b className="font-read font-strong text-xl tracking-[-0.012em]">KnowledgeStack</b>
        </p>
        <div className="grow grid place-items-center">
          <div className="w-full max-w-[22rem] py-8">
            <h1 className="font-read font-regular text-3xl leading-[1.18] tracking-[-0.022em] max-sm:text-[1.875rem]">
              {t("auth.title")}
            </h1>
            <p className="text-md text-ink-2 mt-1.5">{t("auth.lead")}</p>
            {error && <SignInError code={error} />}
            {providers.error && (
              <div className="mt-6">
                <ErrorState
                  title={t("common.failed.page")}
                  error={providers.error}
                  onRetry={() => void providers.refetch()}
                />
              </div>
            )}
            <div className="flex flex-col gap-2.5 mt-6">
              {remote.map((provider) => (
                <ProviderLink key={provider.id} provider={provider} next={ownPath(next)} />
              ))}
            </div>
            {local && <LocalHint divided={remote.length > 0} />}
            {providers.data && !local && <p className="text-xs text-ink-3 mt-5">{t("auth.invitation")}</p>}
          </div>
        </div>
        <p className="text-xs text-ink-3">{location.host}</p>
      </main>
      <aside className="hidden lg:grid place-items-center bg-desk border-l border-line" aria-hidden>
        <SignInExample />
      </aside>
    </div>
  );
}

function SignInError({ code }: { code: string }) {
  const { t } = useTranslation();
  const known = KNOWN_ERRORS.find((one) => one === code);
  return (
    <p
      role="alert"
      className="flex gap-3 mt-6 px-4 py-3 border border-bad-line bg-bad-soft rounded-md leading-normal"
    >
      <CircleAlert size={16} className="text-bad mt-0.5" aria-hidden />
      <span>
        {t(`auth.errors.${known ?? "other"}`)} <span className="text-xs text-ink-2">{code}</span>
      </span>
    </p>
  );
}

function ProviderLink({ provider, next }: { provider: SignInProvider; next: string }) {
  const { t } = useTranslation();
  if (provider.missingVariables.length > 0) {
    return (
      <p className="text-xs text-ink-3">
        {provider.label}: {t("auth.missing", { variables: provider.missingVariables.join(", ") })}
      </p>
    );
  }
  const address = `/api/auth/${encodeURIComponent(provider.id)}?next=${encodeURIComponent(next)}`;
  return (
    <a href={address} className={buttonClass("plain", "lg")}>
      <KeyRound size={16} aria-hidden />
      {t("auth.continueWith", { label: provider.label })}
    </a>
  );
}

function LocalHint({ divided }: { divided: boolean }) {
  const { t } = useTranslation();
  return (
    <section>
      {divided && (
        <h2 className="flex items-center gap-3 text-xs text-ink-3 my-5 before:grow before:h-px before:bg-line after:grow after:h-px after:bg-line">
          {t("auth.thisMachine")}
        </h2>
      )}
      <pre className="font-mono text-xs leading-[1.65] text-ink-2 bg-sunken border border-line rounded-sm px-3.5 py-3 whitespace-pre-wrap">
        {`$ make run\n→ ${t("auth.linkHint")}\n$ make link\n→ ${t("auth.linkAgain")}`}
      </pre>
    </section>
  );
}
