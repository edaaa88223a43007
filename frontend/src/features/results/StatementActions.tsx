import { MessageCircleQuestion, Pencil, Play } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/ui/Button";
import { CopySql } from "./CopySql";
import { useMayRun } from "./useMayRun";

const RunDialog = lazy(() => import("./RunDialog").then((module) => ({ default: module.RunDialog })));

export interface StatementActionsProps {
  databaseConnectionId: string;
  database: string;
  sql: string;
  question?: string | undefined;
  /** Puts a question about the statement; without it nothing offers to. */
  onAsk?: ((question: string) => void) | undefined;
}

/** What one does with a statement: run it again, change it and run it, copy it. */
export function StatementActions({
  databaseConnectionId,
  database,
  sql,
  question,
  onAsk,
}: StatementActionsProps) {
  const { t } = useTranslation();
  const mayRun = useMayRun();
  const [open, setOpen] = useState<"run" | "edit" | null>(null);
  const [wanted, setWanted] = useState(false);
  const show = (what: "run" | "edit") => {
    setWanted(true);
    setOpen(what);
  };
  return (
    <>
      {mayRun && (
        <>
          <Button tone="quiet" size="sm" icon={<Play size={14} aria-hidden />} onClick={() => show("run")}>
            {t("results.run.again")}
          </Button>
          <Button tone="quiet" size="sm" icon={<Pencil size={14} aria-hidden />} onClick={() => show("edit")}>
            {t("results.run.edit")}
          </Button>
        </>
      )}
      {onAsk && (
        <Button
          tone="quiet"
          size="sm"
          icon={<MessageCircleQuestion size={15} aria-hidden />}
          onClick={() => onAsk(`${t("results.run.explainQuestion")}\n\n${sql}`)}
        >
          {t("results.run.explain")}
        </Button>
      )}
      <span className="grow" />
      <CopySql sql={sql} />
      {wanted && (
        <Suspense>
          <RunDialog
            open={open !== null}
            onOpenChange={(stays) => setOpen(stays ? open : null)}
            runAtOnce={open === "run"}
            {...{ databaseConnectionId, database, sql, question }}
          />
        </Suspense>
      )}
    </>
  );
}
