import { ArrowUpRight, Check, CircleAlert, Download, Highlighter, LoaderCircle, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isBusy } from "@/api/queries/documents";
import type { SourceDocument } from "@/api/types";
import { linkHost, safeLink } from "@/lib/links";
import type { TextRange } from "@/lib/ranges";
import { Status } from "@/ui/Badge";
import { Button, buttonClass } from "@/ui/Button";
import { Time } from "@/ui/Time";
import { goToMark } from "./goToMark";
import { useMayWrite } from "./useMayWrite";

interface AboutProps {
  document: SourceDocument;
  range: TextRange | null;
  onDelete: () => void;
}

/** What the document is: file, people, age, state, what was noticed while it was read; and what can be done. */
export function About({ document, range, onDelete }: AboutProps) {
  const { t } = useTranslation();
  const mayWrite = useMayWrite();
  return (
    <div className="px-5 py-4 grid gap-5">
      <h2 className="caps">{t("documents.about")}</h2>
      {range && (
        <div className="bg-raised border border-line rounded-md shadow-page px-4 py-3 grid gap-2 justify-items-start">
          <p className="text-ink-2">{t("documents.citedOnly")}</p>
          <Button size="sm" icon={<Highlighter size={14} aria-hidden />} onClick={() => goToMark()}>
            {t("documents.toMark")}
          </Button>
        </div>
      )}
      <Facts document={document} />
      {document.notes.length > 0 && (
        <section>
          <h3 className="caps mb-1.5">{t("documents.notes")}</h3>
          <ul className="grid gap-1.5 text-ink-2">
            {document.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
      <div className="flex flex-wrap gap-2 pt-4 border-t border-line">
        <a href={`/api/documents/${document.id}/original`} download className={buttonClass("plain", "sm")}>
          <Download size={14} aria-hidden />
          {t("documents.download")}
        </a>
        {mayWrite && (
          <Button size="sm" tone="quiet" icon={<Trash2 size={14} aria-hidden />} onClick={onDelete}>
            {t("documents.delete.action")}
          </Button>
        )}
      </div>
    </div>
  );
}

function Facts({ document }: { document: SourceDocument }) {
  const { t, i18n } = useTranslation();
  const address = safeLink(document.url);
  return (
    <dl className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-2 gap-y-1.5">
      <Fact name={t("documents.facts.source")}>
        <span className="break-words">{document.name}</span>
      </Fact>
      {address && (
        <Fact name={t("documents.facts.address")}>
          <a href={address} target="_blank" rel="noopener noreferrer nofollow" className="text-accent">
            {linkHost(address)} <ArrowUpRight size={14} className="inline" aria-hidden />
          </a>
        </Fact>
      )}
      <Fact name={t("documents.facts.state")}>
        <State document={document} />
      </Fact>
      {document.author && <Fact name={t("documents.facts.addedBy")}>{document.author}</Fact>}
      <Fact name={t("documents.facts.changed")}>
        <Time iso={document.updatedAt} />
      </Fact>
      {document.lastIndexedAt && (
        <Fact name={t("documents.facts.indexed")}>
          <Time iso={document.lastIndexedAt} />, {t("documents.facts.chunks", { count: document.chunkCount })}
        </Fact>
      )}
      {document.language && document.language !== "und" && (
        <Fact name={t("documents.facts.language")}>
          {new Intl.DisplayNames(i18n.language, { type: "language" }).of(document.language)}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </>
  );
}

function State({ document }: { document: SourceDocument }) {
  const { t } = useTranslation();
  const words = t(`sources.states.${document.state}`);
  if (isBusy(document)) {
    return (
      <Status tone="run" icon={<LoaderCircle className="spin" aria-hidden />}>
        {words}
      </Status>
    );
  }
  if (document.state === "ready") {
    return (
      <Status tone="good" icon={<Check aria-hidden />}>
        {words}
      </Status>
    );
  }
  return (
    <Status tone={document.state === "failed" ? "bad" : "warn"} icon={<CircleAlert aria-hidden />}>
      {words}
    </Status>
  );
}
