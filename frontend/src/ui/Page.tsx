import { Link } from "@tanstack/react-router";
import { SquarePen } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Bar } from "./Bar";
import { usePageTitle } from "./hooks";

interface PageProps {
  title: string;
  /** How things stand, in one sentence. */
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the shell: title, one line on how things stand, actions, content. */
export function Page({ title, lead, actions, children }: PageProps) {
  usePageTitle(title);
  return (
    <>
      <NarrowBar title={title} />
      <div className="grow min-h-0 overflow-y-auto">
        <PageBody title={title} lead={lead} actions={actions}>
          {children}
        </PageBody>
      </div>
    </>
  );
}

/** The bar of a narrow screen: menu, where one is, and the way to a new question. */
export function NarrowBar({ title }: { title: string }) {
  const { t } = useTranslation();
  return (
    <Bar narrowOnly title={title}>
      <Link
        to="/"
        aria-label={t("shell.newQuestion")}
        className="grid place-items-center size-11 rounded-sm text-ink-2"
      >
        <SquarePen size={20} aria-hidden />
      </Link>
    </Bar>
  );
}

function PageBody({ title, lead, actions, children }: PageProps) {
  return (
    <div className="max-w-[70rem] mx-auto px-10 pt-8 pb-12 max-lg:px-6 max-lg:pt-6 max-sm:px-4 max-sm:pt-5">
      <header className="flex items-end gap-3 mb-6 max-sm:flex-col max-sm:items-stretch max-sm:gap-4">
        <div className="min-w-0 grow">
          <h1 className="font-read font-medium text-2xl leading-[1.15] tracking-[-0.015em]">{title}</h1>
          {lead && <p className="text-ink-2 text-md mt-1.5 max-w-[80ch] min-h-[1.45em]">{lead}</p>}
        </div>
        {actions && <div className="flex max-sm:flex-wrap gap-2 flex-none max-sm:[&>*]:grow">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
