import { useEffect, useRef, useState } from "react";
import type { NewQuery, QueryResult } from "@/api/generated";
import { runStatement } from "@/api/queries/statements";

interface Running {
  running: boolean;
  /** The last answer; it stays while the next statement runs or after it failed. */
  result: QueryResult | null;
  error: unknown;
}

interface StatementRun extends Running {
  run: (query: NewQuery) => void;
  /** Ends the statement, in the database too. */
  stop: () => void;
}

const AT_REST: Running = { running: false, result: null, error: null };

/** Runs statements of a person one at a time; a new one, or leaving the page, ends the one before. */
export function useStatement(connectionId: string): StatementRun {
  const [state, setState] = useState(AT_REST);
  const current = useRef<AbortController>(null);
  useEffect(() => () => current.current?.abort(), []);
  const run = (query: NewQuery) => {
    current.current?.abort();
    const abort = new AbortController();
    current.current = abort;
    setState((before) => ({ ...before, running: true, error: null }));
    runStatement(connectionId, query, abort.signal).then(
      (result) => abort.signal.aborted || setState({ running: false, result, error: null }),
      (error: unknown) =>
        abort.signal.aborted || setState((before) => ({ ...before, running: false, error })),
    );
  };
  const stop = () => {
    current.current?.abort();
    setState((before) => ({ ...before, running: false }));
  };
  return { ...state, run, stop };
}
