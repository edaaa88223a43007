import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  useChangeVerifiedQuery,
  useSaveVerifiedQuery,
  useTestVerifiedQuery,
} from "@/api/queries/verifiedQueries";
import type { QueryResult, VerifiedQuery } from "@/api/types";
import { useStatement } from "@/features/results/useStatement";
import { useFailure } from "@/ui/failure";
import { showToast } from "@/ui/Toast";
import { useMay } from "./useMay";

interface QueryWords {
  question: string;
  description: string;
  sql: string;
}

export interface QueryDraft extends QueryWords {
  set: (change: Partial<QueryWords>) => void;
  mayEdit: boolean;
  mayRun: boolean;
  /** Somebody tried to save: what is missing is said now. */
  touched: boolean;
  /** The SQL is the stored one, so that running it tests the stored query. */
  stored: boolean;
  running: boolean;
  saving: boolean;
  result: QueryResult | null;
  /** Why there are no rows, or why it was not saved. */
  message: string | null;
  run: () => void;
  save: () => void;
}

/** A verified query while somebody writes it: what is typed, what it gives, and how it is stored. */
export function useQueryDraft(
  connectionId: string,
  query: VerifiedQuery | undefined,
  onSaved: () => void,
): QueryDraft {
  const { t } = useTranslation();
  const failure = useFailure();
  const { write } = useMay();
  const [words, setWords] = useState<QueryWords>({
    question: query?.question ?? "",
    description: query?.description ?? "",
    sql: query?.sql ?? "",
  });
  const [touched, setTouched] = useState(false);
  const own = useStatement(connectionId);
  const test = useTestVerifiedQuery();
  const create = useSaveVerifiedQuery();
  const change = useChangeVerifiedQuery();
  const stored = words.sql === query?.sql;
  const refused = create.error ?? change.error ?? (stored ? test.error : own.error);
  const untested = stored && test.data?.result === null ? test.data.message : null;

  const run = () => {
    create.reset();
    change.reset();
    if (query && stored) test.mutate(query.id);
    else if (words.sql.trim()) own.run({ sql: words.sql });
  };
  const save = () => {
    setTouched(true);
    const wanted = { ...words, question: words.question.trim(), description: words.description.trim() };
    if (!wanted.question || !wanted.sql.trim()) return;
    const done = {
      onSuccess: () => {
        showToast(t("databases.query.saved"));
        onSaved();
      },
    };
    if (query) change.mutate({ id: query.id, change: wanted }, done);
    else create.mutate({ databaseConnectionId: connectionId, ...wanted }, done);
  };
  return {
    ...words,
    set: (next) => setWords((now) => ({ ...now, ...next })),
    mayEdit: query ? query.mayEdit : write,
    mayRun: write,
    touched,
    stored,
    running: own.running || test.isPending,
    saving: create.isPending || change.isPending,
    result: stored ? (test.data?.result ?? null) : own.result,
    message: refused ? failure(refused).detail : untested,
    run,
    save,
  };
}
