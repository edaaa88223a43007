import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/cx";

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cx("skeleton block rounded-xs bg-skeleton h-2.5", className)} />;
}

const PATIENCE_MS = 150;

/** The shape of what comes, shown only where it takes longer than the eye minds. */
export function Waiting({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" className={late ? undefined : "invisible"}>
      <span role="status" className="sr-only">
        {late ? t("common.loading") : ""}
      </span>
      {children}
    </div>
  );
}
