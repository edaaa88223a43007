import { FileWarning, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";
import { Button } from "./Button";
import { useFailure } from "./failure";

interface EmptyStateProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}

/** Nothing here yet: what this place is for and what to do next. */
export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <section className="bg-raised border border-line rounded-md shadow-page p-6 max-w-[34rem]">
      <span className="text-ink-3 block mb-3 [&_svg]:size-5">{icon}</span>
      <h2 className="font-read font-medium text-xl">{title}</h2>
      {children && <div className="text-ink-2 text-md mt-1.5">{children}</div>}
      {actions && <div className="flex flex-wrap gap-2 mt-4">{actions}</div>}
    </section>
  );
}

interface ErrorStateProps {
  title: string;
  error: unknown;
  onRetry?: () => void;
}

/** What happened, what to do, and the number to quote. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  const { t } = useTranslation();
  const { detail, requestId } = useFailure()(error);
  return (
    <section role="alert" className="bg-raised border border-line rounded-md shadow-page p-6 max-w-[34rem]">
      <FileWarning size={20} className="text-ink-3 mb-3" aria-hidden />
      <h2 className="font-read font-medium text-xl">{title}</h2>
      <p className="text-ink-2 text-md mt-1.5">{detail}</p>
      <div className="flex items-center gap-3 mt-4">
        {onRetry && <Button onClick={onRetry}>{t("common.tryAgain")}</Button>}
        {requestId && (
          <span className="font-mono text-xs text-ink-3">{t("common.request", { id: requestId })}</span>
        )}
      </div>
    </section>
  );
}

const EDGES = {
  warn: "border-warn-line bg-warn-soft [&>svg]:text-warn",
  bad: "border-bad-line bg-bad-soft [&>svg]:text-bad",
  accent: "border-accent-line bg-accent-soft [&>svg]:text-accent",
} as const;

interface BannerProps {
  tone: keyof typeof EDGES;
  icon?: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}

/** A line above a page about something that needs a hand, with the way out beside it. */
export function Banner({ tone, icon, children, actions }: BannerProps) {
  return (
    <div
      role="status"
      className={cx("flex flex-wrap gap-3 items-center px-4 py-3 border rounded-md", EDGES[tone])}
    >
      {icon ?? <TriangleAlert size={18} aria-hidden />}
      <div className="grow basis-[14rem] min-w-0">{children}</div>
      {actions}
    </div>
  );
}
